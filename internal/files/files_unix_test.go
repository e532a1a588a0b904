//go:build unix

package files

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestRefuse opens what is not a regular file as one, in each way.
func TestRefuse(t *testing.T) {
	dir := t.TempDir()
	fifo, link, socket := filepath.Join(dir, "fifo"), filepath.Join(dir, "link"), filepath.Join(dir, "socket")
	if err := errors.Join(syscall.Mkfifo(fifo, 0o600), os.Symlink("fifo", link)); err != nil {
		t.Skip(err)
	}
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Skip(err)
	}
	defer l.Close()
	root, err := Root(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	for name, kind := range map[string]string{fifo: "a FIFO", link: "a FIFO", socket: "a socket", os.DevNull: "a device"} {
		rel, below := strings.CutPrefix(name, dir+"/")
		errs := []error{second(Open(name)), second(OpenFolder(name))}
		_, err := Root(name)
		errs = append(errs, err)
		_, err = Read(name, 100)
		errs = append(errs, err)
		if below {
			errs = append(errs, second(OpenIn(root, rel)), second(Tree(dir).Open(rel)))
		}
		for i, err := range errs {
			if pe, ok := errors.AsType[*fs.PathError](err); !ok || pe.Path == "" {
				t.Errorf("%s, %d: %v", name, i, err)
			} else if folder := i == 1 || i == 2; !folder && !strings.Contains(err.Error(), "it is "+kind) {
				t.Errorf("%s, %d: %v", name, i, err)
			}
		}
	}
}

// TestAppendFIFO writes to a FIFO that no process reads, one that a process reads, and
// one whose reader has stopped.
func TestAppendFIFO(t *testing.T) {
	name := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	if err := Append(t.Context(), name, []byte("x")); !errors.Is(err, errUnread) {
		t.Errorf("without a reader: %v", err)
	}
	r, err := os.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := Append(t.Context(), name, []byte("text")); err != nil {
		t.Error(err)
	}
	if got, err := io.ReadAll(r); err != nil || string(got) != "text" {
		t.Errorf("%q, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		one := make([]byte, 1)
		_, _ = io.ReadFull(r, one) // Append has begun to write
		cancel()
	}()
	if err := Append(ctx, name, make([]byte, 4<<20)); !errors.Is(err, context.Canceled) {
		t.Errorf("whose reader has stopped: %v", err)
	}
}

func TestAppendDevice(t *testing.T) {
	if err := Append(t.Context(), os.DevNull, []byte("x")); err != nil {
		t.Error(err)
	}
	if err := Append(t.Context(), "/dev/full", []byte("x")); !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

//go:build unix

package files

import (
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

// TestOpenRejectsIrregularFiles checks that all functions that open or read a file reject FIFOs,
// sockets and devices.
func TestOpenRejectsIrregularFiles(t *testing.T) {
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
	var tx Transaction
	defer tx.Close()
	folder, err := tx.Open(t.Context(), dir, false)
	if err != nil {
		t.Fatal(err)
	}
	for name, kind := range map[string]string{fifo: "a FIFO", link: "a FIFO", socket: "a socket", os.DevNull: "a device"} {
		_, openErr := Open(name)
		_, readErr := Read(name, 100)
		errs := []error{openErr, readErr}
		if rel, below := strings.CutPrefix(name, dir+"/"); below {
			_, err := DirFS(dir).Open(rel)
			errs = append(errs, err)
			if f, err := folder.Open(rel); f != nil || err != nil {
				t.Errorf("%s: Folder.Open: got %v, error %v, want neither", name, f, err)
			}
		}
		for i, err := range errs {
			if pe, ok := errors.AsType[*fs.PathError](err); !ok || pe.Path == "" || !strings.Contains(err.Error(), "it is "+kind) {
				t.Errorf("%s, function %d: got error %v, want %s", name, i, err, kind)
			}
		}
	}
}

// TestAppendFIFO appends to a FIFO without a reader, which is an error, and to a FIFO with a
// reader.
func TestAppendFIFO(t *testing.T) {
	name := filepath.Join(t.TempDir(), "fifo")
	if err := syscall.Mkfifo(name, 0o600); err != nil {
		t.Skip(err)
	}
	if err := Append(name, []byte("x")); !errors.Is(err, errNoReader) {
		t.Errorf("without a reader: got error %v, want errNoReader", err)
	}
	r, err := os.OpenFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := Append(name, []byte("text")); err != nil {
		t.Error(err)
	}
	if got, err := io.ReadAll(r); err != nil || string(got) != "text" {
		t.Errorf("got %q, error %v, want text", got, err)
	}
}

func TestAppendDevice(t *testing.T) {
	if err := Append(os.DevNull, []byte("x")); err != nil {
		t.Error(err)
	}
	if err := Append("/dev/full", []byte("x")); !errors.Is(err, syscall.ENOSPC) && !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

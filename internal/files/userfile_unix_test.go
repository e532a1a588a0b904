//go:build unix

package files

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestOpenUserFileOfPipe checks that opening a FIFO without a writer, and reading from a silent
// writer, end with the context.
func TestOpenUserFileOfPipe(t *testing.T) {
	dir := t.TempDir()
	name, other := filepath.Join(dir, "pipe"), filepath.Join(dir, "other")
	if err := errors.Join(unix.Mkfifo(name, 0o600), unix.Mkfifo(other, 0o600)); err != nil {
		t.Skip(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := ReadUserFile(ctx, other, 100); !errors.Is(err, context.Canceled) {
		t.Errorf("FIFO without a writer: got error %v, want context.Canceled", err)
	}
	ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	writes := make(chan *os.File)
	go func() {
		w, err := os.OpenFile(name, os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
		}
		_, _ = w.WriteString("text")
		writes <- w
	}()
	f, err := OpenUserFile(ctx, name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w := <-writes
	defer w.Close()
	text := make([]byte, 4)
	if _, err := io.ReadFull(f, text); err != nil || string(text) != "text" {
		t.Errorf("got %q, error %v, want text", text, err)
	}
	cancel() // the writer stays open and writes no more
	if _, err := f.Read(text); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

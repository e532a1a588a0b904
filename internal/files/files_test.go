package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
)

func TestOpenFolder(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "it is a folder, not a regular file") {
		t.Error(err)
	}
	if err := Append(dir, []byte("x")); err == nil || !strings.Contains(err.Error(), "it is a folder") {
		t.Error(err)
	}
}

// TestReadTooLarge reads files around their limit, of which one takes no room on
// disk and would take 8 TiB of memory.
func TestReadTooLarge(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	for size, want := range map[int64]bool{0: true, 9: true, 10: true, 11: false, 1 << 43: false} {
		f, err := os.Create(name)
		if err == nil {
			err = errors.Join(f.Truncate(size), f.Close())
		}
		if err != nil {
			t.Skip(err)
		}
		got, err := Read(name, 10)
		if large, ok := errors.AsType[*fs.PathError](err); ok && large.Err != TooLarge(10) {
			t.Error(err)
		}
		if (err == nil) != want || want && int64(len(got)) != size {
			t.Errorf("%d bytes: %d, %v", size, len(got), err)
		}
	}
	if _, err := ReadAll(strings.NewReader("0123456789a"), name, 10); err == nil {
		t.Error("a reader of 11 bytes")
	}
	if got := TooLarge(64 << 20).Error(); got != "it is larger than 64 MiB, the most that is read of such a file" {
		t.Error(got)
	}
}

func TestTree(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, fstest.MapFS{"a": {Data: []byte("a")}, "b/c": {Data: []byte("c")}}); err != nil {
		t.Fatal(err)
	}
	if err := fstest.TestFS(DirFS(dir), "a", "b/c"); err != nil {
		t.Error(err)
	}
}

func TestAppend(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a")
	if err := errors.Join(Append(name, []byte("one,")), Append(name, []byte("two"))); err != nil {
		t.Fatal(err)
	}
	if got, err := Read(name, 100); err != nil || string(got) != "one,two" {
		t.Errorf("%q, %v", got, err)
	}
}

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

func TestOpenRejectsFolders(t *testing.T) {
	dir := t.TempDir()
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "it is a folder, not a regular file") {
		t.Errorf("Open: got error %v, want one about a folder", err)
	}
	if err := Append(dir, []byte("x")); err == nil || !strings.Contains(err.Error(), "it is a folder") {
		t.Errorf("Append: got error %v, want one about a folder", err)
	}
}

// TestReadLimitsFileSize reads files of sizes around the limit. One file is sparse and has 8 TiB.
func TestReadLimitsFileSize(t *testing.T) {
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
			t.Errorf("%d bytes: got error %v, want TooLarge", size, err)
		}
		if (err == nil) != want || want && int64(len(got)) != size {
			t.Errorf("%d bytes: got %d bytes, error %v, want success: %v", size, len(got), err, want)
		}
	}
	if _, err := ReadAll(strings.NewReader("0123456789a"), name, 10); err == nil {
		t.Error("ReadAll of 11 bytes: got no error, want one")
	}
	if got := TooLarge(64 << 20).Error(); got != "it is larger than 64 MiB, the limit for such a file" {
		t.Errorf("TooLarge: got %s", got)
	}
}

func TestDirFS(t *testing.T) {
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
		t.Errorf("got %q, error %v, want one,two", got, err)
	}
}

package files

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// TestBusyFolder waits for a minute, or until its context ends. Replace waits for a
// second and needs no lock.
func TestBusyFolder(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		var first, second Transaction
		defer first.Close()
		defer second.Close()
		if _, err := first.Open(t.Context(), dir, false); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		_, err := second.Open(t.Context(), dir, false)
		if pe, ok := errors.AsType[*fs.PathError](err); !ok || !errors.Is(err, errBusy) || pe.Path != dir || time.Since(start) != maxWait {
			t.Errorf("error %v after %v", err, time.Since(start))
		}
		why := errors.New("no time left")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, why)
		defer cancel()
		if _, err := second.Open(ctx, dir, false); !errors.Is(err, why) {
			t.Error(err)
		}
		if err := Replace(filepath.Join(dir, "report.json"), nil); err != nil {
			t.Errorf("a file: %v", err)
		}
	})
}

// TestLockFile locks the file in the user's cache folder, by whatever name the folder has.
func TestLockFile(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, dir)
	}
	site, link := filepath.Join(dir, "site"), filepath.Join(dir, "link")
	if err := errors.Join(os.Mkdir(site, 0o755), os.Symlink("site", link)); err != nil {
		t.Skip(err)
	}
	var held []*os.File
	for _, at := range []string{site, link} {
		f, err := (&Folder{Dir: at}).openLockFile()
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		held = append(held, f)
	}
	if err := tryLock(held[0]); err != nil {
		t.Fatal(err)
	}
	if err := tryLock(held[1]); !errors.Is(err, errHeld) {
		t.Error(err)
	}
	if err := errors.Join(unlock(held[0]), tryLock(held[1])); err != nil {
		t.Error(err)
	}
}

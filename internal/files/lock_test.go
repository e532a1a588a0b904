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

// TestOpenWaitsForLock checks that Open of a locked folder waits for a minute, or until its context
// ends. Replace needs no lock of the folder.
func TestOpenWaitsForLock(t *testing.T) {
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
			t.Errorf("got error %v after %v, want errBusy after %v", err, time.Since(start), maxWait)
		}
		why := errors.New("no time left")
		ctx, cancel := context.WithTimeoutCause(t.Context(), time.Second, why)
		defer cancel()
		if _, err := second.Open(ctx, dir, false); !errors.Is(err, why) {
			t.Errorf("got error %v, want %v", err, why)
		}
		if err := Replace(filepath.Join(dir, "report.json"), nil); err != nil {
			t.Errorf("Replace: %v", err)
		}
	})
}

// TestLockFileIsSameForLinks checks that a folder and a symbolic link to the folder have the same
// lock file.
func TestLockFileIsSameForLinks(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData"} {
		t.Setenv(name, dir)
	}
	site, link := filepath.Join(dir, "site"), filepath.Join(dir, "link")
	if err := errors.Join(os.Mkdir(site, 0o755), os.Symlink("site", link)); err != nil {
		t.Skip(err)
	}
	var lockFiles []*os.File
	for _, at := range []string{site, link} {
		f, err := (&Folder{Dir: at}).openLockFile()
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		lockFiles = append(lockFiles, f)
	}
	if err := tryLock(lockFiles[0]); err != nil {
		t.Fatal(err)
	}
	if err := tryLock(lockFiles[1]); !errors.Is(err, errHeld) {
		t.Errorf("second lock: got error %v, want errHeld", err)
	}
	if err := errors.Join(unlock(lockFiles[0]), tryLock(lockFiles[1])); err != nil {
		t.Error(err)
	}
}

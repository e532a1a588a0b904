package writer

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/synctest"
	"time"
)

// begin begins a transaction in dir that stays open.
func begin(t *testing.T, dir string) *Transaction {
	t.Helper()
	tx := new(Transaction)
	if _, err := tx.Draft(t.Context(), site(""), Options{Dir: dir, Base: base}); err != nil {
		t.Fatal(err)
	}
	return tx
}

func TestWriteWaits(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		first := begin(t, dir)
		time.AfterFunc(time.Second, first.Close)
		start := time.Now()
		write(t, site(""), Options{Dir: dir})
		if d := time.Since(start); d < time.Second || d > 2*time.Second {
			t.Errorf("it waited for %s", d)
		}
	})
}

func TestWriteWaitsForAMinute(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		first := begin(t, dir)
		defer first.Close()
		_, err := Write(t.Context(), site("a"), Options{Dir: dir, Base: base})
		if pe, ok := errors.AsType[*fs.PathError](err); !ok || !errors.Is(err, errBusy) || pe.Path != dir {
			t.Errorf("error %v", err)
		}
		if _, err := Write(t.Context(), site("a"), Options{Dir: dir, Base: base, DryRun: true}); err != nil {
			t.Errorf("a dry run: %v", err)
		}
		if err := Replace(filepath.Join(dir, "report.json"), nil); err != nil {
			t.Errorf("a file: %v", err)
		}
		if err := first.Commit(); err != nil {
			t.Errorf("the first one: %v", err)
		}
	})
}

func TestWaitingIsInterrupted(t *testing.T) {
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		first := begin(t, dir)
		defer first.Close()
		stop := errors.New("stop")
		ctx, cancel := context.WithCancelCause(t.Context())
		time.AfterFunc(time.Second, func() { cancel(stop) })
		if _, err := Write(ctx, site("a"), Options{Dir: dir, Base: base}); !errors.Is(err, stop) {
			t.Errorf("error %v", err)
		}
	})
}

// Where folders have no locks, a file elsewhere stands for one, whatever the folder
// is called; nothing stays beside what is published.
func TestLockFiles(t *testing.T) {
	dir, cache := t.TempDir(), t.TempDir()
	link := filepath.Join(t.TempDir(), "link")
	if runtime.GOOS == "windows" {
		link = dir
	} else if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	a, b := &folder{at: dir}, &folder{at: link}
	f, err := a.fileIn(cache)
	if err != nil {
		t.Fatal(err)
	}
	g, err := b.fileIn(cache)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if err := tryLock(f); err != nil {
		t.Skip("no locks here:", err)
	}
	if err := tryLock(g); !errors.Is(err, errLocked) {
		t.Errorf("the second lock: %v", err)
	}
	f.Close()
	if err := tryLock(g); err != nil {
		t.Errorf("after the first was released: %v", err)
	}
	if got := tree(t, dir); len(got) != 0 {
		t.Errorf("files %v", namesIn(got))
	}
}

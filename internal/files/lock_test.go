package files

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"testing/synctest"
	"time"
)

// TestLockPath lets one at a time work on a path, by whatever name, and goes without a
// lock where there is no place for one.
func TestLockPath(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"HOME", "XDG_CACHE_HOME", "LocalAppData", "TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, dir)
	}
	link := filepath.Join(dir, "link")
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "real"), 0o755), os.Symlink("real", link)); err != nil {
		t.Skip(err)
	}
	a, b := filepath.Join(dir, "real", "state"), filepath.Join(link, "state")
	synctest.Test(t, func(t *testing.T) {
		held, err := LockPath(t.Context(), a, 0)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		if _, err := LockPath(t.Context(), b, time.Minute); !errors.Is(err, ErrHeld) || time.Since(start) != time.Minute {
			t.Errorf("%v after %v", err, time.Since(start))
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := LockPath(ctx, b, time.Minute); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if other, err := LockPath(t.Context(), a+"2", 0); err != nil || other.Close() != nil {
			t.Error(err)
		}
		time.AfterFunc(time.Second, func() { _ = held.Close() })
		again, err := LockPath(t.Context(), b, time.Minute)
		if err != nil || again.Close() != nil {
			t.Error(err)
		}
	})
	if err := errors.Join(os.RemoveAll(filepath.Join(dir, "sitewalk")), os.WriteFile(filepath.Join(dir, "sitewalk"), nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := LockPath(t.Context(), a, 0); err != nil {
			t.Error(err)
		}
	}
}

// TestLinkTarget follows links as the system does, also where they lead to nothing yet.
func TestLinkTarget(t *testing.T) {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	at := func(name string) string { return filepath.Join(dir, filepath.FromSlash(name)) }
	if err := os.MkdirAll(at("real/deep"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, to := range map[string]string{
		"folder": "real/deep", "one": "real/new", "two": "one", "up": "folder/../new", "absolute": at("new"),
		"real/back": "../new", "loop": "loop", "nowhere": "missing/new",
	} {
		if err := os.Symlink(filepath.FromSlash(to), at(name)); err != nil {
			t.Skip(err)
		}
	}
	for name, want := range map[string]string{
		"new": "new", "missing/new": "missing/new", "one": "real/new", "two": "real/new", "up": "real/new", "absolute": "new",
		"folder/new": "real/deep/new", "real/back": "new", "loop": "loop", "nowhere": "missing/new",
	} {
		if got := LinkTarget(at(name)); got != at(want) {
			t.Errorf("%s leads to %s, want %s", name, got, at(want))
		}
		if got := LinkTarget(filepath.FromSlash(name)); got != at(want) && got != filepath.FromSlash(want) {
			t.Errorf("%s leads to %s, want %s", name, got, want)
		}
	}
}

// TestCancelledBeforeLocked gives the cause of the end rather than what locking says.
func TestCancelledBeforeLocked(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	cause := errors.New("no time left")
	open := func() (*os.File, error) {
		f, err := os.Open(t.TempDir())
		if err == nil {
			cancel(cause)
			err = f.Close() // it cannot be locked
		}
		return f, err
	}
	if f, err := LockPath(ctx, t.TempDir(), time.Minute, open); f != nil || !errors.Is(err, cause) {
		t.Errorf("%v, want %v", err, cause)
	}
}

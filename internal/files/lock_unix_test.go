//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestClosedWhileAProcessStarts releases a lock whose file a process has inherited, which
// closes it only when it runs another program.
func TestClosedWhileAProcessStarts(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state")
	held, err := LockPath(t.Context(), path, 0)
	if err != nil || held == nil {
		t.Fatal(held, err)
	}
	inherited, err := unix.Dup(int(held.file.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(inherited)
	if err := held.Close(); err != nil {
		t.Fatal(err)
	}
	again, err := LockPath(t.Context(), path, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := again.Close(); err != nil {
		t.Error(err)
	}
}

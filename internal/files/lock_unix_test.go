//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"testing"

	"golang.org/x/sys/unix"
)

// TestCloseReleasesInheritedLock checks that Close releases a lock even if another process has
// inherited the lock file. A new process closes the file only when it runs another program.
func TestCloseReleasesInheritedLock(t *testing.T) {
	dir := t.TempDir()
	var first, second Transaction
	f, err := first.Open(t.Context(), dir, false)
	if err != nil || f.lockFile == nil {
		t.Fatal(f, err)
	}
	inherited, err := unix.Dup(int(f.lockFile.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer unix.Close(inherited)
	first.Close()
	if _, err := second.Open(t.Context(), dir, false); err != nil {
		t.Error(err)
	}
	second.Close()
}

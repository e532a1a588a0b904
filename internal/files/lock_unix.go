//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package files

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks a file or a folder by flock(2), which the system releases when no
// process has it open any more.
func tryLock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EWOULDBLOCK):
			return errHeld
		case !errors.Is(err, unix.EINTR):
			return err
		}
	}
}

// unlock unlocks a file for all who have it open by the same call of open(2).
func unlock(f *os.File) error { return unix.Flock(int(f.Fd()), unix.LOCK_UN) }

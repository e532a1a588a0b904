//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package writer

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// tryLock locks a file or a folder by flock(2), which the system releases when
// the file is closed or the process ends.
func tryLock(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EWOULDBLOCK):
			return errLocked
		case !errors.Is(err, unix.EINTR):
			return err
		}
	}
}

//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package lock

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// try locks a file or a folder by flock(2), which the system releases when
// the file is closed or the process ends.
func try(f *os.File) error {
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EWOULDBLOCK):
			return ErrHeld
		case !errors.Is(err, unix.EINTR):
			return err
		}
	}
}

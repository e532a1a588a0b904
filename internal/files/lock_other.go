//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package files

import (
	"errors"
	"os"
)

// tryLock returns errors.ErrUnsupported, because this system has no lock that is released when the
// process ends.
func tryLock(*os.File) error { return errors.ErrUnsupported }

func unlock(*os.File) error { return nil }

//go:build !(darwin || dragonfly || freebsd || linux || netbsd || openbsd || windows)

package files

import (
	"errors"
	"os"
)

// tryLock returns errors.ErrUnsupported: no lock is known on this system that ends with the
// process.
func tryLock(*os.File) error { return errors.ErrUnsupported }

func unlock(*os.File) error { return nil }

//go:build unix

package config

import (
	"os"
	"syscall"
)

// sameOwner reports whether two folders belong to one user and lie in one file system.
func sameOwner(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	if err != nil {
		return false
	}
	x, ok := one.Sys().(*syscall.Stat_t)
	y, too := other.Sys().(*syscall.Stat_t)
	return ok && too && x.Uid == y.Uid && x.Dev == y.Dev
}

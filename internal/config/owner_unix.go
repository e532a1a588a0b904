//go:build unix

package config

import (
	"os"
	"syscall"
)

// isOwnedByUser reports whether the file at path belongs to the user, to root, or to the owner of
// dir. In a container, the working directory often belongs to another user.
func isOwnedByUser(path, dir string) bool {
	file, err := os.Lstat(path)
	if err != nil {
		return false
	}
	owner := file.Sys().(*syscall.Stat_t).Uid
	if owner == 0 || int(owner) == os.Getuid() {
		return true
	}
	folder, err := os.Stat(dir)
	return err == nil && folder.Sys().(*syscall.Stat_t).Uid == owner
}

// sameOwner reports whether the folders a and b belong to the same user and are in the same file
// system.
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

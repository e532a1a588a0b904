//go:build unix

package config

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwnedByUser reports whether the file at path, and the file that it links to, belong to the user
// or to root. If root is the user, they may also belong to the owner of dir, because in a container
// the working directory often belongs to another user.
func isOwnedByUser(path, dir string, user int) bool {
	folder, err := os.Stat(dir)
	for _, stat := range []func(string) (fs.FileInfo, error){os.Lstat, os.Stat} {
		file, missing := stat(path)
		if missing != nil {
			continue // the reader of the file reports the error
		}
		owner := ownerOf(file)
		if owner != 0 && owner != user && !(user == 0 && err == nil && owner == ownerOf(folder)) {
			return false
		}
	}
	return true
}

// ownerOf returns the number of the user that owns a file.
func ownerOf(file fs.FileInfo) int { return int(file.Sys().(*syscall.Stat_t).Uid) }

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

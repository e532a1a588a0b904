//go:build unix

package config

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwnedByUser reports whether the file at path belongs to the given user ID or to root. If path
// is a symbolic link, both the link and its target must belong to them. If root is the user, the
// file may also belong to the owner of workingDir, because the working directory of a container
// often has another owner. isOwnedByUser returns true if the file does not exist.
func isOwnedByUser(path, workingDir string, user int) bool {
	folder, err := os.Stat(workingDir)
	for _, stat := range []func(string) (fs.FileInfo, error){os.Lstat, os.Stat} {
		file, missing := stat(path)
		if missing != nil {
			continue // the reader of the file reports the error
		}
		owner := int(statOf(file).Uid)
		if owner != 0 && owner != user && !(user == 0 && err == nil && owner == int(statOf(folder).Uid)) {
			return false
		}
	}
	return true
}

func statOf(info fs.FileInfo) *syscall.Stat_t { return info.Sys().(*syscall.Stat_t) }

// haveSameOwner reports whether the folders a and b have the same owner and are in the same file
// system. It returns false if one of them cannot be read.
func haveSameOwner(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && statOf(one).Uid == statOf(other).Uid && statOf(one).Dev == statOf(other).Dev
}

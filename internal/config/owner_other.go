//go:build !unix

package config

import "path/filepath"

// isOwnedByUser returns true. The owner of a file is checked only on Unix.
func isOwnedByUser(path, dir string, user int) bool { return true }

// sameOwner reports whether the folders a and b are on the same volume, such as "C:". The owner of
// a folder is checked only on Unix.
func sameOwner(a, b string) bool { return filepath.VolumeName(a) == filepath.VolumeName(b) }

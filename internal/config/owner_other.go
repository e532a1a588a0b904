//go:build !unix

package config

import "path/filepath"

// isOwnedByUser returns true, because the owner of a file is checked only on Unix.
func isOwnedByUser(path, workingDir string, user int) bool { return true }

// haveSameOwner reports whether the folders a and b are on the same volume, such as "C:". Their
// owners are compared only on Unix.
func haveSameOwner(a, b string) bool { return filepath.VolumeName(a) == filepath.VolumeName(b) }

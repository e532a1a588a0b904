//go:build !unix

package config

import "path/filepath"

// sameOwner reports whether two folders lie on one volume; who owns them is not asked.
func sameOwner(a, b string) bool { return filepath.VolumeName(a) == filepath.VolumeName(b) }

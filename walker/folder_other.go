//go:build !linux

package walker

// Dir returns the tree of a folder of this system, read in the fastest way
// that the system has. A folder that is itself a symbolic link is followed.
func Dir(path string) Tree { return portable(path) }

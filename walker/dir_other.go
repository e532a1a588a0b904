//go:build !linux

package walker

// Dir returns the tree below a folder of the operating system. If path is a symbolic link, Dir
// follows the link.
func Dir(path string) Tree { return portable(path) }

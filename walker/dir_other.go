//go:build !linux

package walker

// Dir returns the tree of the folder at path, a path of the operating system. If path is a symbolic
// link, the tree is the folder to which the link leads. Dir does not check whether the folder
// exists.
func Dir(path string) Tree { return portableDir(path) }

package walker

import (
	"errors"
	"io/fs"
)

// MaxPath is the maximum length of a folder path, in bytes. Folders with a longer path are not
// walked: their pages would exceed the URL limit of a sitemap.
const MaxPath = 3072

// A kind is the type of a directory entry.
type kind uint8

const (
	unknown kind = iota // the file system does not report the type; call lstat
	regular
	directory
	link
	special // device, pipe, socket
)

func kindOf(m fs.FileMode) kind {
	switch m.Type() {
	case 0:
		return regular
	case fs.ModeDir:
		return directory
	case fs.ModeSymlink:
		return link
	default:
		return special
	}
}

// An entry is one name in a folder, with its type.
type entry struct {
	name string
	kind kind
}

// errOutside reports that a symbolic link leads out of the tree.
var errOutside = errors.New("leads out of the tree")

// A source reads a tree.
type source interface {
	// open opens the folder at real, a path without symbolic links. "" is the root.
	open(real string) (folder, error)
	// resolve returns the path of a file or folder after all symbolic links, and its kind. The
	// error is errOutside if path leads out of the tree. The kind may then be unknown.
	resolve(path string) (real string, k kind, err error)
}

// A folder is an open folder. It is safe for concurrent use, except for read.
type folder interface {
	// read replaces buf.entries with the next entries. At the end, buf.entries is empty.
	read(buf *buffer) error
	// folder and file open the child called name. They do not follow symbolic links.
	folder(name string) (folder, error)
	file(name string) (fs.File, error)
	lstat(name string) (kind, error)
	close()
}

// A buffer is the memory that a worker reads folder entries into.
type buffer struct {
	entries []entry
	raw     []byte
}

package walker

import (
	"errors"
	"io/fs"
)

// MaxPath is the length in bytes of the longest folder path that is walked. No
// page below a longer one can have a URL that a sitemap may list, and systems
// that limit paths to 4,096 bytes could not open it by its name.
const MaxPath = 3072

// A kind is what a directory entry says it stands for.
type kind uint8

const (
	unknown kind = iota // the file system does not tell: ask lstat
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

// An entry is one name in a folder.
type entry struct {
	name string
	kind kind
}

// errOutside says that a link leaves the tree.
var errOutside = errors.New("leads out of the tree")

// A source is one way to read a tree.
type source interface {
	// open opens a folder by its path, "" is the root; no component of it may be a link.
	open(real string) (folder, error)
	// resolve returns the path without links of what a path stands for, and its
	// kind. With errOutside there is no path, and perhaps no kind.
	resolve(path string) (real string, k kind, err error)
}

// A folder is an open folder. It may be used by several goroutines, but only
// one may call read.
type folder interface {
	// read replaces the entries of the buffer by the next ones, none at the end.
	read(buf *buffer) error
	// folder and file open a child of the given name without following links.
	// old is a closed folder or file whose memory may be used again, or nil.
	folder(name string, old folder) (folder, error)
	file(name string, old fs.File) (fs.File, error)
	lstat(name string) (kind, error)
	close()
}

// A buffer is what a worker reads folders into.
type buffer struct {
	entries []entry
	raw     []byte
}

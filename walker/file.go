package walker

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/sitewalk/sitewalk/diag"
)

// A File is a file that the filter matched. It is valid until visit returns; only
// its strings may be kept. Read and Stat open it, and the walk closes it. Errors do not repeat the path. An error that is fs.ErrNotExist
// reports that the file vanished after it was listed.
type File struct {
	// Path is the file's path in the tree.
	Path string
	// Full is Options.Before and the path, of which Path is a part in memory.
	Full string
	// Linked reports whether the path contains a symbolic link.
	Linked bool

	walk   *walk
	in     folder
	name   string // the last part of Path, or of what a link resolves to
	handle fs.File
	isOpen bool
}

// Read reads the next bytes of the file, as io.Reader wants it. It never waits
// for another process, even if the file has become a pipe.
func (f *File) Read(p []byte) (int, error) {
	if err := f.open(); err != nil {
		return 0, err
	}
	n, err := f.handle.Read(p)
	return n, diag.Cause(err)
}

// Stat describes the file, following a symbolic link.
func (f *File) Stat() (fs.FileInfo, error) {
	if err := f.open(); err != nil {
		return nil, err
	}
	info, err := f.handle.Stat()
	return info, diag.Cause(err)
}

func (f *File) open() error {
	if f.isOpen {
		return nil
	}
	h, err := f.in.file(f.name, f.handle)
	if err != nil {
		f.walk.failBy(err)
		return diag.Cause(err)
	}
	f.handle, f.isOpen = h, true
	return nil
}

func (f *File) close() {
	if f.isOpen {
		f.handle.Close()
		f.isOpen = false
	}
}

// vanished reports whether an error says that an entry is no longer what its
// folder said, as happens when something changes the tree during the walk.
func vanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

package walker

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/sitewalk/sitewalk/diag"
)

// A File is a file that the filter matched. It belongs to the call of visit:
// only its Path may be kept. It is opened by the first Read or Stat and closed
// after visit. Errors do not repeat the path; one that is fs.ErrNotExist says
// that the file vanished after it was listed.
type File struct {
	// Path is the file's path in the tree.
	Path string
	// Full is Options.Before and the path. It shares the path's memory.
	Full string
	// Linked says that the path leads through a symbolic link, so that the file
	// may change where no one who watches the path sees it.
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

// Stat describes the file, following a symbolic link. What it returns is valid
// until the end of visit.
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

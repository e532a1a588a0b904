package walker

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/sitewalk/sitewalk/diag"
)

// A File is a file that the filter selects. It is valid until visit returns; only its strings
// may be kept. Read and Stat open the file, and the walk closes it. Errors do not repeat the
// path. fs.ErrNotExist means that the file vanished after it was listed.
type File struct {
	// Path is the path of the file in the tree, with slashes.
	Path string
	// Full is Options.Before followed by Path. Both strings share memory.
	Full string
	// Linked reports whether the path contains a symbolic link.
	Linked bool

	walk   *walk
	in     folder
	name   string  // the last part of the path after symbolic links
	handle fs.File // nil until the first Read or Stat
}

// Read implements io.Reader. It never waits for another process, even if a pipe has replaced
// the file.
func (f *File) Read(p []byte) (int, error) {
	if err := f.open(); err != nil {
		return 0, err
	}
	n, err := f.handle.Read(p)
	return n, diag.Cause(err)
}

// Stat returns information about the file. It follows a symbolic link.
func (f *File) Stat() (fs.FileInfo, error) {
	if err := f.open(); err != nil {
		return nil, err
	}
	info, err := f.handle.Stat()
	return info, diag.Cause(err)
}

func (f *File) open() (err error) {
	if f.handle != nil {
		return nil
	}
	if f.handle, err = f.in.file(f.name); err != nil {
		f.handle = nil
		f.walk.failBy(err)
		return diag.Cause(err)
	}
	return nil
}

func (f *File) close() {
	if f.handle != nil {
		f.handle.Close()
		f.handle = nil
	}
}

// vanished reports whether an error means that an entry was removed or replaced after its
// folder was listed.
func vanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

package walker

import (
	"errors"
	"io/fs"
	"syscall"

	"github.com/sitewalk/sitewalk/diag"
)

// A File is a file that the filter of a walk selects. It is valid only until the callback visit
// returns; only the string Path stays valid. The first call of Read or Stat opens the file, and the
// walk closes it. Errors do not contain the path. The error fs.ErrNotExist means that the file
// was removed after the walk listed its folder.
type File struct {
	// Path is the path of the file relative to the tree, with slashes: "blog/a.html".
	Path string

	walk   *walk
	in     folder  // the folder that contains the file after resolving symbolic links
	name   string  // the name of the file in that folder
	handle fs.File // nil until the first Read or Stat
}

// Read implements io.Reader. A named pipe may have replaced the file since the walk listed its
// folder. In a tree of Dir on a Unix system, opening such a pipe does not wait for other processes.
func (f *File) Read(p []byte) (int, error) {
	if err := f.open(); err != nil {
		return 0, err
	}
	n, err := f.handle.Read(p)
	return n, diag.Cause(err)
}

// Stat returns information about the file. If the file is a symbolic link, the information is about
// its target. Stat opens the file.
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
	if f.handle, err = f.in.openFile(f.name); err != nil {
		f.handle = nil
		f.walk.stopIfTooManyOpenFiles(err)
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

// isVanished reports whether err means that a file or folder was removed, or was replaced by
// another kind of file, after its parent folder was listed.
func isVanished(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.ELOOP)
}

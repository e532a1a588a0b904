// Package files opens and replaces the files of a project and the files that a user names. Only
// the packages files and walker open files.
//
// Opening and reading never wait for a device or for the other end of a FIFO. Reading stops when
// the context ends or at the limit of the caller. A [Transaction] replaces and removes files in a
// fixed order, each atomically. A symbolic link in the place of a file is replaced; nothing is
// written to its target.
package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Open opens a regular file for reading. The error for anything else contains an [Irregular].
// Open does not wait for a FIFO or a device.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a device may have an effect
		return nil, newIrregularError(name, info)
	}
	return requireRegular(os.OpenFile(name, os.O_RDONLY|noWait, 0))
}

// requireRegular closes f if f is not a regular file. Another file may have replaced a regular
// file before it was opened.
func requireRegular(f *os.File, err error) (*os.File, error) {
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && !info.Mode().IsRegular() {
		err = newIrregularError(f.Name(), info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func newIrregularError(name string, info fs.FileInfo) error {
	return &fs.PathError{Op: "open", Path: name, Err: Irregular(info.Mode().Type())}
}

// Irregular is the type of a file that is not regular.
type Irregular fs.FileMode

// Error names the type.
func (k Irregular) Error() string {
	kind := "a special file"
	switch mode := fs.FileMode(k); {
	case mode.IsDir():
		kind = "a folder"
	case mode&fs.ModeNamedPipe != 0:
		kind = "a FIFO"
	case mode&fs.ModeSocket != 0:
		kind = "a socket"
	case mode&fs.ModeDevice != 0:
		kind = "a device"
	}
	return "it is " + kind + ", not a regular file"
}

// IsRegular reports whether name is a regular file.
func IsRegular(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// Read returns the content of a regular file. If the file is larger than limit bytes, the error
// contains a [TooLarge].
func Read(name string, limit int64) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, name, limit)
}

// Begin returns the first limit bytes of a regular file in dir, or all of a shorter file. It reads
// no file outside of the project; see [IsInside].
func Begin(dir, name string, limit int64) ([]byte, error) {
	f, err := openInside(dir, filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// ReadAll is like Read for an open file. It allocates the size of the file at once, if the size
// is known.
func ReadAll(r io.Reader, name string, limit int64) ([]byte, error) {
	var all bytes.Buffer
	if f, ok := r.(interface{ Stat() (fs.FileInfo, error) }); ok {
		if info, err := f.Stat(); err == nil && info.Size() > limit {
			return nil, &fs.PathError{Op: "read", Path: name, Err: TooLarge(limit)}
		} else if err == nil {
			all.Grow(int(info.Size()) + bytes.MinRead)
		}
	}
	_, err := all.ReadFrom(io.LimitReader(r, limit+1))
	if err == nil && int64(all.Len()) > limit {
		err = &fs.PathError{Op: "read", Path: name, Err: TooLarge(limit)}
	}
	if err != nil {
		return nil, err
	}
	return all.Bytes(), nil
}

// TooLarge is the error for a file that exceeds a limit. Its value is the limit in bytes.
type TooLarge int64

// Error names the limit.
func (n TooLarge) Error() string {
	size := fmt.Sprintf("%d bytes", int64(n))
	switch {
	case n >= 1<<20:
		size = fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10:
		size = fmt.Sprintf("%d KiB", n>>10)
	}
	return "it is larger than " + size + ", the most that is read of such a file"
}

// ErrOutside is the error for a file that a symbolic link leads to outside of the project.
var ErrOutside = errors.New("a symbolic link leads out of the project")

// IsInside reports whether name, after all symbolic links, is in dir or in the git repository around
// dir. Files that nobody names are read only there.
func IsInside(dir, name string) bool {
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		return os.IsNotExist(err)
	}
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return false
	}
	return Contains(root, target) || Contains(repositoryTop(root), target)
}

// openInside is like Open, but opens no file outside of the project.
func openInside(dir, name string) (*os.File, error) {
	if !IsInside(dir, name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrOutside}
	}
	return Open(name)
}

// repositoryTop returns the top of the git repository around dir, or dir outside of a repository.
func repositoryTop(dir string) string {
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

// Tree is like [os.DirFS], but opens files as Open does, and none outside of the project.
func Tree(dir string) fs.FS {
	return tree{os.DirFS(dir).(dirFS), dir}
}

type dirFS interface {
	fs.StatFS
	fs.ReadDirFS
	fs.ReadLinkFS
}

type tree struct {
	dirFS
	dir string
}

// Open opens a regular file or a folder.
func (t tree) Open(name string) (fs.File, error) {
	info, err := t.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return t.dirFS.Open(name)
	}
	full := filepath.Join(t.dir, filepath.FromSlash(name))
	f, err := openInside(t.dir, full)
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			pe.Path = name
		}
		return nil, err
	}
	return f, nil
}

// Abs returns name as a cleaned path, resolved against dir unless name is absolute. name may
// have slashes on every system.
func Abs(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// Below returns the path of name relative to dir, and "." for dir itself. ok is false if name
// is neither dir nor below dir, or if dir is "".
func Below(dir, name string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, name)
	return rel, dir != "" && err == nil && filepath.IsLocal(rel)
}

// Shown returns a path as the user would type it in the folder dir: relative if it is below
// dir, otherwise unchanged.
func Shown(dir, name string) string {
	if rel, inside := Below(dir, name); inside {
		return rel
	}
	return name
}

// Contains reports whether name is dir or below dir.
func Contains(dir, name string) bool {
	_, ok := Below(dir, name)
	return ok
}

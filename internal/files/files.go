// Package files opens and replaces the files of a project and the files that a user names. No other
// package except walker opens files.
//
// Open and Read never wait for a device or for the other end of a FIFO. A [Transaction] replaces
// and removes files in a fixed order, each file atomically. It replaces a symbolic link, and never
// writes to the target of the link.
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

// Open opens the regular file name for reading. For any other type of file, such as a folder or a
// FIFO, it returns an error that wraps an [Irregular]. It does not wait for the other end of a
// FIFO.
func Open(name string) (*os.File, error) {
	info, err := os.Stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() { // opening a device may have an effect
		return nil, newIrregularError(name, info)
	}
	return os.OpenFile(name, os.O_RDONLY|noWait, 0)
}

func newIrregularError(name string, info fs.FileInfo) error {
	return &fs.PathError{Op: "open", Path: name, Err: Irregular(info.Mode().Type())}
}

// Irregular is the error for a file that is not a regular file. Its value is the type of the file,
// as in fs.FileMode.Type.
type Irregular fs.FileMode

// Error returns the type of the file in words: "it is a folder, not a regular file".
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

// IsRegular reports whether name is a regular file, or a symbolic link to a regular file.
func IsRegular(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// Read returns the content of the regular file name. If the file is larger than limit bytes, it
// returns an error that wraps a [TooLarge].
func Read(name string, limit int64) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, name, limit)
}

// ReadHead returns the first limit bytes of the regular file name in dir, or the whole content of a
// shorter file. A symbolic link out of the project is an error; see [IsInProject].
func ReadHead(dir, name string, limit int64) ([]byte, error) {
	f, err := openInProject(dir, filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// ReadAll returns the content of r. If r has more than limit bytes, it returns an error that wraps
// a [TooLarge]. name is the path in errors. If r has a Stat method, ReadAll compares the size with
// limit before reading, and allocates the whole size at once.
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

// TooLarge is the error for a file that is larger than a limit. Its value is the limit in bytes.
type TooLarge int64

// Error returns a message with the limit in bytes, KiB or MiB, such as "it is larger than 4 MiB,
// …".
func (n TooLarge) Error() string {
	size := fmt.Sprintf("%d bytes", int64(n))
	switch {
	case n >= 1<<20:
		size = fmt.Sprintf("%d MiB", n>>20)
	case n >= 1<<10:
		size = fmt.Sprintf("%d KiB", n>>10)
	}
	return "it is larger than " + size + ", the limit for such a file"
}

// ErrOutside is the error for a symbolic link to a file outside of the project.
var ErrOutside = errors.New("a symbolic link points outside of the project")

// IsInProject reports whether the target of name is in the project: in dir, or in the git
// repository that contains dir. It resolves all symbolic links. It returns true for a file that
// does not exist, and for a broken link. sitewalk reads a file outside of the project only if the
// user names the file.
func IsInProject(dir, name string) bool {
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

// LinksOutOfProject reports whether name is a path in the project around dir, but leads out of the
// project through a symbolic link. It returns false for a path that is not in the project; see
// [IsInProject].
func LinksOutOfProject(dir, name string) bool {
	return Contains(repositoryTop(dir), name) && !IsInProject(dir, name)
}

// openInProject is like Open, but returns an error that wraps ErrOutside if the target of name is
// not in the project around dir; see IsInProject.
func openInProject(dir, name string) (*os.File, error) {
	if !IsInProject(dir, name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrOutside}
	}
	return Open(name)
}

// repositoryTop returns the top folder of the git repository that contains dir, the folder with
// ".git". It returns dir if there is no repository.
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

// DirFS is like [os.DirFS], but its Open method opens only regular files and folders. If a symbolic
// link leads to a file outside of the project around dir, Open returns an error that wraps
// ErrOutside.
func DirFS(dir string) fs.FS {
	return tree{os.DirFS(dir).(dirFS), dir}
}

// dirFS is the interface of the result of os.DirFS.
type dirFS interface {
	fs.StatFS
	fs.ReadDirFS
	fs.ReadLinkFS
}

type tree struct {
	dirFS
	dir string
}

// Open opens a regular file or a folder. It returns an error for any other type of file, and for a
// symbolic link to a file outside of the project.
func (t tree) Open(name string) (fs.File, error) {
	info, err := t.Stat(name)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return t.dirFS.Open(name)
	}
	full := filepath.Join(t.dir, filepath.FromSlash(name))
	f, err := openInProject(t.dir, full)
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			pe.Path = name
		}
		return nil, err
	}
	return f, nil
}

// Abs returns the cleaned path of name. If name is relative, it is resolved against dir. name may
// contain slashes on every system.
func Abs(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// RelBelow returns the path of name relative to dir, such as "blog/a.md", or "." if name is dir.
// The result has the path separators of the system. ok is false if name is neither dir nor below
// dir, or if dir is "".
func RelBelow(dir, name string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, name)
	return rel, dir != "" && err == nil && filepath.IsLocal(rel)
}

// DisplayPath returns name relative to dir if name is dir or below dir. Otherwise, it returns name
// unchanged.
func DisplayPath(dir, name string) string {
	if rel, inside := RelBelow(dir, name); inside {
		return rel
	}
	return name
}

// Contains reports whether name is dir or below dir. It returns false if dir is "".
func Contains(dir, name string) bool {
	_, ok := RelBelow(dir, name)
	return ok
}

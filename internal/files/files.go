// Package files opens and replaces the files that a user names or that are in a project.
// No other package but walker opens files.
//
// Reading never waits for a device or for the other end of a FIFO that was found, and
// stops when the context ends or the limit of the caller is reached. A [Transaction]
// replaces and removes files in a fixed order, each atomically. A symbolic link in the
// place of a file is replaced and never written through.
package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"time"
)

// Open opens a regular file for reading. Anything else is refused with an
// [Irregular] in an [fs.PathError], and is not waited for.
func Open(name string) (*os.File, error) {
	return open(os.Stat, os.OpenFile, name)
}

// OpenIn is Open of a name below root, out of which no link leads.
func OpenIn(root *os.Root, name string) (*os.File, error) {
	return open(root.Stat, root.OpenFile, filepath.FromSlash(name))
}

type (
	statFunc func(name string) (fs.FileInfo, error)
	openFunc func(name string, flag int, perm fs.FileMode) (*os.File, error)
)

// open looks before it opens, as opening a device can already do something, and
// after it, as another file may have taken the place of the first.
func open(stat statFunc, openFile openFunc, name string) (*os.File, error) {
	info, err := stat(name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, refuse(name, info)
	}
	f, err := openFile(name, os.O_RDONLY|noWait, 0)
	if err != nil {
		return nil, err
	}
	if info, err = f.Stat(); err == nil && (!info.Mode().IsRegular() || waits(f)) {
		err = refuse(name, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// waits reports whether reading a file can wait for another process though it calls
// itself regular, as files of /proc do: only such a file knows deadlines.
func waits(f *os.File) bool {
	return runtime.GOOS == "linux" && f.SetReadDeadline(time.Time{}) == nil
}

func refuse(name string, info fs.FileInfo) error {
	return &fs.PathError{Op: "open", Path: name, Err: Irregular(info.Mode().Type())}
}

// Irregular is the kind of what is not a regular file.
type Irregular fs.FileMode

// Error names the kind.
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

// IsRegular reports whether there is a regular file of that name.
func IsRegular(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// Read returns the content of a regular file of at most limit bytes. A larger one is
// refused with a [TooLarge] in an [fs.PathError].
func Read(name string, limit int64) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return ReadAll(f, name, limit)
}

// Begin returns the first bytes of a regular file, at most limit.
func Begin(name string, limit int64) ([]byte, error) {
	f, err := Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, limit))
}

// ReadAll is Read of a file that is open. It takes what it holds from the file's
// size, if that is known.
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

// TooLarge is the limit in bytes that a file exceeds.
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

// OpenFolder opens a folder, to list or to sync it.
func OpenFolder(name string) (*os.File, error) {
	if err := beFolder(name); err != nil {
		return nil, err
	}
	return os.OpenFile(name, os.O_RDONLY|noWait, 0)
}

// Root is [os.OpenRoot], which would wait for a FIFO.
func Root(dir string) (*os.Root, error) {
	if err := beFolder(dir); err != nil {
		return nil, err
	}
	return os.OpenRoot(dir)
}

func beFolder(name string) error {
	info, err := os.Stat(name)
	if err == nil && !info.IsDir() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("not a folder")}
	}
	return err
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
	return Within(root, target) || Within(repositoryTop(root), target)
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

// Tree is [os.DirFS], but its files are opened as Open does it, and none outside of the project.
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
	path, err := filepath.Localize(name)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	opener := Open
	if info.IsDir() {
		opener = OpenFolder
	}
	full := filepath.Join(t.dir, path)
	if !IsInside(t.dir, full) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrOutside}
	}
	f, err := opener(full)
	if err != nil {
		if pe, ok := errors.AsType[*fs.PathError](err); ok {
			pe.Path = name
		}
		return nil, err
	}
	return f, nil
}

// Abs returns the path of a name, slash-separated or not, that is relative to a folder
// unless it is absolute.
func Abs(dir, name string) string {
	if name = filepath.FromSlash(name); filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(dir, name)
}

// Below returns the path by which a folder has what is below it, "." for the folder
// itself. It is not ok for what lies elsewhere; "" is no folder.
func Below(dir, name string) (rel string, ok bool) {
	rel, err := filepath.Rel(dir, name)
	return rel, dir != "" && err == nil && filepath.IsLocal(rel)
}

// Shown returns a path as the user would type it in a folder: from there if it is below the
// folder, else whole.
func Shown(dir, name string) string {
	if rel, inside := Below(dir, name); inside {
		return rel
	}
	return name
}

// Within reports whether a path is that of a folder or of what is below it.
func Within(dir, name string) bool {
	_, ok := Below(dir, name)
	return ok
}

package files

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// TempPrefix begins the names of the files that a transaction leaves when it is killed, so
// that the next one can remove them, and no reader takes them for the site's.
const TempPrefix = ".sitewalk-"

const tempSuffix = ".tmp"

// A Folder is where files are changed. Their names are slash-separated, and none leads
// out of it, not even through a symbolic link. What a killed transaction left beside a
// file is removed when the transaction first looks for that file.
type Folder struct {
	At string // its absolute path

	tx      *Transaction
	root    *os.Root
	is      fs.FileInfo
	missing error    // why there is no root; nil: there is one
	dry     bool     // nothing is written
	held    *os.File // the lock; nil without a lock
	cleared map[string]bool
}

// MakeFolder makes the folder dir and what leads to it. In the publish directory, which has
// to be there, it follows no symbolic link that leads out.
func MakeFolder(dir, publish string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	rel, inside := Below(publish, dir)
	if !inside {
		return os.MkdirAll(dir, 0o755)
	}
	root, err := os.OpenRoot(publish)
	if err != nil {
		return err
	}
	defer root.Close()
	err = root.MkdirAll(rel, 0o755)
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: pe.Op, Path: filepath.Join(publish, pe.Path), Err: pe.Err}
	}
	return err
}

// Stat returns what stands under name, or nil if nothing does. It follows no link.
func (f *Folder) Stat(name string) (fs.FileInfo, error) {
	if f.missing != nil {
		return nil, nil
	}
	f.clear(path.Dir(name))
	info, err := f.root.Lstat(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return info, f.wrapError("stat", name, err)
}

// Open opens the regular file under name for reading, or returns nil if there is none.
// It never opens a device or a pipe.
func (f *Folder) Open(name string) (*os.File, error) {
	info, err := f.Stat(name)
	if err != nil || info == nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		if info, err = f.root.Stat(filepath.FromSlash(name)); err != nil {
			return nil, nil
		}
	}
	if !info.Mode().IsRegular() {
		return nil, nil
	}
	file, err := requireRegular(f.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|noWait, 0))
	return file, f.wrapError("open", name, err)
}

// Check returns an error if name cannot become a file.
func (f *Folder) Check(name string) error {
	info, err := f.Stat(name)
	switch {
	case err != nil:
		return err
	case info == nil, info.Mode().IsRegular(), info.Mode()&fs.ModeSymlink != 0:
		return nil
	case info.IsDir():
		return fmt.Errorf("output %q is a directory; choose another name", name)
	default:
		return fmt.Errorf("output %q is not a regular file; choose another name", name)
	}
}

// Draft writes what is to be the content of the file under name, and a phase of the
// commit puts it there. A file that holds data already is not touched, and has not
// changed. One that changes keeps its mode; a new one gets 0644 less the umask, and the
// folders that lead to it are made. info is the file as the commit leaves it, nil of one
// that a dry run would change.
func (f *Folder) Draft(phase int, name string, data []byte) (info fs.FileInfo, changed bool, err error) {
	if err := f.Check(name); err != nil {
		return nil, false, err
	}
	old, err := f.Open(name)
	if err != nil {
		return nil, false, err
	}
	if old != nil {
		defer old.Close()
		if info, err = old.Stat(); err != nil {
			return nil, false, f.wrapError("write", name, err)
		}
		if info.Size() == int64(len(data)) && continuesWith(old, data) {
			return info, false, nil
		}
	}
	switch {
	case f.dry:
		return nil, true, nil
	case f.missing != nil:
		return nil, true, f.missing
	}
	temp := f.tempName(name)
	if info, err = f.create(temp, data, info); err != nil {
		_ = f.root.Remove(temp)
		return nil, true, f.wrapError("write", name, err)
	}
	f.tx.changes = append(f.tx.changes, &change{folder: f, name: name, phase: phase, temp: temp})
	return info, true, nil
}

// window is how much of an old file is held at a time.
const window = 64 << 10

// continuesWith reports whether the rest of f equals data.
func continuesWith(f *os.File, data []byte) bool {
	buf := make([]byte, min(window, len(data)))
	for len(data) > 0 {
		n, _ := io.ReadFull(f, buf[:min(window, len(data))])
		if n == 0 || !bytes.Equal(buf[:n], data[:n]) {
			return false
		}
		data = data[n:]
	}
	return true
}

// create puts data safely on disk in a new file, with the mode of the old one if there is
// one, and makes the folders that lead there.
func (f *Folder) create(temp string, data []byte, old fs.FileInfo) (fs.FileInfo, error) {
	if dir := filepath.Dir(temp); dir != "." {
		if err := f.root.MkdirAll(dir, 0o755); err != nil {
			return nil, err
		}
	}
	file, err := f.root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	if old != nil {
		if err := file.Chmod(old.Mode().Perm()); err != nil {
			return nil, err
		}
	}
	if _, err := file.Write(data); err != nil {
		return nil, err
	}
	if err := file.Sync(); err != nil {
		return nil, err
	}
	info, err := file.Stat()
	if err != nil {
		return nil, err
	}
	return info, file.Close()
}

// Remove removes the file under name in a phase of the commit; it may be gone then.
func (f *Folder) Remove(phase int, name string) {
	if !f.dry && f.missing == nil {
		f.tx.changes = append(f.tx.changes, &change{folder: f, name: name, phase: phase})
	}
}

// remove removes the file under name at once.
func (f *Folder) remove(name string) error {
	err := f.root.Remove(filepath.FromSlash(name))
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return f.wrapError("remove", name, err)
}

// A virus scanner or an indexer on Windows may have a file open for a moment, and an open
// file cannot be renamed.
const (
	renameAttempts = 20
	renameDelay    = 50 * time.Millisecond
)

// rename moves a file inside of the folder. On Windows, it retries for a second.
func (f *Folder) rename(from, to string) error {
	err := f.root.Rename(from, to)
	for range renameAttempts {
		if err == nil || runtime.GOOS != "windows" {
			break
		}
		time.Sleep(renameDelay)
		err = f.root.Rename(from, to)
	}
	return err
}

// tempName returns the name, not slash-separated, of a temporary file beside name.
func (f *Folder) tempName(name string) string {
	return filepath.Join(filepath.FromSlash(path.Dir(name)), f.tx.token+"-"+strings.ToLower(rand.Text())+tempSuffix)
}

// clear removes the temporary files that a killed transaction left in the folder dir. It needs
// the lock, which proves that no transaction uses them.
func (f *Folder) clear(dir string) {
	if f.held == nil || f.cleared[dir] {
		return
	}
	f.cleared[dir] = true
	d, err := f.root.Open(filepath.FromSlash(dir))
	if err != nil {
		return
	}
	defer d.Close()
	names, _ := d.Readdirnames(-1)
	for _, name := range names {
		if strings.HasPrefix(name, TempPrefix) && strings.HasSuffix(name, tempSuffix) && !strings.HasPrefix(name, f.tx.token) {
			_ = f.remove(path.Join(dir, name)) // another user may own it
		}
	}
}

// path returns the path of the file under name.
func (f *Folder) path(name string) string { return filepath.Join(f.At, filepath.FromSlash(name)) }

// wrapError names the file of an error as the user knows it: by its path, and not as the
// temporary one beside it. A file whose own name begins as temporary ones do is named by
// its folder.
func (f *Folder) wrapError(op, name string, err error) error {
	if err == nil {
		return nil
	}
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	if at, ok := errors.AsType[*os.LinkError](err); ok {
		err = at.Err
	}
	if strings.HasPrefix(path.Base(name), TempPrefix) {
		name = path.Dir(name)
	}
	return &fs.PathError{Op: op, Path: f.path(name), Err: err}
}

// AsLeft reports whether a file is still the one that was left so, as far as can
// be told without reading it.
func AsLeft(info, left fs.FileInfo) bool {
	return os.SameFile(info, left) && info.Size() == left.Size() && info.ModTime().Equal(left.ModTime())
}

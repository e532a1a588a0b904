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

// TempPrefix is the beginning of the names of temporary files. By the prefix, a later transaction
// finds the files of a killed one, and readers ignore them.
const TempPrefix = ".sitewalk-"

const tempSuffix = ".tmp"

// A Folder is an open folder whose files a transaction changes. File names are slash-separated and
// cannot lead out of the folder, even through a symbolic link. The transaction removes the
// temporary files of a killed one before its first access to a file.
type Folder struct {
	Dir string // its absolute path

	tx      *Transaction
	root    *os.Root
	info    fs.FileInfo
	missing error    // why there is no root; nil: there is one
	dryRun  bool     // nothing is written
	held    *os.File // the lock; nil without a lock
	cleared map[string]bool
}

// MakeFolder creates the folder dir and its parents. Inside the publish directory, which must
// exist, it rejects a symbolic link that leads out.
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

// Stat returns information about name, or nil if name does not exist. It does not follow symbolic
// links.
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

// Open opens the regular file name for reading, or returns nil if the file does not exist. It
// never opens a device or a pipe.
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

// Check returns an error if name cannot be the name of a file.
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

// Draft writes data to a temporary file, which Commit moves to name in the given phase. changed is
// false if the file already contains data; the file then stays untouched. A changed file keeps its
// mode. A new file gets 0644 minus the umask, and Draft creates its folders. info describes the
// file after the commit. It is nil for a change in a dry run.
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
	case f.dryRun:
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

// compareSize is how much of an old file is held at a time.
const compareSize = 64 << 10

// continuesWith reports whether the rest of f equals data.
func continuesWith(f *os.File, data []byte) bool {
	buf := make([]byte, min(compareSize, len(data)))
	for len(data) > 0 {
		n, _ := io.ReadFull(f, buf[:min(compareSize, len(data))])
		if n == 0 || !bytes.Equal(buf[:n], data[:n]) {
			return false
		}
		data = data[n:]
	}
	return true
}

// create writes data to a new file temp and syncs the file. It uses the mode of old if old is not
// nil, and creates missing folders.
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

// Remove removes the file name in a phase of the commit. The file may already be missing by then.
func (f *Folder) Remove(phase int, name string) {
	if !f.dryRun && f.missing == nil {
		f.tx.changes = append(f.tx.changes, &change{folder: f, name: name, phase: phase})
	}
}

// remove removes the file name immediately.
func (f *Folder) remove(name string) error {
	err := f.root.Remove(filepath.FromSlash(name))
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return f.wrapError("remove", name, err)
}

// A virus scanner or an indexer on Windows may have a file open for a moment. Windows cannot
// rename an open file.
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

// tempName returns the name of a temporary file in the folder of name, with separators of the
// system.
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

// path returns the operating system path of the file name.
func (f *Folder) path(name string) string { return filepath.Join(f.Dir, filepath.FromSlash(name)) }

// wrapError adds the operation and the path of the file to err, instead of the path of its
// temporary file. If the file has the name of a temporary file, wrapError uses the path of its
// folder.
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

// AsLeft reports whether a file is probably unchanged since it had the state left. It does not
// read the file.
func AsLeft(info, left fs.FileInfo) bool {
	return os.SameFile(info, left) && info.Size() == left.Size() && info.ModTime().Equal(left.ModTime())
}

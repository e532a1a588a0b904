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
	"slices"
	"strings"
	"time"
)

// TempPrefix is the beginning of the names of all temporary files. Code that lists files ignores
// these names. If a process is killed, its temporary files remain. The next transaction in the same
// folder removes them.
const TempPrefix = ".sitewalk-"

const tempSuffix = ".tmp"

// A Folder is a folder in which a transaction reads and changes files. File names are relative to
// the folder and have slashes. A name that leads out of the folder, for example through a symbolic
// link to another folder, is an error.
type Folder struct {
	Dir string // absolute path

	tx       *Transaction
	root     *os.Root
	info     fs.FileInfo
	missing  error           // error of opening root; nil if the folder exists
	dryRun   bool            // write nothing
	lockFile *os.File        // locked file; nil without a lock
	cleared  map[string]bool // folders that removeStaleTemps has already cleared
}

// MakeFolder creates the folder dir and its parents. It does nothing if dir already exists. It
// creates a folder in publishDir only if publishDir exists, and returns an error if a symbolic link
// leads out of publishDir.
func MakeFolder(dir, publishDir string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	rel, inside := RelBelow(publishDir, dir)
	if !inside {
		return os.MkdirAll(dir, 0o755)
	}
	root, err := os.OpenRoot(publishDir)
	if err != nil {
		return err
	}
	defer root.Close()
	err = root.MkdirAll(rel, 0o755)
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return &fs.PathError{Op: pe.Op, Path: filepath.Join(publishDir, pe.Path), Err: pe.Err}
	}
	return err
}

// Stat returns information about the file name, or nil without an error if the file does not exist.
// It does not follow symbolic links. If f is locked, Stat also removes the temporary files of
// killed runs beside the file.
func (f *Folder) Stat(name string) (fs.FileInfo, error) {
	if f.missing != nil {
		return nil, nil
	}
	f.removeStaleTemps(path.Dir(name))
	info, err := f.root.Lstat(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return info, f.wrapError("stat", name, err)
}

// Names returns the names in the folder dir that begin with prefix. It returns no names and no
// error if dir does not exist. After an error, it returns the names that it has read until then.
func (f *Folder) Names(dir, prefix string) (names []string, err error) {
	if f.missing != nil {
		return nil, nil
	}
	d, err := f.root.Open(filepath.FromSlash(dir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, f.wrapError("open", dir, err)
	}
	defer d.Close()
	names, err = d.Readdirnames(-1)
	names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, prefix) })
	return names, f.wrapError("read", dir, err)
}

// Open opens the file name for reading. It follows a symbolic link within the folder. It returns
// nil without an error if the file does not exist, is not a regular file, or is a symbolic link
// that is broken or leads out of the folder.
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
	file, err := f.root.OpenFile(filepath.FromSlash(name), os.O_RDONLY|noWait, 0)
	return file, f.wrapError("open", name, err)
}

// CheckReplaceable returns an error if name is a folder or a special file, because Stage replaces
// only regular files and symbolic links. It also returns an error if Stat fails.
func (f *Folder) CheckReplaceable(name string) error {
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

// Stage writes data to a temporary file. Commit renames the temporary file to name in the given
// phase; lower phases come first. If the file name already has the content data, Stage does
// nothing, and changed is false.
//
// An existing file keeps its mode. A new file gets the mode 0644 minus the umask, and Stage creates
// its parent folders. info describes the file after the commit. In a dry run, info is nil for a
// changed file.
func (f *Folder) Stage(phase int, name string, data []byte) (info fs.FileInfo, changed bool, err error) {
	if err := f.CheckReplaceable(name); err != nil {
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
		if info.Size() == int64(len(data)) && nextBytesEqual(old, data) {
			return info, false, nil
		}
	}
	switch {
	case f.dryRun:
		return nil, true, nil
	case f.missing != nil:
		return nil, true, f.missing
	}
	info, err = f.stageWith(phase, name, info, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
	return info, true, err
}

// stageWith is like Stage, but calls write to write the content, and does not compare the content
// with the existing file. old describes the existing file; it is nil if there is none.
func (f *Folder) stageWith(phase int, name string, old fs.FileInfo, write func(io.Writer) error) (fs.FileInfo, error) {
	temp := f.tempName(name)
	info, err := f.createTemp(temp, old, write)
	if err != nil {
		_ = f.root.Remove(temp)
		return nil, f.wrapError("write", name, err)
	}
	f.tx.changes = append(f.tx.changes, &change{folder: f, name: name, phase: phase, temp: temp})
	return info, nil
}

// compareSize is the size in bytes of the buffer that nextBytesEqual reads a file into.
const compareSize = 64 << 10

// nextBytesEqual reads from f, and reports whether the next bytes are equal to data.
func nextBytesEqual(f *os.File, data []byte) bool {
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

// createTemp creates the file temp, calls write to write its content, and syncs it to disk. It also
// creates the parent folders. The file gets the mode of old, or 0644 minus the umask if old is nil.
// createTemp returns information about the new file.
func (f *Folder) createTemp(temp string, old fs.FileInfo, write func(io.Writer) error) (fs.FileInfo, error) {
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
	if err := write(file); err != nil {
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

// StageRemoval makes Commit remove the file name in the given phase. It is no error if the file
// does not exist at that time. In a dry run, StageRemoval does nothing.
func (f *Folder) StageRemoval(phase int, name string) {
	if !f.dryRun && f.missing == nil {
		f.tx.changes = append(f.tx.changes, &change{folder: f, name: name, phase: phase})
	}
}

// removeNow removes the file name at once, unlike StageRemoval. A missing file is no error.
func (f *Folder) removeNow(name string) error {
	err := f.root.Remove(filepath.FromSlash(name))
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return f.wrapError("remove", name, err)
}

// The number of retries of a rename on Windows, and the delay before each. Windows cannot rename an
// open file, and a virus scanner or an indexer may have the file open for a moment.
const (
	renameRetries = 20
	renameDelay   = 50 * time.Millisecond
)

// renameWithRetry renames a file in the folder. On Windows, it retries for one second.
func (f *Folder) renameWithRetry(from, to string) error {
	err := f.root.Rename(from, to)
	for range renameRetries {
		if err == nil || runtime.GOOS != "windows" {
			break
		}
		time.Sleep(renameDelay)
		err = f.root.Rename(from, to)
	}
	return err
}

// tempName returns a new name for a temporary file in the folder of the file name, such as
// "blog/.sitewalk-abc-def.tmp" for "blog/a.html". The result has the path separators of the system.
func (f *Folder) tempName(name string) string {
	return filepath.Join(filepath.FromSlash(path.Dir(name)), f.tx.token+"-"+strings.ToLower(rand.Text())+tempSuffix)
}

// removeStaleTemps removes the temporary files that a killed process left in the folder dir. It
// does nothing without the lock, because another process may still use its temporary files.
func (f *Folder) removeStaleTemps(dir string) {
	if f.lockFile == nil || f.cleared[dir] {
		return
	}
	f.cleared[dir] = true
	names, _ := f.Names(dir, TempPrefix) // a folder that cannot be read keeps its files
	for _, name := range names {
		if strings.HasSuffix(name, tempSuffix) && !strings.HasPrefix(name, f.tx.token) {
			_ = f.removeNow(path.Join(dir, name)) // fails if another user owns the file
		}
	}
}

// absPath returns the absolute path of the file name with the path separators of the system.
func (f *Folder) absPath(name string) string { return filepath.Join(f.Dir, filepath.FromSlash(name)) }

// wrapError returns err as an fs.PathError with the operation op and the path of the file name, or
// nil if err is nil. The path in err is dropped, because it may be the path of a temporary file. If
// name itself is a temporary file, wrapError uses the path of its folder.
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
	return &fs.PathError{Op: op, Path: f.absPath(name), Err: err}
}

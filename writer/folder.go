package writer

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/lock"
)

// TempPrefix begins the names of files that are being written, so that a run
// can remove what a killed one left behind, and no reader takes them for the site's.
const TempPrefix = ".sitewalk-"

const tempSuffix = ".tmp"

// A folder is where files are put; no name leads out of it, not even through a
// symbolic link.
type folder struct {
	*os.Root
	at    string   // its absolute path
	dry   bool     // nothing is written
	held  *os.File // what is locked for it; nil when nothing is
	token string   // how the names of temporary files of this transaction begin
}

// MakeFolder makes a folder and what leads to it, but not the publish directory, and
// none that a symbolic link in that leads out to.
func MakeFolder(dir, publish string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	rel, inside := files.Below(publish, dir)
	if !inside {
		return os.MkdirAll(dir, 0o755)
	}
	root, err := files.Root(publish)
	if err != nil {
		return err
	}
	defer root.Close()
	return below(publish, root.MkdirAll(rel, 0o755))
}

// openFolder opens the folder at dir. A dry folder that does not exist has no
// Root and is empty.
func openFolder(dir string, dry bool) (*folder, error) {
	at, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root, err := files.Root(at)
	if dry && errors.Is(err, fs.ErrNotExist) {
		return &folder{at: at, dry: true}, nil
	}
	if err != nil {
		return nil, err
	}
	return &folder{Root: root, at: at, dry: dry}, nil
}

// Close unlocks and closes the folder, not its drafts.
func (d *folder) Close() error {
	if d.held != nil {
		_ = d.held.Close()
	}
	if d.Root == nil {
		return nil
	}
	return d.Root.Close()
}

// stat returns what stands under name itself, or nil when nothing does.
func (d *folder) stat(name string) (fs.FileInfo, error) {
	if d.Root == nil {
		return nil, nil
	}
	info, err := d.Lstat(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return info, err
}

// open opens the regular file under name for reading, or returns nil when there
// is none; it never opens a device or a pipe, and follows no link out of d.
func (d *folder) open(name string) (*os.File, error) {
	info, err := d.stat(name)
	if err != nil || info == nil {
		return nil, err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		if info, err = d.Stat(filepath.FromSlash(name)); err != nil {
			return nil, nil
		}
	}
	if !info.Mode().IsRegular() {
		return nil, nil
	}
	return files.OpenIn(d.Root, name)
}

// tempName returns the name, not slash-separated, of a temporary file beside name.
func (d *folder) tempName(name string) string {
	return filepath.Join(filepath.FromSlash(path.Dir(name)), d.token+"-"+strings.ToLower(rand.Text())+tempSuffix)
}

// stray is how old a temporary file is at least that a folder without a lock is
// cleared of: no run writes for so long.
const stray = time.Hour

// clear removes the temporary files below sub that are not of this transaction.
// The lock proves that no other transaction needs them.
func (d *folder) clear(sub string) error {
	if d.Root == nil || d.dry {
		return nil
	}
	f, err := d.Open(filepath.FromSlash(sub))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	for _, name := range names {
		if strings.HasPrefix(name, TempPrefix) && strings.HasSuffix(name, tempSuffix) && !strings.HasPrefix(name, d.token) {
			name = path.Join(sub, name)
			if info, err := d.stat(name); err == nil && info != nil && (d.held != nil || time.Since(info.ModTime()) > stray) {
				_ = d.remove(name) // it may be another user's
			}
		}
	}
	return err
}

// remove removes the file under name; it may be gone already.
func (d *folder) remove(name string) error {
	if d.dry {
		return nil
	}
	err := d.Remove(filepath.FromSlash(name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return d.blame("remove", name, err)
}

// blame names the file of an error as the user knows it: by its path, and not as
// the temporary one beside it.
func (d *folder) blame(op, name string, err error) error {
	if err == nil {
		return nil
	}
	if at, ok := errors.AsType[*fs.PathError](err); ok {
		err = at.Err
	}
	if at, ok := errors.AsType[*os.LinkError](err); ok {
		err = at.Err
	}
	return &fs.PathError{Op: op, Path: filepath.Join(d.at, filepath.FromSlash(name)), Err: err}
}

// check returns an error when name cannot become a file of d.
func (d *folder) check(name string) error {
	info, err := d.stat(name)
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

// below names the file of an error by its path, where it is relative to a folder
// that was opened.
func below(dir string, err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok && !filepath.IsAbs(pe.Path) {
		return &fs.PathError{Op: pe.Op, Path: filepath.Join(dir, filepath.FromSlash(pe.Path)), Err: pe.Err}
	}
	return err
}

// maxWait is longer than a run writes into a folder that it has locked.
const maxWait = time.Minute

// shortWait is for files that may be written without a lock.
const shortWait = 2 * time.Second

var (
	errBusy     = errors.New("another process has kept this folder locked for a minute, such as a build of sitewalk; run this again when it has ended")
	errBusyFile = errors.New("another build of sitewalk has kept this file locked for a minute; run this again when it has ended")
)

// lock keeps other runs out of the folder until it is closed or this process ends.
func (d *folder) lock(ctx context.Context, patience time.Duration) (err error) {
	d.held, err = lock.Folder(ctx, d.at, func() (*os.File, error) { return d.Open(".") }, patience)
	if errors.Is(err, lock.ErrHeld) {
		return &fs.PathError{Op: "lock", Path: d.at, Err: errBusy}
	}
	return err
}

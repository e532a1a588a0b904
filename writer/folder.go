package writer

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// TempPrefix begins the names of files that are being written, so that a run
// can clear away what a killed one left behind, and so that nobody takes them
// for the site's.
const TempPrefix = ".sitewalk-"

const tempSuffix = ".tmp"

// A folder is where files are put; no name leads out of it, not even through a
// symbolic link.
type folder struct {
	*os.Root
	dry bool // nothing is written
}

// open opens the folder to write into. It makes that and what leads to it, but
// not the publish directory.
func (o *Options) open() (*folder, error) {
	d, err := openFolder(o.Dir, o.DryRun)
	if !errors.Is(err, fs.ErrNotExist) {
		return d, err
	}
	if err := MakeFolder(o.Dir, o.Publish); err != nil {
		return nil, err
	}
	return openFolder(o.Dir, o.DryRun)
}

// MakeFolder makes a folder and what leads to it, but not the publish directory, and
// none that a symbolic link in that leads out to.
func MakeFolder(dir, publish string) error {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return nil
	}
	rel, err := filepath.Rel(publish, dir)
	if publish == "" || err != nil || !filepath.IsLocal(rel) {
		return os.MkdirAll(dir, 0o755)
	}
	root, err := os.OpenRoot(publish)
	if err != nil {
		return err
	}
	defer root.Close()
	return below(publish, root.MkdirAll(rel, 0o755))
}

// openFolder opens the folder at dir. A dry folder that does not exist has no
// Root and is empty.
func openFolder(dir string, dry bool) (*folder, error) {
	root, err := os.OpenRoot(dir)
	if dry && errors.Is(err, fs.ErrNotExist) {
		return &folder{dry: true}, nil
	}
	if err != nil {
		return nil, err
	}
	return &folder{root, dry}, nil
}

// Close closes the folder, not its drafts.
func (d *folder) Close() error {
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
	return d.Open(filepath.FromSlash(name))
}

// temp creates an empty file beside name, with the mode that a new file gets,
// and makes the folders that lead there.
func (d *folder) temp(name string) (*os.File, string, error) {
	dir := path.Dir(name)
	if dir != "." {
		if err := d.MkdirAll(filepath.FromSlash(dir), 0o755); err != nil {
			return nil, "", err
		}
	}
	base := fmt.Sprintf("%s%d-%s%s", TempPrefix, os.Getpid(), strings.ToLower(rand.Text()), tempSuffix)
	temp := filepath.FromSlash(path.Join(dir, base))
	f, err := d.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return nil, "", err
	}
	return f, temp, nil
}

// clear removes the temporary files that a killed run left below sub.
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
	if err != nil {
		return err
	}
	for _, name := range names {
		if !strings.HasPrefix(name, TempPrefix) || !strings.HasSuffix(name, tempSuffix) || d.inUse(path.Join(sub, name)) {
			continue
		}
		if err := d.remove(path.Join(sub, name)); err != nil {
			return err
		}
	}
	return nil
}

// maxRun is longer than any run writes. A temporary file that is older belongs
// to nobody, whatever process has its number by now.
const maxRun = time.Hour

// inUse reports whether a temporary file belongs to another run that goes on,
// such as a build beside a watch. The name holds the number of its process.
func (d *folder) inUse(name string) bool {
	number, _, _ := strings.Cut(strings.TrimPrefix(path.Base(name), TempPrefix), "-")
	pid, err := strconv.Atoi(number)
	if err != nil || pid <= 0 || pid == os.Getpid() || !running(pid) {
		return false
	}
	info, err := d.stat(name)
	return err == nil && info != nil && time.Since(info.ModTime()) < maxRun
}

// running reports whether a process is there. Windows finds only those that
// are; elsewhere signal 0 asks and does nothing, see kill(2).
func running(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil || runtime.GOOS == "windows" {
		return err == nil
	}
	defer func() { _ = p.Release() }()
	err = p.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, fs.ErrPermission)
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
	return err
}

// sync makes the renames and removals below sub outlast a power cut, as far as
// the system lets a directory be synced: some refuse, and then nothing is lost
// but that promise.
func (d *folder) sync(sub string) {
	if d.dry {
		return
	}
	if f, err := d.Open(filepath.FromSlash(sub)); err == nil {
		_ = f.Sync()
		_ = f.Close()
	}
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

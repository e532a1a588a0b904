package engine

import (
	"errors"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/commit"
	"github.com/sitewalk/sitewalk/internal/files"
)

// ownFiles are those that we wrote, by path, as we left them.
type ownFiles map[string]fs.FileInfo

// with returns the files of a build; those of an earlier one stay when it did
// not come to its end.
func (o ownFiles) with(r *Build, whole bool) ownFiles {
	out := ownFiles{}
	if !whole {
		maps.Copy(out, o)
	}
	for _, f := range r.Files.Files {
		if f.Info != nil {
			out[filepath.Join(r.Settings.Writer.Dir, filepath.FromSlash(f.Name))] = f.Info
		}
	}
	if to := r.Settings.LedgerTo; to != "" && whole {
		if info, err := os.Stat(to); err == nil {
			out[to] = info
		}
	}
	return out
}

// owns reports whether what is at a path is our own work, finished or not.
func (o ownFiles) owns(name string) bool {
	return o.intact(name) || strings.HasPrefix(filepath.Base(name), commit.TempPrefix)
}

// intact reports whether a file is one of ours and as we left it.
func (o ownFiles) intact(name string) bool {
	left, ok := o[name]
	if !ok {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && commit.AsLeft(info, left)
}

// areBelow reports whether one of our files lies below a folder.
func (o ownFiles) areBelow(dir string) bool {
	for name := range o {
		if files.Within(dir, name) {
			return true
		}
	}
	return false
}

// firstSpoiled returns the name of the first of our files that is not as we left it;
// "" is none.
func (o ownFiles) firstSpoiled() string {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !o.intact(name) {
			return name
		}
	}
	return ""
}

// missing returns how many are not there, nor anything else in their place.
func (o ownFiles) missing() (n int) {
	for name := range o {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			n++
		}
	}
	return n
}

// errWiped says that somebody deletes our files while they are written.
var errWiped = errors.New("the files of an earlier build are being deleted")

// stay returns a check that no file that is there now was deleted since. What
// deletes one of ours most likely deletes the folder, and fails when it finds a
// file that was not there when it looked.
func (o ownFiles) stay() func() error {
	before := o.missing()
	return func() error {
		if o.missing() > before {
			return errWiped
		}
		return nil
	}
}

// digests are of files by path; that of a missing file is 0.
type digests map[string]uint64

func digestsOf(names []string) digests {
	d := digests{}
	for _, name := range names {
		d[name] = digest(name)
	}
	return d
}

func digest(name string) uint64 {
	info, err := os.Stat(name)
	if err != nil {
		return 0
	}
	h := fnv.New64a()
	io.WriteString(h, info.Mode().String())     // a file that may not be read is another one than none
	if f, err := files.Open(name); err == nil { // of a regular file only
		_, _ = io.Copy(h, f)
		f.Close()
	}
	return h.Sum64()
}

// differs reports whether a file is one of these and is another one now.
func (d digests) differs(name string) bool {
	was, ok := d[name]
	return ok && was != digest(name)
}

func (d digests) any() bool {
	for name := range d {
		if d.differs(name) {
			return true
		}
	}
	return false
}

// accept brings the digests of our own files up to date, and those of folders that came
// with them, so that our changes are none.
func (d digests) accept(own ownFiles) {
	for name, was := range d {
		if own.intact(name) || was == 0 && own.areBelow(name) {
			d[name] = digest(name)
		}
	}
}

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

	"github.com/sitewalk/sitewalk/internal/files"
)

// ownFiles maps the paths of the files that we wrote to their state after that.
type ownFiles map[string]fs.FileInfo

// with returns the files of a build. If the build did not complete, the files of
// earlier builds stay.
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

// owns reports whether a file is one of ours, finished or not.
func (o ownFiles) owns(name string) bool {
	return o.intact(name) || strings.HasPrefix(filepath.Base(name), files.TempPrefix)
}

// intact reports whether a file is one of ours and unchanged.
func (o ownFiles) intact(name string) bool {
	left, ok := o[name]
	if !ok {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && files.AsLeft(info, left)
}

// areBelow reports whether one of our files is below a folder.
func (o ownFiles) areBelow(dir string) bool {
	for name := range o {
		if files.Within(dir, name) {
			return true
		}
	}
	return false
}

// firstSpoiled returns the first of our files that was changed or deleted; "" is
// none.
func (o ownFiles) firstSpoiled() string {
	for _, name := range slices.Sorted(maps.Keys(o)) {
		if !o.intact(name) {
			return name
		}
	}
	return ""
}

// missing returns the number of deleted files.
func (o ownFiles) missing() (n int) {
	for name := range o {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			n++
		}
	}
	return n
}

// errWiped reports that a program deletes our files while they are written.
var errWiped = errors.New("the files of an earlier build are being deleted")

// stay returns a check that none of the files was deleted since this call. A
// program that deletes one of our files probably deletes the folder, and fails if a
// file appears in it meanwhile.
func (o ownFiles) stay() func() error {
	before := o.missing()
	return func() error {
		if o.missing() > before {
			return errWiped
		}
		return nil
	}
}

// digests maps paths to hashes of files. A missing file has 0.
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
	io.WriteString(h, info.Mode().String())     // tells an unreadable file from a missing one
	if f, err := files.Open(name); err == nil { // of a regular file only
		_, _ = io.Copy(h, f)
		f.Close()
	}
	return h.Sum64()
}

// haveChanged reports whether any of the files has another hash now.
func (d digests) haveChanged() bool {
	for name, was := range d {
		if was != digest(name) {
			return true
		}
	}
	return false
}

// accept updates the hashes of our own files, and of folders that we made for
// them, so that our writes do not count as changes.
func (d digests) accept(own ownFiles) {
	for name, was := range d {
		if own.intact(name) || was == 0 && own.areBelow(name) {
			d[name] = digest(name)
		}
	}
}

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

// ownFiles maps the paths of written files to their state after writing.
type ownFiles map[string]fs.FileInfo

// with returns the written files of a build. If the build is not complete, the result also
// contains the files of earlier builds.
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

// owns reports whether name is an unchanged written file or a temporary file of sitewalk.
func (o ownFiles) owns(name string) bool {
	return o.intact(name) || strings.HasPrefix(filepath.Base(name), files.TempPrefix)
}

// intact reports whether name is a written file and unchanged.
func (o ownFiles) intact(name string) bool {
	left, ok := o[name]
	if !ok {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && files.AsLeft(info, left)
}

// areBelow reports whether a written file is below a folder.
func (o ownFiles) areBelow(dir string) bool {
	for name := range o {
		if files.Within(dir, name) {
			return true
		}
	}
	return false
}

// firstSpoiled returns the first written file, by name, that was changed or deleted, or "".
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

// errWiped reports that another program deletes the written files during a build.
var errWiped = errors.New("the files of an earlier build are being deleted")

// stay returns a function that returns errWiped if files were deleted since the call of stay. A
// program that deletes one file probably deletes the whole folder, and fails if a new file
// appears in the folder.
func (o ownFiles) stay() func() error {
	before := o.missing()
	return func() error {
		if o.missing() > before {
			return errWiped
		}
		return nil
	}
}

// digests maps paths to hashes of files. The hash of a missing file is 0.
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
	io.WriteString(h, info.Mode().String())     // an unreadable file differs from a missing one
	if f, err := files.Open(name); err == nil { // only a regular file
		_, _ = io.Copy(h, f)
		f.Close()
	}
	return h.Sum64()
}

// haveChanged reports whether the hash of any file has changed.
func (d digests) haveChanged() bool {
	for name, was := range d {
		if was != digest(name) {
			return true
		}
	}
	return false
}

// accept updates the hashes of written files and of folders created for them. The writes of
// sitewalk then do not count as changes.
func (d digests) accept(own ownFiles) {
	for name, was := range d {
		if own.intact(name) || was == 0 && own.areBelow(name) {
			d[name] = digest(name)
		}
	}
}

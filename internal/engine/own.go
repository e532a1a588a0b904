package engine

import (
	"errors"
	"hash/fnv"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
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
	return err == nil && files.IsUnchanged(info, left)
}

// spoiled reports whether a written file was changed or deleted.
func (o ownFiles) spoiled() bool {
	for name := range o {
		if !o.intact(name) {
			return true
		}
	}
	return false
}

// missing reports whether a written file was deleted.
func (o ownFiles) missing() bool {
	for name := range o {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// A stamp is the state of a file or folder without its content. The stamp of a missing file is
// zero.
type stamp struct {
	mode    fs.FileMode
	size    int64
	modTime int64 // in nanoseconds
}

func stampOf(name string) stamp {
	info, err := os.Stat(name)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Mode(), info.Size(), info.ModTime().UnixNano()}
}

func stampsOf(names []string) map[string]stamp {
	stamps := map[string]stamp{}
	for _, name := range names {
		stamps[name] = stampOf(name)
	}
	return stamps
}

// A digest is the state of a file with a hash of its content. The hash of a folder depends on
// its mode alone.
type digest struct {
	stamp stamp
	sum   uint64
}

func digestOf(name string) digest {
	d := digest{stamp: stampOf(name)}
	if d.stamp == (stamp{}) {
		return d
	}
	h := fnv.New64a()
	io.WriteString(h, d.stamp.mode.String())    // an unreadable file differs from a missing one
	if f, err := files.Open(name); err == nil { // only a regular file
		_, _ = io.Copy(h, f)
		f.Close()
	}
	d.sum = h.Sum64()
	return d
}

// digests maps paths to the states of files.
type digests map[string]digest

func digestsOf(names []string) digests {
	d := digests{}
	for _, name := range names {
		d[name] = digestOf(name)
	}
	return d
}

// haveChanged reports whether the content of any file has changed. It reads only files with a
// new stamp.
func (d digests) haveChanged() bool {
	for name, before := range d {
		if stampOf(name) == before.stamp {
			continue
		}
		now := digestOf(name)
		if now.sum != before.sum {
			return true
		}
		d[name] = now
	}
	return false
}

// equal reports whether both have the same files with the same content.
func (d digests) equal(other digests) bool {
	return maps.EqualFunc(d, other, func(a, b digest) bool { return a.sum == b.sum })
}

// accept updates the states of written files and of the folders that contain them. The writes
// of sitewalk then do not count as changes.
func (d digests) accept(own ownFiles) {
	for file := range own {
		for _, name := range []string{file, filepath.Dir(file)} {
			if _, ok := d[name]; ok && own.intact(file) {
				d[name] = digestOf(name)
			}
		}
	}
}

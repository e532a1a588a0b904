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

// ownFiles contains the files that sitewalk wrote, by path, as they were after writing.
type ownFiles map[string]fs.FileInfo

// with returns the files that the build r wrote. If whole is false, the build failed, and the
// result also contains the files in o.
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

// owns reports whether the file called name is one that sitewalk wrote, and unchanged since, or a
// temporary file of sitewalk.
func (o ownFiles) owns(name string) bool {
	return o.intact(name) || strings.HasPrefix(filepath.Base(name), files.TempPrefix)
}

// intact reports whether sitewalk wrote the file called name, and it is unchanged since.
func (o ownFiles) intact(name string) bool {
	left, ok := o[name]
	if !ok {
		return false
	}
	info, err := os.Stat(name)
	return err == nil && files.IsUnchanged(info, left)
}

// spoiled reports whether any file in o was changed or deleted after sitewalk wrote it.
func (o ownFiles) spoiled() bool {
	for name := range o {
		if !o.intact(name) {
			return true
		}
	}
	return false
}

// missing reports whether any file in o was deleted.
func (o ownFiles) missing() bool {
	for name := range o {
		if _, err := os.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return true
		}
	}
	return false
}

// A stamp describes a file or folder without its content. A changed file usually has another stamp.
// The stamp of a missing file is zero.
type stamp struct {
	mode    fs.FileMode
	size    int64
	modTime int64 // nanoseconds since 1970
}

// stampOf returns the stamp of the file or folder called name.
func stampOf(name string) stamp {
	info, err := os.Stat(name)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Mode(), info.Size(), info.ModTime().UnixNano()}
}

// stampsOf returns the stamps of the named files.
func stampsOf(names []string) map[string]stamp {
	stamps := map[string]stamp{}
	for _, name := range names {
		stamps[name] = stampOf(name)
	}
	return stamps
}

// A digest is a stamp together with a hash of the file's content. The hash of a folder depends only
// on its mode.
type digest struct {
	stamp stamp
	sum   uint64 // hash of mode and content; 0 if the file is missing
}

// digestOf returns the digest of the file or folder called name.
func digestOf(name string) digest {
	d := digest{stamp: stampOf(name)}
	if d.stamp == (stamp{}) {
		return d
	}
	h := fnv.New64a()
	io.WriteString(h, d.stamp.mode.String())    // gives an unreadable file another hash than a missing one
	if f, err := files.Open(name); err == nil { // opens only regular files
		_, _ = io.Copy(h, f)
		f.Close()
	}
	d.sum = h.Sum64()
	return d
}

// digests contains the digests of files and folders, by path.
type digests map[string]digest

// digestsOf returns the digests of the named files.
func digestsOf(names []string) digests {
	d := digests{}
	for _, name := range names {
		d[name] = digestOf(name)
	}
	return d
}

// haveChanged reports whether the content of any file differs from its digest. It reads only files
// whose stamp has changed, and updates the digests of files that are the same.
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

// equal reports whether d and other contain the same files with the same content.
func (d digests) equal(other digests) bool {
	return maps.EqualFunc(d, other, func(a, b digest) bool { return a.sum == b.sum })
}

// accept updates the digests of the files that sitewalk wrote, and of their folders, so that its
// own writes do not count as changes.
func (d digests) accept(own ownFiles) {
	for file := range own {
		for _, name := range []string{file, filepath.Dir(file)} {
			if _, ok := d[name]; ok && own.intact(file) {
				d[name] = digestOf(name)
			}
		}
	}
}

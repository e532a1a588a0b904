package engine

import (
	"hash/fnv"
	"io"
	"io/fs"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
)

// A stamp contains the mode, the size and the modification time of a file or folder. It usually
// changes when the file changes. The stamp of a missing file is the zero stamp.
type stamp struct {
	mode    fs.FileMode
	size    int64
	modTime int64 // Unix time in nanoseconds
}

// readStamp returns the stamp of the file or folder called name.
func readStamp(name string) stamp {
	info, err := os.Stat(name)
	if err != nil {
		return stamp{}
	}
	return newStamp(info)
}

func newStamp(info fs.FileInfo) stamp {
	return stamp{info.Mode(), info.Size(), info.ModTime().UnixNano()}
}

func readStamps(names []string) map[string]stamp {
	stamps := map[string]stamp{}
	for _, name := range names {
		stamps[name] = readStamp(name)
	}
	return stamps
}

// ownFiles contains the files that sitewalk wrote, by path, with their stamps after writing.
type ownFiles map[string]stamp

// withWritten returns the files that the given build wrote: the output files, even if their content
// did not change, and the ledger. If the build did not succeed, the result also contains the files
// in o, because the build may not have replaced them.
func (o ownFiles) withWritten(build *Build, succeeded bool) ownFiles {
	out := ownFiles{}
	if !succeeded {
		maps.Copy(out, o)
	}
	for _, f := range build.Files {
		if f.Info != nil {
			out[filepath.Join(build.Settings.Writer.Dir, filepath.FromSlash(f.Name))] = newStamp(f.Info)
		}
	}
	if to := build.Settings.LedgerTo; succeeded && FileExists(to) {
		out[to] = readStamp(to)
	}
	return out
}

// ownsFile reports whether sitewalk wrote the file called name, and the file is unchanged since. It
// also returns true for a temporary file of sitewalk.
func (o ownFiles) ownsFile(name string) bool {
	written, ok := o[name]
	return ok && readStamp(name) == written || strings.HasPrefix(filepath.Base(name), files.TempPrefix)
}

// readNow returns the current stamps of the files in o.
func (o ownFiles) readNow() map[string]stamp { return readStamps(slices.Collect(maps.Keys(o))) }

// hasChangedFile reports whether a file in o was changed or deleted after sitewalk wrote it.
func (o ownFiles) hasChangedFile() bool { return !maps.Equal(o, o.readNow()) }

// hasMissingFile reports whether a file in o was deleted.
func (o ownFiles) hasMissingFile() bool {
	return slices.Contains(slices.Collect(maps.Values(o.readNow())), stamp{})
}

// A digest is a stamp with a hash of the file's content. For a folder, the hash covers only its
// mode.
type digest struct {
	stamp stamp
	sum   uint64 // hash of mode and content; 0 if the file is missing
}

// readDigest returns the digest of the file or folder called name.
func readDigest(name string) digest {
	d := digest{stamp: readStamp(name)}
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

func readDigests(names iter.Seq[string]) digests {
	d := digests{}
	for name := range names {
		d[name] = readDigest(name)
	}
	return d
}

// haveFilesChanged reports whether the content of a file differs from its digest. It reads only
// files whose stamp has changed. If their content is the same, it updates their digests.
func (d digests) haveFilesChanged() bool {
	for name, before := range d {
		if readStamp(name) == before.stamp {
			continue
		}
		now := readDigest(name)
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

// updateOwnFiles updates the digests of files in own, and of their folders, so that sitewalk's own
// writes do not count as changes.
func (d digests) updateOwnFiles(own ownFiles) {
	for file := range own {
		for _, name := range []string{file, filepath.Dir(file)} {
			if _, ok := d[name]; ok && own.ownsFile(file) {
				d[name] = readDigest(name)
			}
		}
	}
}

package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
)

// lookups is the set of paths that the resolver looked for, whether the files exist or not. A nil
// lookups records nothing.
type lookups map[string]bool

// record adds the path name to l, if l is not nil.
func (l lookups) record(name string) {
	if l != nil {
		l[name] = true
	}
}

// isFolder reports whether name is an existing folder. It records name in l whether the folder
// exists or not.
func (l lookups) isFolder(name string) bool {
	l.record(name)
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// recordingFolder returns the files in dir as a file system. When a file in this file system is
// opened, or its file info is read, the path of the file is added to l.
func (l lookups) recordingFolder(dir string) fs.FS {
	if l == nil {
		return files.DirFS(dir)
	}
	return recordingFS{files.DirFS(dir), dir, l}
}

// A recordingFS adds the path of each file that Open or Stat looks up to its lookups. ReadDir adds
// nothing.
type recordingFS struct {
	fs.FS
	dir     string
	lookups lookups
}

func (r recordingFS) recordInFolder(name string) {
	r.lookups.record(filepath.Join(r.dir, filepath.FromSlash(name)))
}

func (r recordingFS) Open(name string) (fs.File, error) {
	r.recordInFolder(name)
	return r.FS.Open(name)
}

func (r recordingFS) Stat(name string) (fs.FileInfo, error) {
	r.recordInFolder(name)
	return fs.Stat(r.FS, name)
}

func (r recordingFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(r.FS, name) }

// displayName returns the path p as the user would type it: relative to the working directory, with
// slashes. It returns p, with slashes, if the relative path would begin with "../../".
func (f *finder) displayName(p string) string {
	rel, err := filepath.Rel(f.Dir, p)
	if far := filepath.FromSlash("../../"); err != nil || strings.HasPrefix(rel, far) {
		return filepath.ToSlash(p)
	}
	return filepath.ToSlash(rel)
}

package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
)

// lookups contains the paths of all files that the resolver looked for, existing or not. A nil
// lookups records nothing.
type lookups map[string]bool

// record adds the path name to l.
func (l lookups) record(name string) {
	if l != nil {
		l[name] = true
	}
}

// isFolder reports whether name is an existing folder, and adds name to l.
func (l lookups) isFolder(name string) bool {
	l.record(name)
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// folder returns a file system of the files in dir that adds the path of each looked-up file to l.
func (l lookups) folder(dir string) fs.FS {
	if l == nil {
		return files.DirFS(dir)
	}
	return recordingFS{files.DirFS(dir), dir, l}
}

// A recordingFS is a file system that adds the path of each file passed to Open or Stat to lookups.
// ReadDir adds nothing.
type recordingFS struct {
	fs.FS
	dir     string
	lookups lookups
}

func (r recordingFS) record(name string) {
	r.lookups.record(filepath.Join(r.dir, filepath.FromSlash(name)))
}

func (r recordingFS) Open(name string) (fs.File, error) {
	r.record(name)
	return r.FS.Open(name)
}

func (r recordingFS) Stat(name string) (fs.FileInfo, error) {
	r.record(name)
	return fs.Stat(r.FS, name)
}

func (r recordingFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(r.FS, name) }

// displayName returns the path p relative to the working directory, with slashes. It returns an
// absolute path if p is more than one folder above the working directory.
func (f *finder) displayName(p string) string {
	rel, err := filepath.Rel(f.Dir, p)
	if far := filepath.FromSlash("../../"); err != nil || strings.HasPrefix(rel, far) {
		return filepath.ToSlash(p)
	}
	return filepath.ToSlash(rel)
}

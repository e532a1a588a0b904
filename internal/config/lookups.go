package config

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sitewalk/sitewalk/internal/files"
)

// lookups are the paths of files that were looked for, whether they exist or not. A nil
// lookups records nothing.
type lookups map[string]bool

// record records the lookup of a file.
func (l lookups) record(name string) {
	if l != nil {
		l[name] = true
	}
}

// isFolder reports whether name is a folder. It records the lookup.
func (l lookups) isFolder(name string) bool {
	l.record(name)
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// folder returns the files of a folder as a file system that records each lookup.
func (l lookups) folder(dir string) fs.FS {
	if l == nil {
		return files.Tree(dir)
	}
	return recordingFS{files.Tree(dir), dir, l}
}

// A recordingFS is a file system that records which files are opened or described. It does not
// record listings.
type recordingFS struct {
	fs.FS
	dir     string
	lookups lookups
}

func (n recordingFS) record(name string) {
	n.lookups.record(filepath.Join(n.dir, filepath.FromSlash(name)))
}

func (n recordingFS) Open(name string) (fs.File, error) {
	n.record(name)
	return n.FS.Open(name)
}

func (n recordingFS) Stat(name string) (fs.FileInfo, error) {
	n.record(name)
	return fs.Stat(n.FS, name)
}

func (n recordingFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(n.FS, name) }

// displayName returns a path as the user would type it: relative to the working folder, unless it is
// far away.
func (f *finder) displayName(p string) string {
	rel, err := filepath.Rel(f.Dir, p)
	if far := filepath.FromSlash("../../"); err != nil || strings.HasPrefix(rel, far) {
		return filepath.ToSlash(p)
	}
	return filepath.ToSlash(rel)
}

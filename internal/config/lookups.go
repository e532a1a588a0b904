package config

import (
	"io/fs"
	"maps"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/internal/files"
)

// lookups are the files that were looked for, whether they exist or not, by
// path.
type lookups map[string]bool

// dir returns the files of a folder as a file system that records each file it
// is asked for.
func (a lookups) dir(dir string) fs.FS { return noteFS{files.Tree(dir), dir, a} }

func (a lookups) sorted() []string { return slices.Sorted(maps.Keys(a)) }

// A noteFS records which files of a folder are opened or described. Listing a
// folder records nothing.
type noteFS struct {
	fs.FS
	dir     string
	lookups lookups
}

func (n noteFS) note(name string) { n.lookups[filepath.Join(n.dir, filepath.FromSlash(name))] = true }

func (n noteFS) Open(name string) (fs.File, error) {
	n.note(name)
	return n.FS.Open(name)
}

func (n noteFS) Stat(name string) (fs.FileInfo, error) {
	n.note(name)
	return fs.Stat(n.FS, name)
}

func (n noteFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(n.FS, name) }

package project

import (
	"io/fs"
	"os"
	"path/filepath"

	"github.com/sitewalk/sitewalk/internal/files"
)

// Lookups are the files that were looked for, whether they exist or not, by
// path.
type Lookups map[string]bool

// Note records a file.
func (a Lookups) Note(name string) { a[name] = true }

// IsFolder reports whether there is a folder at a path, which it records.
func (a Lookups) IsFolder(name string) bool {
	a.Note(name)
	info, err := os.Stat(name)
	return err == nil && info.IsDir()
}

// Folder returns the files of a folder as a file system that records each file it
// is asked for.
func (a Lookups) Folder(dir string) fs.FS { return noteFS{files.Tree(dir), dir, a} }

// A noteFS records which files of a folder are opened or described. Listing a
// folder records nothing.
type noteFS struct {
	fs.FS
	dir     string
	lookups Lookups
}

// Unrecorded returns the folder as it is asked of pages, by many at once: that is no setting.
func (n noteFS) Unrecorded() fs.FS { return n.FS }

func (n noteFS) note(name string) { n.lookups.Note(filepath.Join(n.dir, filepath.FromSlash(name))) }

func (n noteFS) Open(name string) (fs.File, error) {
	n.note(name)
	return n.FS.Open(name)
}

func (n noteFS) Stat(name string) (fs.FileInfo, error) {
	n.note(name)
	return fs.Stat(n.FS, name)
}

func (n noteFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(n.FS, name) }

package config

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// lookups are the files that were looked for, whether they exist or not, by
// path.
type lookups map[string]bool

// dir returns the files of a folder as a file system that records each file it
// is asked for.
func (a lookups) dir(dir string) fs.FS { return noteFS{os.DirFS(dir), dir, a} }

func (a lookups) sorted() []string { return slices.Sorted(maps.Keys(a)) }

// A noteFS records which files of a folder are opened or described. Listing a
// folder records nothing.
type noteFS struct {
	fs.FS
	dir     string
	lookups lookups
}

func (n noteFS) note(name string) { n.lookups[filepath.Join(n.dir, filepath.FromSlash(name))] = true }

// Open opens files and folders only: a pipe would have to be waited for.
func (n noteFS) Open(name string) (fs.File, error) {
	info, err := n.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err // most are not there: to look once is enough
	case err == nil && !info.Mode().IsRegular() && !info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	return n.FS.Open(name)
}

func (n noteFS) Stat(name string) (fs.FileInfo, error) {
	n.note(name)
	return fs.Stat(n.FS, name)
}

func (n noteFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(n.FS, name) }

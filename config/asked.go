package config

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
)

// asked is the files that were asked for, whether they are there or not.
type asked map[string]bool

// dir returns the files of a folder, which notes those that are asked for.
func (a asked) dir(dir string) fs.FS { return noting{os.DirFS(dir), dir, a} }

func (a asked) sorted() []string { return slices.Sorted(maps.Keys(a)) }

// A noting is a folder's files. What is listed, and not read, is not noted.
type noting struct {
	fs.FS
	dir   string
	asked asked
}

func (n noting) note(name string) { n.asked[filepath.Join(n.dir, filepath.FromSlash(name))] = true }

// Open opens files and folders only: a pipe would have to be waited for.
func (n noting) Open(name string) (fs.File, error) {
	info, err := n.Stat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, err // most are not there: to look once is enough
	case err == nil && !info.Mode().IsRegular() && !info.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	return n.FS.Open(name)
}

func (n noting) Stat(name string) (fs.FileInfo, error) {
	n.note(name)
	return fs.Stat(n.FS, name)
}

func (n noting) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(n.FS, name) }

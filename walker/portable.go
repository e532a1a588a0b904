package walker

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
)

// portableDir is like Dir, but reads the tree with package os, which works on every operating
// system.
func portableDir(path string) Tree { return Tree{&fsSource{os.DirFS(path), path}, path} }

// FS returns the tree of all files in fsys. A walk follows no symbolic links in such a tree, and
// reports them as if they led out of the tree.
func FS(fsys fs.FS) Tree { return Tree{source: &fsSource{fsys: fsys}} }

// An fsSource reads a tree with package io/fs. It opens files with package os if dir is set.
type fsSource struct {
	fsys fs.FS
	dir  string // operating system path of the root of fsys; "" if fsys is another file system
}

func (f *fsSource) openFolderAt(real string) (folder, error) {
	entries, err := fs.ReadDir(f.fsys, cmp.Or(real, "."))
	if err != nil {
		return nil, err
	}
	return &fsFolder{f, real, entries}, nil
}

// An fsFolder is a folder of an fsSource.
type fsFolder struct {
	of      *fsSource
	path    string        // path of the folder in fsys; "" for the root
	entries []fs.DirEntry // nil after the first read
}

func (f *fsFolder) readNextEntries(buf *buffer) error {
	buf.entries = buf.entries[:0]
	for _, e := range f.entries {
		buf.entries = append(buf.entries, entry{e.Name(), kindOfMode(e.Type())})
	}
	f.entries = nil
	return nil
}

func (f *fsFolder) openFolder(name string) (folder, error) {
	return f.of.openFolderAt(joinPath(f.path, name))
}

func (f *fsFolder) openFile(name string) (fs.File, error) {
	path := joinPath(f.path, name)
	if f.of.dir == "" {
		return f.of.fsys.Open(path)
	}
	return os.OpenFile(filepath.Join(f.of.dir, filepath.FromSlash(path)), os.O_RDONLY|openFlags, 0)
}

func (f *fsFolder) lstat(name string) (kind, error) {
	info, err := fs.Lstat(f.of.fsys, joinPath(f.path, name))
	if err != nil {
		return unknown, err
	}
	return kindOfMode(info.Mode()), nil
}

func (f *fsFolder) close() {}

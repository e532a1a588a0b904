package walker

import (
	"cmp"
	"io/fs"
	"os"
	"path/filepath"
)

// portable returns the same tree as Dir, read with package os.
func portable(path string) Tree { return Tree{&fsSource{os.DirFS(path), path}, path} }

// FS returns the tree of fsys. It follows no symbolic links.
func FS(fsys fs.FS) Tree { return Tree{source: &fsSource{fsys: fsys}} }

// An fsSource reads a tree with package fs. It works on every system.
type fsSource struct {
	fsys fs.FS
	dir  string // folder of fsys; "" if fsys is not in the operating system
}

func (s *fsSource) open(real string) (folder, error) {
	entries, err := fs.ReadDir(s.fsys, cmp.Or(real, "."))
	if err != nil {
		return nil, err
	}
	return &fsFolder{s, real, entries}, nil
}

func (s *fsSource) resolve(path string) (string, kind, error) {
	if s.dir == "" {
		return "", unknown, errOutside
	}
	return resolveIn(s.dir, path)
}

// An fsFolder is a folder with its entries.
type fsFolder struct {
	of      *fsSource
	path    string
	entries []fs.DirEntry
}

func (d *fsFolder) read(buf *buffer) error {
	buf.entries = buf.entries[:0]
	for _, e := range d.entries {
		buf.entries = append(buf.entries, entry{e.Name(), kindOf(e.Type())})
	}
	d.entries = nil
	return nil
}

func (d *fsFolder) folder(name string) (folder, error) { return d.of.open(join("", d.path, name)) }

func (d *fsFolder) file(name string) (fs.File, error) {
	path := join("", d.path, name)
	if d.of.dir == "" {
		return d.of.fsys.Open(path)
	}
	return os.OpenFile(filepath.Join(d.of.dir, filepath.FromSlash(path)), os.O_RDONLY|openFlags, 0)
}

func (d *fsFolder) lstat(name string) (kind, error) {
	info, err := fs.Lstat(d.of.fsys, join("", d.path, name))
	if err != nil {
		return unknown, err
	}
	return kindOf(info.Mode()), nil
}

func (d *fsFolder) close() {}

// resolveIn returns the path after all symbolic links of a file or folder in the tree at dir,
// and its kind.
func resolveIn(dir, path string) (real string, k kind, err error) {
	full := filepath.Join(dir, filepath.FromSlash(path))
	info, err := os.Stat(full)
	if err != nil {
		return "", unknown, err
	}
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return "", unknown, err
	}
	target, err := filepath.EvalSymlinks(full)
	if err != nil {
		return "", unknown, err
	}
	rel, err := filepath.Rel(root, target)
	switch {
	case err != nil || !filepath.IsLocal(rel):
		return "", kindOf(info.Mode()), errOutside
	case rel == ".":
		rel = ""
	}
	return filepath.ToSlash(rel), kindOf(info.Mode()), nil
}

package walker

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// A disk reads a tree by the paths of its folders and files; "." is the root.
type disk interface {
	readDir(path string) ([]fs.DirEntry, error)
	open(path string) (fs.File, error)
	lstat(path string) (fs.FileInfo, error)
	stat(path string) (fs.FileInfo, error)
	resolve(path string) (real string, err error)
}

// pathSource implements source with paths. It works on every system.
type pathSource struct{ disk disk }

func (s *pathSource) open(real string) (folder, error) {
	entries, err := s.disk.readDir(cmp.Or(real, "."))
	if err != nil {
		return nil, err
	}
	return &pathFolder{disk: s.disk, path: real, entries: entries}, nil
}

func (s *pathSource) resolve(path string) (string, kind, error) {
	real, outside := s.disk.resolve(path)
	if outside != nil && outside != errOutside {
		return "", unknown, outside
	}
	info, err := s.disk.stat(path)
	if err != nil {
		return "", unknown, cmp.Or(outside, err)
	}
	return real, kindOf(info.Mode()), outside
}

type pathFolder struct {
	disk    disk
	path    string
	entries []fs.DirEntry
}

func (d *pathFolder) child(name string) string { return join("", d.path, name) }

func (d *pathFolder) read(buf *buffer) error {
	buf.entries = buf.entries[:0]
	for _, e := range d.entries {
		buf.entries = append(buf.entries, entry{e.Name(), kindOf(e.Type())})
	}
	d.entries = nil
	return nil
}

func (d *pathFolder) folder(name string, _ folder) (folder, error) {
	return (&pathSource{d.disk}).open(d.child(name))
}

func (d *pathFolder) file(name string, _ fs.File) (fs.File, error) {
	return d.disk.open(d.child(name))
}

func (d *pathFolder) lstat(name string) (kind, error) {
	info, err := d.disk.lstat(d.child(name))
	if err != nil {
		return unknown, err
	}
	return kindOf(info.Mode()), nil
}

func (d *pathFolder) close() {}

// An osDisk is the path of a folder of the operating system.
type osDisk string

func (d osDisk) at(path string) string {
	if path == "." || path == "" {
		return string(d)
	}
	return string(d) + string(filepath.Separator) + filepath.FromSlash(path)
}

func (d osDisk) readDir(path string) ([]fs.DirEntry, error) {
	flags := os.O_RDONLY | openFlags
	if path == "." {
		flags = os.O_RDONLY // the root may be a symbolic link
	}
	f, err := os.OpenFile(d.at(path), flags, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(-1) // os.ReadDir would also sort the entries
	return entries, err
}

func (d osDisk) open(path string) (fs.File, error) {
	return os.OpenFile(d.at(path), os.O_RDONLY|openFlags, 0)
}

func (d osDisk) lstat(path string) (fs.FileInfo, error) { return os.Lstat(d.at(path)) }

func (d osDisk) stat(path string) (fs.FileInfo, error) { return os.Stat(d.at(path)) }

func (d osDisk) resolve(path string) (string, error) {
	root, err := filepath.EvalSymlinks(string(d))
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(d.at(path))
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(root, real)
	if err != nil || rel == ".." || strings.HasPrefix(rel, ".."+string(filepath.Separator)) {
		return "", errOutside
	}
	if rel == "." {
		return "", nil
	}
	return filepath.ToSlash(rel), nil
}

// An fsDisk reads an fs.FS.
type fsDisk struct{ fsys fs.FS }

func (d fsDisk) readDir(path string) ([]fs.DirEntry, error) { return fs.ReadDir(d.fsys, path) }
func (d fsDisk) open(path string) (fs.File, error)          { return d.fsys.Open(path) }
func (d fsDisk) lstat(path string) (fs.FileInfo, error)     { return fs.Lstat(d.fsys, path) }
func (d fsDisk) stat(path string) (fs.FileInfo, error)      { return fs.Stat(d.fsys, path) }

// maxLinks is the maximum number of symbolic links followed in one path. Linux has the same
// limit.
const maxLinks = 40

func (d fsDisk) resolve(p string) (string, error) {
	real, rest := "", p
	for links := 0; rest != ""; {
		name, after, _ := strings.Cut(rest, "/")
		next := path.Join(real, name)
		if next == ".." || strings.HasPrefix(next, "../") {
			return "", errOutside
		}
		if next == "" || next == "." {
			real, rest = "", after
			continue
		}
		info, err := d.lstat(next)
		if err != nil {
			return "", err
		}
		if kindOf(info.Mode()) != link {
			real, rest = next, after
			continue
		}
		target, err := fs.ReadLink(d.fsys, next)
		if err != nil {
			return "", err
		}
		if path.IsAbs(target) {
			return "", errOutside
		}
		if links++; links > maxLinks {
			return "", errors.New("leads in a circle")
		}
		rest = strings.TrimSuffix(target+"/"+after, "/")
	}
	return real, nil
}

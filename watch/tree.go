package watch

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/sitewalk/sitewalk/internal/files"
)

// A Tree is a folder to watch.
type Tree struct {
	Dir  string // operating system path; the folder may be missing and reappear
	Name string // unique name in a Batch; "" means Dir
	Flat bool   // watch the folder without its subfolders
	// Enters reports whether changes in a subfolder matter. nil means that all subfolders
	// matter. The path is relative to Dir and uses slashes.
	Enters func(folder string) bool
	// Wants reports whether changes of a name in a Flat tree matter. nil means that all names
	// matter.
	Wants func(name string) bool
}

func (t *Tree) name() string { return cmp.Or(t.Name, t.Dir) }

func (t *Tree) wants(name string) bool { return t.Wants == nil || t.Wants(name) }

func (t *Tree) enters(folder string) bool {
	return !t.Flat && (t.Enters == nil || t.Enters(folder))
}

// contains reports whether a file or folder at path p would be part of the tree.
func (t *Tree) contains(p string) bool {
	parent := path.Dir(p)
	return t.wants(p) && (parent == "." || t.enters(parent))
}

// find returns the path of the tree's folder without symbolic links. root is nil if the folder
// does not exist.
func (t *Tree) find() (dir string, root fs.FileInfo) {
	dir, err := filepath.EvalSymlinks(t.Dir)
	if err != nil {
		return "", nil
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return "", nil
	}
	os.SameFile(info, info) // on Windows, the first comparison reads the identity of the folder, which must happen now
	return dir, info
}

// readDir returns the entries of a folder in no order. The result is empty if the folder is
// missing or unreadable.
func readDir(dir string) []fs.DirEntry {
	f, err := files.OpenFolder(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(-1)
	return entries
}

// join returns the operating system path of p, a path in the tree at dir.
func join(dir, p string) string { return filepath.Join(dir, filepath.FromSlash(p)) }

// relative returns the path of name relative to dir, with slashes. ok is false if name is not
// below dir.
func relative(dir, name string) (p string, ok bool) {
	rel, ok := files.Below(dir, name)
	return filepath.ToSlash(rel), ok && rel != "."
}

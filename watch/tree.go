package watch

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/sitewalk/sitewalk/internal/files"
)

// A Tree is a folder that is watched.
type Tree struct {
	Dir  string // path of the operating system; the folder may be missing, and come and go
	Name string // its unique name in a Batch; "" is Dir
	Flat bool   // watch the folder without its subfolders
	// Enters reports whether changes in a subfolder matter; nil is true for all.
	// The path is relative to Dir and slash-separated.
	Enters func(folder string) bool
	// Wants reports whether changes of a name in a Flat tree matter; nil is true
	// for all.
	Wants func(name string) bool
}

func (t *Tree) name() string { return cmp.Or(t.Name, t.Dir) }

func (t *Tree) wants(name string) bool { return t.Wants == nil || t.Wants(name) }

func (t *Tree) enters(folder string) bool {
	return !t.Flat && (t.Enters == nil || t.Enters(folder))
}

// contains reports whether the path of a file or folder, if it exists, is part of the tree.
func (t *Tree) contains(p string) bool {
	parent := path.Dir(p)
	return t.wants(p) && (parent == "." || t.enters(parent))
}

// find returns the tree's folder with links resolved, and nil if there is none.
func (t *Tree) find() (dir string, root fs.FileInfo) {
	dir, err := filepath.EvalSymlinks(t.Dir)
	if err != nil {
		return "", nil
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return "", nil
	}
	os.SameFile(info, info) // Windows looks up the folder's identity at the first comparison, which may be too late
	return dir, info
}

// readDir returns the entries of a folder in no order; none if the folder is gone
// or unreadable, which the caller of the Watcher finds out.
func readDir(dir string) []fs.DirEntry {
	f, err := files.OpenFolder(dir)
	if err != nil {
		return nil
	}
	defer f.Close()
	entries, _ := f.ReadDir(-1)
	return entries
}

// join returns the path of the operating system for a path of a tree.
func join(dir, p string) string { return filepath.Join(dir, filepath.FromSlash(p)) }

// relative returns the slash-separated path of name below dir. ok is false if name
// is not below dir.
func relative(dir, name string) (p string, ok bool) {
	rel, ok := files.Below(dir, name)
	return filepath.ToSlash(rel), ok && rel != "."
}

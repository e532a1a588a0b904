package watch

import "path"

// folders are those of a tree that are watched, by path, each with the names of those
// below it that are.
type folders map[string]map[string]bool

func (f folders) has(p string) bool { return f[p] != nil }

// add adds the folder at a path, whose parent is there.
func (f folders) add(p string) {
	f[p] = map[string]bool{}
	if dir, name := split(p); p != "." {
		f[dir][name] = true
	}
}

// cut takes the folder at a path away and calls gone for it and each below.
func (f folders) cut(p string, gone func(p string)) {
	if !f.has(p) {
		return
	}
	for name := range f[p] {
		f.cut(path.Join(p, name), gone)
	}
	gone(p)
	delete(f, p)
	dir, name := split(p)
	delete(f[dir], name)
}

func split(p string) (dir, name string) {
	dir, name = path.Split(p)
	return path.Clean(dir), name
}

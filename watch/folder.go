package watch

import (
	"path"
	"strings"
)

// A folder is one that is watched, with those below it that are.
type folder struct{ below map[string]*folder }

// find returns the folder at a path, nil when it is not watched.
func (f *folder) find(p string) *folder {
	for name, rest := "", p; f != nil && rest != "" && p != "."; {
		name, rest, _ = strings.Cut(rest, "/")
		f = f.below[name]
	}
	return f
}

// add adds the folder at a path, whose parent is there.
func (f *folder) add(p string) {
	dir, name := split(p)
	parent := f.find(dir)
	if p == "." || parent == nil {
		return
	}
	if parent.below == nil {
		parent.below = map[string]*folder{}
	}
	parent.below[name] = &folder{}
}

// cut takes the folder at a path away and calls gone for it and each below.
func (f *folder) cut(p string, gone func(p string)) {
	f.find(p).each(p, gone)
	if dir, name := split(p); p != "." {
		if parent := f.find(dir); parent != nil {
			delete(parent.below, name)
		}
	}
}

func (f *folder) each(p string, call func(p string)) {
	if f == nil {
		return
	}
	call(p)
	for name, sub := range f.below {
		sub.each(path.Join(p, name), call)
	}
}

func split(p string) (dir, name string) {
	dir, name = path.Split(p)
	return path.Clean(dir), name
}

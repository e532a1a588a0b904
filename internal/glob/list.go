package glob

import (
	"slices"
	"strings"
)

// A List is globs in an order. The zero List has none. It is safe for concurrent use
// once all globs are added.
type List struct {
	globs   []Glob
	matches Set // of many globs: those that match a path
	begins  Set // of many globs: those that can match below a folder, by its first name
}

// fewGlobs are as many as are tried one by one, which allocates nothing.
const fewGlobs = 32

// Add puts a glob at the end.
func (l *List) Add(g Glob) {
	l.globs = append(l.globs, g)
	if n := len(l.globs); n == fewGlobs+1 {
		for i := range l.globs {
			l.index(i)
		}
	} else if n > fewGlobs {
		l.index(n - 1)
	}
}

func (l *List) index(i int) {
	g := l.globs[i]
	l.matches.Add(i, g)
	if first, err := New(append(g.folders, folder{pattern: "**"})[0].pattern); err == nil {
		l.begins.Add(i, first)
	}
}

// Len returns how many globs there are.
func (l *List) Len() int { return len(l.globs) }

// At returns glob i.
func (l *List) At(i int) *Glob { return &l.globs[i] }

// First returns the index of the first glob that matches a path, or -1.
func (l *List) First(path string) int {
	if len(l.globs) > fewGlobs {
		return l.matches.First(path)
	}
	for i := range l.globs {
		if l.globs[i].Match(path) {
			return i
		}
	}
	return -1
}

// All reports whether one glob matches everything below a folder.
func (l *List) All(folder string) bool {
	return l.any(&l.matches, folder, func(g *Glob) bool { return g.All(folder) })
}

// Below reports whether a glob may match something below a folder, whose path is relative.
func (l *List) Below(folder string) bool {
	first, _, _ := strings.Cut(folder, "/")
	return l.any(&l.begins, first, func(g *Glob) bool { return g.Below(folder) })
}

// any reports whether a glob is as is says; of many only those are asked that a set finds.
func (l *List) any(set *Set, path string, is func(*Glob) bool) bool {
	if len(l.globs) > fewGlobs {
		return slices.ContainsFunc(set.Append(nil, path), func(i int) bool { return is(&l.globs[i]) })
	}
	for i := range l.globs {
		if is(&l.globs[i]) {
			return true
		}
	}
	return false
}

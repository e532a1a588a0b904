package glob

import "strings"

// A List is globs in an order. The zero List has none. It is safe for concurrent use
// once all globs are added.
type List struct {
	globs   []Glob
	indexed int // how many of them the sets have: all, or of few none
	matches Set // those that match a path
	begins  Set // those that can match below a folder, by its first name
}

// fewGlobs are as many as are tried one by one, which allocates nothing and needs no set.
const fewGlobs = 32

// Add puts a glob at the end.
func (l *List) Add(g Glob) {
	l.globs = append(l.globs, g)
	for ; len(l.globs) > fewGlobs && l.indexed < len(l.globs); l.indexed++ {
		g := l.globs[l.indexed]
		first := []string{"**"}
		if len(g.folders) > 0 {
			first = g.folders[0]
		}
		l.matches.Add(l.indexed, g)
		l.begins.Add(l.indexed, Glob{plain: first})
	}
}

// Len returns how many globs there are.
func (l *List) Len() int { return len(l.globs) }

// At returns glob i.
func (l *List) At(i int) *Glob { return &l.globs[i] }

// First returns the index of the first glob that matches a path, or -1.
func (l *List) First(path string) int {
	return l.first(&l.matches, path, func(g *Glob) bool { return g.Match(path) })
}

// All reports whether one glob matches everything below a folder.
func (l *List) All(folder string) bool {
	return l.first(&l.matches, folder, func(g *Glob) bool { return g.All(folder) }) >= 0
}

// Below reports whether a glob may match something below a folder, whose path is relative.
func (l *List) Below(folder string) bool {
	name, _, _ := strings.Cut(folder, "/")
	return l.first(&l.begins, name, func(g *Glob) bool { return g.Below(folder) }) >= 0
}

// first returns the index of the first glob that is as is says, or -1; of many only those
// are asked that a set finds.
func (l *List) first(set *Set, path string, is func(*Glob) bool) int {
	if len(l.globs) <= fewGlobs {
		for i := range l.globs {
			if is(&l.globs[i]) {
				return i
			}
		}
		return -1
	}
	for _, i := range set.Append(nil, path) {
		if is(&l.globs[i]) {
			return i
		}
	}
	return -1
}

package glob

import "strings"

// A List is globs in an order. The zero List has none. It is safe for concurrent use
// once all globs are added.
type List struct {
	globs   []Glob
	few     []int // the numbers of globs that are tried one by one
	matches Tree  // of many globs, those that may match a path
	begins  Tree  // those that can match below a folder, by its first name
}

// fewGlobs are as many as are tried one by one, which allocates nothing and needs no tree.
const fewGlobs = 16

// Add puts a glob at the end.
func (l *List) Add(g Glob) {
	l.globs = append(l.globs, g)
	l.few = append(l.few, len(l.globs)-1)
	if len(l.globs) <= fewGlobs {
		return
	}
	for _, i := range l.few {
		g := &l.globs[i]
		first := []string{"**"}
		if len(g.folders) > 0 {
			first = g.folders[0]
		}
		for _, pattern := range g.plain {
			l.matches.Add(i, texts(pattern)...)
		}
		for _, pattern := range first {
			l.begins.Add(i, texts(pattern)...)
		}
	}
	l.few = nil
}

// likely returns the numbers of the globs that may match a path, as a tree says.
func (l *List) likely(tree *Tree, path string) []int {
	if len(l.globs) <= fewGlobs {
		return l.few
	}
	return tree.Find(path)
}

// Len returns how many globs there are.
func (l *List) Len() int { return len(l.globs) }

// At returns glob i.
func (l *List) At(i int) *Glob { return &l.globs[i] }

// Matching returns the numbers of the globs that match a path, in ascending order.
func (l *List) Matching(path string) (all []int) {
	for _, i := range l.likely(&l.matches, path) {
		if l.globs[i].Match(path) {
			all = append(all, i)
		}
	}
	return all
}

// First returns the index of the first glob that matches a path, or -1.
func (l *List) First(path string) int {
	for _, i := range l.likely(&l.matches, path) {
		if l.globs[i].Match(path) {
			return i
		}
	}
	return -1
}

// All reports whether one glob matches everything below a folder.
func (l *List) All(folder string) bool {
	for _, i := range l.likely(&l.matches, folder) {
		if l.globs[i].All(folder) {
			return true
		}
	}
	return false
}

// Below reports whether a glob may match something below a folder, whose path is relative.
func (l *List) Below(folder string) bool {
	name, _, _ := strings.Cut(folder, "/")
	for _, i := range l.likely(&l.begins, name) {
		if l.globs[i].Below(folder) {
			return true
		}
	}
	return false
}

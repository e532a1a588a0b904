package glob

import "strings"

// A Set finds those of many globs that match a path without trying them all. The zero
// Set has none.
type Set struct {
	tree  Tree
	globs [][]numbered // of each pattern of the tree
}

type numbered struct {
	Glob
	number int
}

// Add takes a glob in under a number.
func (s *Set) Add(number int, g Glob) {
	n := s.tree.Add(texts(g.Pattern)...)
	if n == len(s.globs) {
		s.globs = append(s.globs, nil)
	}
	s.globs[n] = append(s.globs[n], numbered{g, number})
}

// Append adds the numbers of the globs that match a path to a list, in any order; those
// of an empty path are none.
func (s *Set) Append(list []int, path string) []int {
	if path == "" {
		return list
	}
	for _, n := range s.tree.Find(path) {
		for i := range s.globs[n] {
			if g := &s.globs[n][i]; g.Match(path) {
				list = append(list, g.number)
			}
		}
	}
	return list
}

// texts returns what every match of a pattern has in this order, with any bytes
// between, the first at its beginning. They end where a class, braces or an escape
// begins.
func texts(pattern string) (all []string) {
	for {
		i := strings.IndexAny(pattern, `*?[{\`)
		if i < 0 {
			return append(all, pattern)
		}
		text, rest := pattern[:i], strings.TrimLeft(pattern[i:], "*?")
		if strings.HasPrefix(pattern[i:], "**") || pattern[i] == '{' {
			text = strings.TrimSuffix(text, "/") // a/** matches a, too
		}
		if all = append(all, text); rest == "" || strings.IndexByte(`[{\`, rest[0]) >= 0 {
			return all
		}
		pattern = strings.TrimPrefix(rest, "/") // **/a matches a, too
	}
}

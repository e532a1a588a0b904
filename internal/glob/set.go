package glob

import (
	"bytes"
	"slices"
	"strings"
)

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
	for _, pattern := range alternatives([]string{g.Pattern}) {
		n := s.tree.Add(texts(pattern)...)
		if n == len(s.globs) {
			s.globs = append(s.globs, nil)
		}
		s.globs[n] = append(s.globs[n], numbered{g, number})
	}
}

// Append adds the numbers of the globs that match a path to a list, in ascending order,
// each once; those of an empty path are none.
func (s *Set) Append(list []int, path string) []int {
	if path == "" {
		return list
	}
	had := len(list)
	for _, n := range s.tree.Find(path) {
		for i := range s.globs[n] {
			if g := &s.globs[n][i]; g.Match(path) {
				list = append(list, g.number)
			}
		}
	}
	slices.Sort(list[had:])
	return list[:had+len(slices.Compact(list[had:]))]
}

// First returns the least number of a glob that matches a path, or -1.
func (s *Set) First(path string) int {
	if path == "" {
		return -1
	}
	first := -1
	for _, n := range s.tree.Find(path) {
		for i := range s.globs[n] {
			g := &s.globs[n][i]
			if first >= 0 && g.number >= first {
				break
			}
			if g.Match(path) {
				first = g.number
			}
		}
	}
	return first
}

// mostAlternatives bounds into how many patterns one with braces is taken apart.
const mostAlternatives = 16

// alternatives returns patterns without the braces that list what a path may have in
// their place: all of "/{a,b}/**" have no more than a slash in common.
func alternatives(patterns []string) []string {
	var all []string
	for _, pattern := range patterns {
		all = append(all, opened(pattern)...)
	}
	if len(all) > mostAlternatives || len(all) == len(patterns) {
		return patterns
	}
	return alternatives(all)
}

// opened returns a pattern with each alternative of its first braces in their place, or
// with more than mostAlternatives.
func opened(pattern string) (all []string) {
	i := 0
	for i < len(pattern) && pattern[i] != '{' {
		i += part(pattern[i:])
	}
	if i == len(pattern) {
		return []string{pattern}
	}
	end := i + part(pattern[i:])
	from := i + 1
	for at := from; at < end && len(all) <= mostAlternatives; at += part(pattern[at:]) {
		if c := pattern[at]; c == ',' || at == end-1 {
			all = append(all, pattern[:i]+pattern[from:at]+pattern[end:])
			from = at + 1
		}
	}
	return all
}

// texts returns what every match of a pattern has in this order, with any bytes
// between, the first at its beginning.
func texts(pattern string) (all []string) {
	var text []byte
	for i := 0; i < len(pattern); {
		end := i + part(pattern[i:])
		switch c := pattern[i]; {
		case c == '\\':
			text = append(text, pattern[i+1:end]...)
		case strings.IndexByte("*?[{", c) < 0:
			text = append(text, c)
		default:
			if c == '{' || strings.HasPrefix(pattern[i:], "**") {
				text = bytes.TrimSuffix(text, []byte("/")) // a/** matches a, too
			}
			all, text = append(all, string(text)), text[:0]
			if strings.HasPrefix(pattern[end:], "/") {
				end++ // **/a matches a, too
			}
		}
		i = end
	}
	return append(all, string(text))
}

// part returns how long the first part of a pattern is: a byte, an escape, a star, a
// class, or braces with all within.
func part(pattern string) (n int) {
	for d := range depths(pattern) {
		if n++; d.c == '\\' {
			n++
		}
		if d.braces == 0 && !d.class {
			break
		}
	}
	return n
}

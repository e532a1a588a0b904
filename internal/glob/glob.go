// Package glob matches slash-separated paths against doublestar patterns, with errors that
// say how to correct a pattern.
package glob

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A Glob is a valid doublestar pattern.
type Glob struct {
	Pattern string
	choices []string   // the pattern with each choice of its braces
	parts   [][]string // the parts of each choice, between slashes
}

// New returns the glob of a pattern. The error quotes an invalid pattern and names the
// correction.
func New(pattern string) (Glob, error) {
	if problem := problemOf(pattern); problem != "" {
		return Glob{}, fmt.Errorf("%q %s", pattern, problem)
	}
	choices := Choices(pattern)
	if choices == nil {
		return Glob{}, fmt.Errorf("%.100q has braces with more than %d choices; write several globs", pattern, maxChoices)
	}
	g := Glob{Pattern: pattern, choices: choices}
	for _, c := range choices {
		g.parts = append(g.parts, strings.Split(c, "/"))
	}
	return g, nil
}

// Match reports whether the glob matches a path. Each choice is matched on its own, because
// doublestar's time doubles with each pair of braces.
func (g *Glob) Match(path string) bool {
	for _, c := range g.choices {
		name := path
		if last, anywhere := strings.CutPrefix(c, "**/"); anywhere && !strings.Contains(last, "/") {
			c, name = last, path[strings.LastIndexByte(path, '/')+1:]
		}
		if doublestar.MatchUnvalidated(c, name) {
			return true
		}
	}
	return false
}

// Match reports whether pattern is a valid glob that matches path.
func Match(pattern, path string) bool {
	g, err := New(pattern)
	return err == nil && g.Match(path)
}

// MatchesTree reports whether the glob matches a folder and everything below it.
func (g *Glob) MatchesTree(folder string) bool {
	return strings.HasSuffix(g.Pattern, "/**") && !strings.HasSuffix(g.Pattern, `\/**`) && g.Match(folder)
}

// CanMatchBelow reports whether the glob may match a file below a folder. It is true where
// only doublestar could decide.
func (g *Glob) CanMatchBelow(folder string) bool {
	return slices.ContainsFunc(g.parts, func(parts []string) bool { return canMatchBelow(parts, folder) })
}

func canMatchBelow(parts []string, folder string) bool {
	for name := range strings.SplitSeq(folder, "/") {
		switch part := parts[0]; {
		case strings.Contains(part, "**"): // doublestar reads a***/ as a*/**/
			return true
		case len(parts) == 1: // the part of a file
			return false
		case !strings.ContainsAny(part, `[]\`) && !doublestar.MatchUnvalidated(part, name):
			return false
		}
		parts = parts[1:]
	}
	return true
}

// Quote returns a glob that matches one path and nothing else.
func Quote(path string) string { return quoted.Replace(path) }

var quoted = strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`, `}`, `\}`, `\`, `\\`)

// A List is a list of globs in order. The zero List is empty.
type List []Glob

// Matching returns the indexes of the globs that match a path, in ascending order.
func (l List) Matching(path string) (indexes []int) {
	for i := range l {
		if l[i].Match(path) {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// First returns the index of the first glob that matches a path, or -1.
func (l List) First(path string) int {
	return slices.IndexFunc(l, func(g Glob) bool { return g.Match(path) })
}

// MatchesTree reports whether one glob matches a folder and everything below it.
func (l List) MatchesTree(folder string) bool {
	return slices.ContainsFunc(l, func(g Glob) bool { return g.MatchesTree(folder) })
}

// CanMatchBelow reports whether a glob may match a file below a folder.
func (l List) CanMatchBelow(folder string) bool {
	return slices.ContainsFunc(l, func(g Glob) bool { return g.CanMatchBelow(folder) })
}

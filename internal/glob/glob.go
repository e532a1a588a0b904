// Package glob matches slash-separated paths against doublestar patterns such as
// "docs/**/*.html". Its errors name the correction of a wrong pattern.
package glob

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A Glob is a valid doublestar pattern, such as "docs/**". Create it with New.
type Glob struct {
	Pattern string
	choices []string   // the patterns without braces to which Pattern expands
	parts   [][]string // each of the choices, split at its slashes
}

// New parses pattern and returns its Glob. For an invalid pattern, New returns an error that
// quotes the pattern and names the correction.
func New(pattern string) (Glob, error) {
	if problem := problemOf(pattern); problem != "" {
		return Glob{}, fmt.Errorf("%q %s", pattern, problem)
	}
	choices := ExpandBraces(pattern)
	if choices == nil {
		return Glob{}, fmt.Errorf("%.100q has braces with more than %d choices; write several globs", pattern, maxChoices)
	}
	g := Glob{Pattern: pattern, choices: choices}
	for _, c := range choices {
		g.parts = append(g.parts, strings.Split(c, "/"))
	}
	return g, nil
}

// Match reports whether the glob matches path. Match tries each expanded pattern on its own,
// because doublestar's time doubles with each pair of braces.
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

// Match reports whether pattern is a valid glob and matches path.
func Match(pattern, path string) bool {
	g, err := New(pattern)
	return err == nil && g.Match(path)
}

// MatchesTree reports whether the glob matches both folder and every path below folder. It is
// true only for patterns that end in "/**".
func (g *Glob) MatchesTree(folder string) bool {
	return strings.HasSuffix(g.Pattern, "/**") && !strings.HasSuffix(g.Pattern, `\/**`) && g.Match(folder)
}

// CanMatchBelow reports whether the glob may match a file below folder. It also returns true if
// it cannot decide, for example after a "**".
func (g *Glob) CanMatchBelow(folder string) bool {
	return slices.ContainsFunc(g.parts, func(parts []string) bool { return canMatchBelow(parts, folder) })
}

func canMatchBelow(parts []string, folder string) bool {
	for name := range strings.SplitSeq(folder, "/") {
		switch part := parts[0]; {
		case strings.Contains(part, "**"): // doublestar reads a***/ as a*/**/
			return true
		case len(parts) == 1: // the rest of the pattern is the name of a file, not of a folder
			return false
		case !strings.ContainsAny(part, `[]\`) && !doublestar.MatchUnvalidated(part, name):
			return false
		}
		parts = parts[1:]
	}
	return true
}

// Quote escapes the wildcards in path. The returned glob matches path and no other path.
func Quote(path string) string { return quoted.Replace(path) }

var quoted = strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`, `}`, `\}`, `\`, `\\`)

// A List is an ordered list of globs. The zero List is empty and matches nothing.
type List []Glob

// MatchingIndexes returns the indexes in l of all globs that match path, in ascending order.
func (l List) MatchingIndexes(path string) (indexes []int) {
	for i := range l {
		if l[i].Match(path) {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// FirstMatch returns the index in l of the first glob that matches path, or -1.
func (l List) FirstMatch(path string) int {
	return slices.IndexFunc(l, func(g Glob) bool { return g.Match(path) })
}

// MatchesTree reports whether any glob of l matches folder and everything below it.
func (l List) MatchesTree(folder string) bool {
	return slices.ContainsFunc(l, func(g Glob) bool { return g.MatchesTree(folder) })
}

// CanMatchBelow reports whether any glob of l may match a file below folder.
func (l List) CanMatchBelow(folder string) bool {
	return slices.ContainsFunc(l, func(g Glob) bool { return g.CanMatchBelow(folder) })
}

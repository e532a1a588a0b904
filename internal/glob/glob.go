// Package glob matches slash-separated paths against doublestar patterns such as "docs/**/*.html".
// The error about an invalid pattern contains a correction.
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
	choices []choice
}

// A choice is one of the patterns without braces to which a Glob expands: "a.md" is a choice of
// "{a,b}.md".
type choice struct {
	pattern string
	parts   []string // the pattern split at its slashes
}

// New returns the Glob for pattern. If pattern is invalid or its braces have too many choices, the
// error quotes at least the beginning of pattern, and contains a correction.
func New(pattern string) (Glob, error) {
	if problem := whyInvalid(pattern); problem != "" {
		return Glob{}, fmt.Errorf("%q %s", pattern, problem)
	}
	patterns := ExpandBraces(pattern)
	if patterns == nil {
		return Glob{}, fmt.Errorf("%.100q has braces with more than %d choices; write several globs", pattern, maxChoices)
	}
	g := Glob{Pattern: pattern}
	for _, p := range patterns {
		g.choices = append(g.choices, choice{pattern: p, parts: strings.Split(p, "/")})
	}
	return g, nil
}

// Match reports whether the glob matches path. It tries each expanded pattern separately, because
// doublestar needs twice the time for each additional pair of braces.
func (g *Glob) Match(path string) bool {
	return slices.ContainsFunc(g.choices, func(c choice) bool { return doublestar.MatchUnvalidated(c.pattern, path) })
}

// Match reports whether pattern is a valid glob that matches path.
func Match(pattern, path string) bool {
	g, err := New(pattern)
	return err == nil && g.Match(path)
}

// MatchesTree reports whether the glob matches folder and every path below folder. It returns true
// only for patterns that end in "/**", so it returns false for the pattern "**".
func (g *Glob) MatchesTree(folder string) bool {
	return strings.HasSuffix(g.Pattern, "/**") && !strings.HasSuffix(g.Pattern, `\/**`) && g.Match(folder)
}

// CanMatchBelow reports whether the glob can match a file below folder, which must not be "" or
// ".". It may return true although no file can match, for example because a part of the pattern has
// a class such as "[a-z]".
func (g *Glob) CanMatchBelow(folder string) bool {
	return slices.ContainsFunc(g.choices, func(c choice) bool { return canPartsMatchBelow(c.parts, folder) })
}

func canPartsMatchBelow(parts []string, folder string) bool {
	for name := range strings.SplitSeq(folder, "/") {
		switch part := parts[0]; {
		case strings.Contains(part, "**") || strings.ContainsAny(part, `[\`): // doublestar reads a***/ as a*/**/, and [!a] matches a slash
			return true
		case len(parts) == 1: // the rest of the pattern is the name of a file, not of a folder
			return false
		case !doublestar.MatchUnvalidated(part, name):
			return false
		}
		parts = parts[1:]
	}
	return true
}

// Quote returns a glob that matches path and no other path. It escapes the wildcards in path. path
// must not be empty.
func Quote(path string) string { return quoted.Replace(path) }

var quoted = strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`, `}`, `\}`, `\`, `\\`)

// A List is an ordered list of globs. The zero List is empty and matches nothing.
type List []Glob

// MatchingIndexes returns the indexes of all globs in l that match path, in ascending order.
func (l List) MatchingIndexes(path string) (indexes []int) {
	for i := range l {
		if l[i].Match(path) {
			indexes = append(indexes, i)
		}
	}
	return indexes
}

// FirstMatch returns the index of the first glob in l that matches path, or -1 if none matches.
func (l List) FirstMatch(path string) int {
	return slices.IndexFunc(l, func(g Glob) bool { return g.Match(path) })
}

// MatchesTree reports whether a glob in l matches folder and every path below folder.
func (l List) MatchesTree(folder string) bool {
	return slices.ContainsFunc(l, func(g Glob) bool { return g.MatchesTree(folder) })
}

// CanMatchBelow reports whether a glob in l can match a file below folder; see Glob.CanMatchBelow.
func (l List) CanMatchBelow(folder string) bool {
	return slices.ContainsFunc(l, func(g Glob) bool { return g.CanMatchBelow(folder) })
}

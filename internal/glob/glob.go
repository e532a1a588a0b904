// Package glob says whether a slash-separated path matches a pattern, as doublestar
// does.
//
// A site has a million paths, so it knows what common patterns look like and asks
// doublestar about the others only. It refuses to look at files.
package glob

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A Glob is a pattern of doublestar, with facts that decide most paths without
// matching them.
type Glob struct {
	Pattern        string
	plain          []string // the pattern without braces, one for each choice that they leave
	seams          bool     // it matches less than plain: "a/{b,**}" does not match a, and "a/**" does
	prefix, suffix string   // with which every match begins and ends
	rest           bool     // the pattern is prefix, then "/**" or "**" and nothing else: prefix decides
	suffixes       []suffix // of "**/*SUFFIX": the path ends in one of them; nil for other patterns
	folders        []folder // its parts, to tell which folders it can match in; nil: in all
	tree           bool     // "FOLDER/**": a folder that matches is matched with all below
}

// A folder is one part of a pattern.
type folder struct {
	pattern string
	plain   []string // see Glob
}

// New returns the glob of a pattern. The error quotes it and says what would be
// right.
func New(pattern string) (Glob, error) {
	if wrong := mistake(pattern); wrong != "" {
		return Glob{}, fmt.Errorf("%q %s", pattern, wrong)
	}
	plain := opened(pattern, mostChoices)
	if plain == nil {
		return Glob{}, fmt.Errorf("%.100q has braces with more than %d choices; write several globs", pattern, mostChoices)
	}
	g := Glob{
		Pattern:  pattern,
		plain:    plain,
		seams:    strings.Contains(pattern, "{") && slices.ContainsFunc(plain, func(p string) bool { return strings.Contains(p, "**") }),
		suffixes: suffixes(pattern),
		folders:  foldersOf(pattern),
		tree:     strings.HasSuffix(pattern, "/**") && !strings.HasSuffix(pattern, `\/**`),
	}
	g.ends()
	return g, nil
}

// ends finds the texts with which every match begins and ends.
func (g *Glob) ends() {
	first := strings.IndexAny(g.Pattern, `*?[{\`)
	if first < 0 {
		g.prefix, g.suffix = g.Pattern, g.Pattern
		return
	}
	g.prefix = g.Pattern[:first]
	g.rest = g.Pattern[first:] == "**" && strings.HasSuffix(g.prefix, "/") || g.Pattern == "**"
	if strings.HasPrefix(g.Pattern[first:], "**") || g.Pattern[first] == '{' {
		g.prefix = strings.TrimSuffix(g.prefix, "/") // a/** matches a, too
	}
	if last := strings.LastIndexAny(g.Pattern, `*?]}`); !strings.Contains(g.Pattern[last+1:], `\`) {
		g.suffix = strings.TrimPrefix(g.Pattern[last+1:], "/") // **/a matches a, too
	}
}

// Match reports whether a path matches. It allocates nothing.
func (g *Glob) Match(path string) bool {
	switch {
	case g.suffixes != nil:
		return path != "" && slices.ContainsFunc(g.suffixes, func(s suffix) bool { return s.ends(path) })
	case !strings.HasPrefix(path, g.prefix) || !strings.HasSuffix(path, g.suffix):
		return false
	case g.rest:
		return g.Pattern == "**" || len(path) == len(g.prefix) || path[len(g.prefix)] == '/'
	}
	return matches(g.plain, path) && (!g.seams || doublestar.MatchUnvalidated(g.Pattern, path))
}

// matches reports whether one of some patterns without braces matches a path. With
// braces doublestar may take a time that doubles with each of them.
func matches(plain []string, path string) bool {
	for _, p := range plain {
		if doublestar.MatchUnvalidated(p, path) {
			return true
		}
	}
	return false
}

// Match reports whether a pattern is a glob that matches a path.
func Match(pattern, path string) bool {
	if !strings.Contains(pattern, "{") {
		ok, err := doublestar.Match(pattern, path)
		return ok && err == nil
	}
	g, err := New(pattern)
	return err == nil && g.Match(path)
}

// All reports whether the glob matches everything below a folder.
func (g *Glob) All(folder string) bool {
	return g.tree && matches(g.plain, folder) && (!g.seams || doublestar.MatchUnvalidated(g.Pattern, folder))
}

// Below reports whether the glob may match something below a folder.
func (g *Glob) Below(folder string) bool {
	if g.folders == nil {
		return true
	}
	for i, part := range g.folders {
		if part.pattern == "**" {
			return true
		}
		name, rest, more := strings.Cut(folder, "/")
		if !matches(part.plain, name) {
			return false
		}
		if !more {
			return i+1 < len(g.folders) // a part must remain for the file
		}
		folder = rest
	}
	return false
}

// Anywhere reports whether the glob can match in every folder.
func (g *Glob) Anywhere() bool { return g.folders == nil }

// ByName reports whether only the end of a path's last name decides.
func (g *Glob) ByName() bool { return g.suffixes != nil }

// A suffix is a string of which each byte may come in two cases.
type suffix [][2]byte

func (s suffix) ends(path string) bool {
	if len(path) < len(s) {
		return false
	}
	path = path[len(path)-len(s):]
	for i, c := range s {
		if path[i] != c[0] && path[i] != c[1] {
			return false
		}
	}
	return true
}

// suffixes returns the literal ends that "**/*END" and "**/*{END,END}" stand
// for, or nil for all other patterns.
func suffixes(pattern string) []suffix {
	end, ok := strings.CutPrefix(pattern, "**/*")
	if !ok {
		return nil
	}
	head, braces, _ := strings.Cut(end, "{")
	list, tail, closed := strings.Cut(braces, "}")
	if strings.Contains(end, "{") && (!closed || tail != "") {
		return nil
	}
	var all []suffix
	for one := range strings.SplitSeq(list, ",") {
		s, ok := literal(head + one)
		if !ok {
			return nil
		}
		all = append(all, s)
	}
	return all
}

// literal returns a pattern of plain bytes and classes of two, such as [hH].
func literal(pattern string) (suffix, bool) {
	s := suffix{}
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '[' && isPair(pattern[i:]):
			s = append(s, [2]byte{pattern[i+1], pattern[i+2]})
			i += 3
		case strings.IndexByte(`*?[]{}\/,`, c) >= 0:
			return nil, false
		default:
			s = append(s, [2]byte{c, c})
		}
	}
	return s, true
}

// isPair reports whether a pattern begins with a class of two plain bytes.
func isPair(pattern string) bool {
	return len(pattern) > 3 && pattern[3] == ']' && strings.IndexByte(`!^-[]\/`, pattern[1]) < 0 && strings.IndexByte(`-[]\/`, pattern[2]) < 0
}

// foldersOf splits a pattern into its parts, or returns nil if it can match in
// every folder, or if a slash may stand inside of braces or a class.
func foldersOf(pattern string) (all []folder) {
	if strings.HasPrefix(pattern, "**") || strings.Contains(pattern, `\/`) {
		return nil
	}
	for d := range depths(pattern) {
		if (d.class || d.braces > 0) && d.c == '/' {
			return nil
		}
	}
	parts := strings.Split(pattern, "/")
	if slices.ContainsFunc(parts, func(p string) bool { return p != "**" && strings.Contains(p, "**") }) {
		return nil // doublestar takes "{a,**}" for several parts
	}
	for _, p := range parts {
		all = append(all, folder{p, opened(p, mostChoices)})
	}
	return all
}

// Quote returns a glob that matches one path and nothing else.
func Quote(path string) string { return quoted.Replace(path) }

var quoted = strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`, `}`, `\}`, `\`, `\\`)

// Package glob says whether a slash-separated path matches a pattern, as doublestar
// does.
//
// A site has a million paths, so it compares the ends of names itself and asks
// doublestar about all other patterns. It refuses to look at files.
package glob

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A Glob is a pattern of doublestar.
type Glob struct {
	Pattern string
	plain   []string   // the pattern without braces, one for each choice that they leave
	ends    []ending   // of "**/*END": the path ends in one of them; nil for other patterns
	seams   bool       // it matches less than plain: "a/{b,**}" does not match a, and "a/**" does
	folders [][]string // its parts, each as plain has it, to tell which folders it can match in; nil: in all
	tree    bool       // "FOLDER/**": a folder that matches is matched with all below
}

// New returns the glob of a pattern. The error quotes it and says what would be
// right.
func New(pattern string) (Glob, error) {
	if end := endOf(pattern); end != nil { // most sites have no other globs
		return Glob{Pattern: pattern, plain: []string{pattern}, ends: []ending{end}}, nil
	}
	if wrong := mistake(pattern); wrong != "" {
		return Glob{}, fmt.Errorf("%q %s", pattern, wrong)
	}
	plain := Choices(pattern)
	if plain == nil {
		return Glob{}, fmt.Errorf("%.100q has braces with more than %d choices; write several globs", pattern, mostChoices)
	}
	return Glob{
		Pattern: pattern,
		plain:   plain,
		ends:    endsOf(plain),
		seams:   strings.Contains(pattern, "{") && slices.ContainsFunc(plain, func(p string) bool { return strings.Contains(p, "**") }),
		folders: foldersOf(pattern),
		tree:    strings.HasSuffix(pattern, "/**") && !strings.HasSuffix(pattern, `\/**`),
	}, nil
}

// Match reports whether a path matches. It allocates nothing.
func (g *Glob) Match(path string) bool {
	if g.ends == nil {
		return matches(g.plain, path) && (!g.seams || doublestar.MatchUnvalidated(g.Pattern, path))
	}
	for _, end := range g.ends {
		if end.is(path) {
			return true
		}
	}
	return false
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
	return g.tree && g.Match(folder)
}

// Below reports whether the glob may match something below a folder.
func (g *Glob) Below(folder string) bool {
	if g.folders == nil {
		return true
	}
	for i, part := range g.folders {
		if part[0] == "**" {
			return true
		}
		name, rest, more := strings.Cut(folder, "/")
		if !matches(part, name) {
			return false
		}
		if !more {
			return i+1 < len(g.folders) // a part must remain for the file
		}
		folder = rest
	}
	return false
}

// An ending is what a path ends in; each of its bytes may come in two cases.
type ending [][2]byte

func (e ending) is(path string) bool {
	if path == "" || len(path) < len(e) {
		return false
	}
	path = path[len(path)-len(e):]
	for i, c := range e {
		if path[i] != c[0] && path[i] != c[1] {
			return false
		}
	}
	return true
}

// endsOf returns the ending of each of some patterns, or nil if one has none.
func endsOf(plain []string) (ends []ending) {
	for _, p := range plain {
		end := endOf(p)
		if end == nil {
			return nil
		}
		ends = append(ends, end)
	}
	return ends
}

// endOf returns what a path ends in that matches "**/*END", where END has plain bytes
// and classes of two, such as [hH]; nil for all other patterns.
func endOf(pattern string) ending {
	pattern, ok := strings.CutPrefix(pattern, "**/*")
	if !ok {
		return nil
	}
	end := ending{}
	for i := 0; i < len(pattern); i++ {
		c := pattern[i]
		switch {
		case c == '[' && isPair(pattern[i:]):
			end = append(end, [2]byte{pattern[i+1], pattern[i+2]})
			i += 3
		case strings.IndexByte(`*?[]{}\/,`, c) >= 0:
			return nil
		default:
			end = append(end, [2]byte{c, c})
		}
	}
	return end
}

// isPair reports whether a pattern begins with a class of two plain bytes.
func isPair(pattern string) bool {
	return len(pattern) > 3 && pattern[3] == ']' && strings.IndexByte(`!^-[]\/`, pattern[1]) < 0 && strings.IndexByte(`-[]\/`, pattern[2]) < 0
}

// foldersOf splits a pattern into its parts, or returns nil if it can match in
// every folder, or if a slash may stand inside of braces or a class.
func foldersOf(pattern string) (all [][]string) {
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
		all = append(all, Choices(p))
	}
	return all
}

// Quote returns a glob that matches one path and nothing else.
func Quote(path string) string { return quoted.Replace(path) }

var quoted = strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`, `}`, `\}`, `\`, `\\`)

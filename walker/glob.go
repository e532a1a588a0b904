package walker

import (
	"fmt"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// A glob is a pattern of doublestar, and what makes the common ones fast.
type glob struct {
	pattern  string
	suffixes []suffix // of "**/*SUFFIX": the path ends in one of them; nil: ask doublestar
	folders  []string // its parts, to tell which folders it can match in; nil: in all
	tree     bool     // "FOLDER/**": a folder that matches is matched with all below
}

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

func (g *glob) match(path string) bool {
	if g.suffixes == nil {
		return doublestar.MatchUnvalidated(g.pattern, path)
	}
	for _, s := range g.suffixes {
		if s.ends(path) {
			return true
		}
	}
	return false
}

// all reports whether the glob matches everything below a folder.
func (g *glob) all(folder string) bool {
	return g.tree && doublestar.MatchUnvalidated(g.pattern, folder)
}

// below reports whether the glob may match something below a folder.
func (g *glob) below(folder string) bool {
	if g.folders == nil {
		return true
	}
	for i, part := range g.folders {
		if part == "**" {
			return true
		}
		name, rest, more := strings.Cut(folder, "/")
		if !doublestar.MatchUnvalidated(part, name) {
			return false
		}
		if !more {
			return i+1 < len(g.folders) // a part must remain for the file
		}
		folder = rest
	}
	return false
}

func compile(pattern string) (glob, error) {
	if wrong := mistake(pattern); wrong != "" {
		return glob{}, fmt.Errorf("glob %q %s", pattern, wrong)
	}
	return glob{
		pattern:  pattern,
		suffixes: suffixes(pattern),
		folders:  folders(pattern),
		tree:     strings.HasSuffix(pattern, "/**") && !strings.HasSuffix(pattern, `\/**`),
	}, nil
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

// isPair reports whether a pattern begins with a class of two letters.
func isPair(pattern string) bool {
	return len(pattern) > 3 && pattern[3] == ']' && isLetter(pattern[1]) && isLetter(pattern[2])
}

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// folders splits a pattern into its parts, or returns nil if it can match in
// every folder, or if a slash may stand inside of braces or a class.
func folders(pattern string) []string {
	if strings.HasPrefix(pattern, "**") || strings.Contains(pattern, `\/`) {
		return nil
	}
	for inside, c := range depths(pattern) {
		if inside && c == '/' {
			return nil
		}
	}
	parts := strings.Split(pattern, "/")
	if slices.ContainsFunc(parts, func(p string) bool { return p != "**" && strings.Contains(p, "**") }) {
		return nil // doublestar takes "{a,**}" for several parts
	}
	return parts
}

// Quote returns a glob that matches one path and nothing else.
func Quote(path string) string {
	return strings.NewReplacer(`*`, `\*`, `?`, `\?`, `[`, `\[`, `{`, `\{`, `}`, `\}`, `\`, `\\`).Replace(path)
}

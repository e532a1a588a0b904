package glob

import (
	"io/fs"
	"path"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

var globSeeds = []string{
	"a/**", "/tags/**", "**/*.html", "a**b", "a/**/b", "**/b", "{a,b}/**", "a{/**,x}", "x{,/**}", "[a-c]*/d",
	`a\*b`, "a?c", "**", "a/**/", "/", "/**", "a/{b,c}.html", "**/index.html", "a/*/c", `\[a]`, "**/*.[hH][tT]", "**/*{.a,[bB]}", "**/*[!a]", "**/*[a-]", "*.[ab]",
	"x[^/]/b", "**/**[!a][!a]", "*[!a][!a]", `a\/b/*`, "b/*/c", "{d,e}/f/*", "[gh]/**", "i*/j/**", "a/*",
}

// FuzzGlob checks Match against doublestar.Match for each expanded pattern. It also checks
// CanMatchBelow and MatchesTree for all parent folders of a file.
func FuzzGlob(f *testing.F) {
	for _, p := range globSeeds {
		for _, s := range []string{"a", "a/b", "tags/x", "b", "axb", "a/x/b.html", "a*b", "[a]", "xy/b", "d/f/g", "a/b/c"} {
			f.Add(p, s)
		}
	}
	f.Fuzz(func(t *testing.T, pattern, file string) {
		g, err := New(pattern)
		if err != nil || !utf8.ValidString(pattern) || !fs.ValidPath(file) || len(file) > 64 { // doublestar takes any two broken bytes for equal
			return
		}
		want := slices.ContainsFunc(ExpandBraces(pattern), func(c string) bool {
			ok, err := doublestar.Match(c, file)
			return ok && err == nil
		})
		if got := g.Match(file); got != want {
			t.Errorf("%q matches %q: %v, want %v", pattern, file, got, want)
		}
		for folder := path.Dir(file); folder != "."; folder = path.Dir(folder) {
			if want && !g.CanMatchBelow(folder) {
				t.Errorf("%q matches %q, but can match nothing below %q", pattern, file, folder)
			}
			if !want && g.MatchesTree(folder) {
				t.Errorf("%q matches all below %q, but not %q", pattern, folder, file)
			}
		}
	})
}

func TestCanMatchBelowSelectsFolders(t *testing.T) {
	tests := map[string]struct{ in, out []string }{
		"a/**":        {in: []string{"a", "a/b", "a/b/c"}, out: []string{"b", "b/a"}},
		"a***/**":     {in: []string{"a", "a/b"}},
		"b/*/c":       {in: []string{"b", "b/x"}, out: []string{"c", "b/x/c"}},
		"{d,e}/f/*":   {in: []string{"d", "e/f"}, out: []string{"f", "d/g", "e/f/g"}},
		"*.html":      {out: []string{"a", "a/b"}},
		"**/*.html":   {in: []string{"a", "a/b"}},
		"a/**/b/*.md": {in: []string{"a", "a/x/y"}, out: []string{"b"}},
	}
	for pattern, tt := range tests {
		g, err := New(pattern)
		if err != nil {
			t.Fatal(err)
		}
		for i, folder := range slices.Concat(tt.in, tt.out) {
			if got := g.CanMatchBelow(folder); got != (i < len(tt.in)) {
				t.Errorf("%q below %q: %v", pattern, folder, got)
			}
		}
	}
}

func TestListFindsIndexes(t *testing.T) {
	var l List
	for _, pattern := range []string{"b/**", "a/*", "**/k"} {
		g, err := New(pattern)
		if err != nil {
			t.Fatal(err)
		}
		l = append(l, g)
	}
	if got := l.MatchingIndexes("a/k"); !slices.Equal(got, []int{1, 2}) || l.FirstMatch("a/k") != 1 || l.FirstMatch("x") != -1 {
		t.Errorf("%v match a/k, and %d first, %d x", got, l.FirstMatch("a/k"), l.FirstMatch("x"))
	}
}

// TestExpandBraces checks that New rejects a pattern with more than maxChoices choices, because
// Match tries each choice on each path.
func TestExpandBraces(t *testing.T) {
	for pattern, want := range map[string]int{
		"a/{b,c}/*.{x,y,z}":                                       6,
		"{a,{b,c}d}{e,}":                                          6,
		`\{a,b\}[{,}]`:                                            1,
		strings.Repeat("{a,b}", 8):                                maxChoices,
		strings.Repeat("{a,b}", 9):                                0,
		strings.Repeat("{a,aa,?}*", 30):                           0,
		"{" + strings.Repeat("a,", 1<<20) + "}":                   0,
		strings.Repeat("{a,", 1<<15) + strings.Repeat("}", 1<<15): 0,
	} {
		g, err := New(pattern)
		if len(g.choices) != want || (err != nil) != (want == 0) {
			t.Errorf("%.30q leaves %d choices, want %d: %.200v", pattern, len(g.choices), want, err)
		}
	}
}

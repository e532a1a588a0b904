package glob

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"
)

var globSeeds = []string{
	"a/**", "/tags/**", "**/*.html", "a**b", "a/**/b", "**/b", "{a,b}/**", "a{/**,x}", "x{,/**}", "[a-c]*/d",
	`a\*b`, "a?c", "**", "a/**/", "/", "/**", "a/{b,c}.html", "**/index.html", "a/*/c", `\[a]`, "**/*.[hH][tT]", "**/*{.a,[bB]}", "**/*[!a]", "**/*[a-]", "*.[ab]",
}

func FuzzGlob(f *testing.F) {
	for _, p := range globSeeds {
		for _, s := range []string{"a", "a/", "a/b", "/tags/", "b", "axb", "a/x/b.html", "a*b", "[a]", "/"} {
			f.Add(p, s)
		}
	}
	f.Fuzz(func(t *testing.T, pattern, s string) {
		if strings.Count(pattern, "*")+strings.Count(pattern, "{") > 8 || len(s) > 64 {
			t.Skip("doublestar may take minutes")
		}
		g, err := New(pattern)
		want, bad := doublestar.Match(pattern, s)
		if err != nil || bad != nil || !utf8.ValidString(pattern) || !utf8.ValidString(s) { // doublestar takes any two broken bytes for equal
			return
		}
		if got := g.Match(s); got != want {
			t.Errorf("%q matches %q: %v, doublestar says %v", pattern, s, got, want)
		}
		var many List
		for range fewGlobs + 1 {
			many.Add(g)
		}
		if got := len(many.Matching(s)) == many.Len(); got != want {
			t.Errorf("a list with %q finds it for %q: %v", pattern, s, got)
		}
	})
}

// A pattern whose braces leave many choices is refused: each choice is tried for each path.
func TestChoices(t *testing.T) {
	for pattern, want := range map[string]int{
		"a/{b,c}/*.{x,y,z}":                                       6,
		"{a,{b,c}d}{e,}":                                          6,
		`\{a,b\}[{,}]`:                                            1,
		strings.Repeat("{a,b}", 8):                                mostChoices,
		strings.Repeat("{a,b}", 9):                                0,
		strings.Repeat("{a,aa,?}*", 30):                           0,
		"{" + strings.Repeat("a,", 1<<20) + "}":                   0,
		strings.Repeat("{a,", 1<<15) + strings.Repeat("}", 1<<15): 0,
	} {
		g, err := New(pattern)
		if len(g.plain) != want || (err != nil) != (want == 0) {
			t.Errorf("%.30q leaves %d choices, want %d: %.200v", pattern, len(g.plain), want, err)
		}
	}
}

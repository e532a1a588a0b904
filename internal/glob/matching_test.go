package glob

import (
	"fmt"
	"slices"
	"testing"
)

// A list finds what each glob of it matches.
func TestMatching(t *testing.T) {
	paths := []string{"a", "a/", "a/b", "/tags/", "b", "axb", "a/x/b.html", "a*b", "[a]", "/", "a/b/c", "x/y", "x", "a/b.html", "index.html", "x/index.HTML", "ä/b"}
	var list List
	for _, pattern := range append(globSeeds, "a?", "?/b", "a/?*/**/b*", "a/**", "ä/*", "**/b/**", "*/*", "{x,{a,b}/}*", "{a,a/**}", "[ab]/**", `\a/{b,x}`, "{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,a}/**") {
		if g, err := New(pattern); err == nil {
			list.Add(g)
		}
	}
	if list.Len() <= fewGlobs {
		t.Fatalf("%d globs are tried one by one", list.Len())
	}
	for _, path := range paths {
		var want []int
		for i := range list.globs {
			if list.globs[i].Match(path) {
				want = append(want, i)
			}
		}
		if got := list.Matching(path); !slices.Equal(got, want) {
			t.Errorf("%s: %v match, want %v", path, got, want)
		}
		if got := list.First(path); got != want[0] {
			t.Errorf("%s: %d is the first to match, want %d", path, got, want[0])
		}
	}
}

// Of thousands of globs that do not match a path, few are tried.
func TestManyGlobsAreNotTried(t *testing.T) {
	for _, format := range []string{"a%d/**", "**/a%d/**", "*/a%d", "/*a%d/**", "**/*-a%d.html", "a?%d{b,c}/*", "{b,c}/a%d/**", "[bc]/a%d", "{x%d,y%[1]d}/**", "\\\\a%d", "{b,{c,d}x%d}e"} {
		var list List
		for i := range 2000 {
			g, err := New(fmt.Sprintf(format, i))
			if err != nil {
				t.Fatal(err)
			}
			list.Add(g)
		}
		tried := 0
		for _, path := range []string{"p5/index.html", "/p5/", "a/b", "x/a7/y", "a1999/x"} {
			tried += len(list.likely(&list.matches, path))
		}
		if tried > 50 {
			t.Errorf("%s: %d globs are tried for five paths", format, tried)
		}
	}
}

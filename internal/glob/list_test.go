package glob

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Many globs give the answers that each of them gives.
func TestList(t *testing.T) {
	var few, many List
	add := func(l *List, pattern string) {
		g, err := New(pattern)
		if err != nil {
			t.Fatal(err)
		}
		l.Add(g)
	}
	for i := range 200 {
		add(&many, fmt.Sprintf("x%d/**", i))
	}
	for _, pattern := range []string{"a/**", "b/*/c", "{d,e}/f/*", "[gh]/**", "i*/j/**", "**/k", "a/*"} {
		add(&few, pattern)
		add(&many, pattern)
	}
	for _, path := range []string{"a", "a/b", "a/b/c", "b", "b/x", "b/x/c", "d", "d/f", "e/f/x", "g", "h/x/y", "i", "ij/j/x", "x/k", "k", "x7", "x7/y", "z"} {
		want := few.First(path)
		if want >= 0 {
			want += 200
		} else if i := slices.Index([]string{"x7", "x7/y"}, path); i >= 0 {
			want = 7
		}
		if got := many.First(path); got != want {
			t.Errorf("glob %d is the first to match %q, want %d", got, path, want)
		}
		if want == 7 {
			continue
		}
		for i := range few.globs {
			var one List
			one.Add(few.globs[i])
			if one.Below(path) && !many.Below(path) || one.All(path) && !many.All(path) {
				t.Errorf("%s: Below and All differ at %q", few.globs[i].Pattern, path)
			}
		}
	}
}

// Of many globs few are asked about a path or a folder.
func TestListAsksFew(t *testing.T) {
	var l List
	for i := range 2000 {
		g, err := New(fmt.Sprintf("s%d/a/*", i))
		if err != nil {
			t.Fatal(err)
		}
		l.Add(g)
	}
	asked := len(l.likely(&l.matches, "s77")) + len(l.likely(&l.begins, "s77"))
	if asked > 2 || !l.Below("s77") || !l.Below("s77/a") || l.Below("s2000") || l.First("s77/a/b") != 77 {
		t.Errorf("%d globs are asked", asked)
	}
}

// FuzzList gives many globs and each of them the same questions.
func FuzzList(f *testing.F) {
	for _, p := range globSeeds {
		f.Add(p+"\n"+globSeeds[0], "a/b/c", "a")
		f.Add("x\n{a,b}/{c,**}\n"+p, "a/b", "a/b")
	}
	f.Add("\xce", "\x80", "a") // two halves of one letter
	f.Fuzz(func(t *testing.T, patterns, path, folder string) {
		if strings.Count(patterns, "*")+strings.Count(patterns, "{") > 12 || len(path) > 64 || path == "" || folder == "." || !fs.ValidPath(folder) || !utf8.ValidString(patterns) || !utf8.ValidString(path) {
			t.Skip("a glob may take long; any two broken bytes are equal")
		}
		var few, many List
		for pattern := range strings.SplitSeq(patterns, "\n") {
			if g, err := New(pattern); err == nil && few.Len() < fewGlobs {
				few.Add(g)
				many.Add(g)
			}
		}
		filler, err := New("filler/\x01")
		if err != nil {
			t.Fatal(err)
		}
		for range fewGlobs + 1 {
			many.Add(filler)
		}
		if path == filler.Pattern || strings.HasPrefix("filler/", folder) {
			return
		}
		if got, want := many.First(path), few.First(path); got != want {
			t.Errorf("%q at %q: %d, want %d", patterns, path, got, want)
		}
		if few.Below(folder) && !many.Below(folder) || few.All(folder) != many.All(folder) {
			t.Errorf("%q: below %q %v, want %v; all %v, want %v", patterns, folder, many.Below(folder), few.Below(folder), many.All(folder), few.All(folder))
		}
	})
}

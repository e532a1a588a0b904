package robots

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// expression is what a normalized pattern means, as Google documents it.
func expression(pattern string) *regexp.Regexp {
	pattern, end := strings.CutSuffix(pattern, "$")
	expr := "^" + strings.ReplaceAll(regexp.QuoteMeta(pattern), `\*`, ".*")
	if end {
		expr += "$"
	}
	return regexp.MustCompile(expr)
}

// Rules that are tried all at once decide as when each is tried alone.
func TestRulesDecide(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	word := func() string {
		letters := make([]byte, r.IntN(9))
		for i := range letters {
			letters[i] = "ab/*"[r.IntN(4)]
		}
		return "/" + string(letters)
	}
	decided := 0
	for range 50 {
		read := parser{strongest: map[string]rule{}}
		var all []rule
		var patterns []*regexp.Regexp
		for i := range r.IntN(300) {
			pattern := word() + []string{"", "", "", "$"}[r.IntN(4)]
			one := rule{allow: r.IntN(2) == 0, length: len(pattern), line: Line{Number: i}}
			read.add(pattern, one)
			all, patterns = append(all, one), append(patterns, expression(pattern))
		}
		rules := read.compiled()
		for range 40 {
			path := strings.ReplaceAll(word()+word(), "*", "")
			var want *rule
			for i := range all {
				if patterns[i].MatchString(path) && (want == nil || all[i].isStronger(want)) {
					want = &all[i]
				}
			}
			got := rules.decides(path)
			if (got == nil) != (want == nil) || got != nil && *got != *want {
				t.Fatalf("%v\n%s: %+v decides, want %+v", patterns, path, got, want)
			}
			if want != nil {
				decided++
			}
		}
	}
	if decided < 1000 {
		t.Errorf("only %d paths were decided", decided)
	}
}

// A pattern means what the expression that Google documents means.
func FuzzRule(f *testing.F) {
	for _, p := range []string{"/a*b$", "/", "*", "/*", "/a$", "/a$b", "*a*", "/fish*.php", "/**x", "*$", "/a*$", "/%c3%bc", "/%"} {
		f.Add(p, "/fish.php")
		f.Add(p, "/ab")
	}
	f.Fuzz(func(t *testing.T, pattern, path string) {
		normalized, ok := normalize(pattern)
		if !ok {
			return
		}
		read := parser{strongest: map[string]rule{}}
		read.add(normalized, rule{})
		rules := read.compiled()
		path = encoded(path)
		if want, got := expression(normalized).MatchString(path), rules.decides(path) != nil; got != want {
			t.Errorf("%q (%s) matches %q: %v", pattern, normalized, path, got)
		}
	})
}

package mapping

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

func TestMatching(t *testing.T) {
	var rules []Rule
	for _, p := range []string{"blog/**", "/tags/**", "**/*.html", "/tags/*", "/", "blog/a b.html", "**"} {
		rules = append(rules, Rule{Match: p})
	}
	r, err := NewRules(rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		file, content, urlPath string
		want                   string
	}{
		{"index.html", "", "/", "**/*.html / **"},
		{"blog/a b.html", "", "/blog/a b", "blog/** **/*.html blog/a b.html **"},
		{"tags/go/index.html", "", "/tags/go/", "/tags/** **/*.html **"},
		{"tags/go.html", "", "/tags/go", "/tags/** **/*.html /tags/* **"},
		{"tagsoup/go.html", "", "/tagsoup/go", "**/*.html **"},
		{"", "", "/tags/", "/tags/** /tags/*"},
		{"posts/a/index.html", "blog/a.md", "/posts/a/", "blog/** **/*.html **"},
		{"tags/index.html", "blog/a b.html", "/tags/", "blog/** /tags/** **/*.html /tags/* blog/a b.html **"},
	} {
		var got []string
		for i, rule := range r.Matching(c.file, c.content, c.urlPath) {
			if rule != r.At(i) {
				t.Errorf("rule %d is not At(%d)", i, i)
			}
			got = append(got, rule.Match)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s at %s: %s, want %s", c.file, c.urlPath, s, c.want)
		}
	}
}

func TestFirstMatch(t *testing.T) {
	r, err := NewRules([]Rule{{Match: "**"}, {Match: "/a/**"}, {Match: "/{b,a}/*"}, {Match: "/**/c"}})
	if err != nil {
		t.Fatal(err)
	}
	for urlPath, want := range map[string]int{"/a/c": 1, "/b/c": 2, "/c": 3, "/x": -1, "": -1} {
		if got := r.FirstMatch(urlPath); got != want {
			t.Errorf("rule %d is the first for %q, want %d", got, urlPath, want)
		}
	}
	if got := new(Rules).FirstMatch("/"); got != -1 {
		t.Errorf("of no rules %d is the first", got)
	}
}

func TestMatchingStopsAfterBreak(t *testing.T) {
	r, _ := NewRules([]Rule{{Match: "**"}, {Match: "a*"}})
	for i := range r.Matching("a", "", "/a") {
		if i > 0 {
			t.Error("Matching went on after break")
		}
		break
	}
}

func TestNewRulesQuotesABadGlob(t *testing.T) {
	for _, p := range []string{"blog/[a", "{a,b", ""} {
		if _, err := NewRules([]Rule{{Match: "ok"}, {Match: p}}); err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("NewRules(%q): %v", p, err)
		}
	}
}

func BenchmarkMatching(b *testing.B) {
	var rules []Rule
	for i := range 50 {
		rules = append(rules, Rule{Match: []string{"section%d/**", "/tags/%d/**", "**/page%d.html", "section%d/*/index.html", "/a/{b,c}/%d/*"}[i%5]})
		rules[i].Match = fmt.Sprintf(rules[i].Match, i)
	}
	r, err := NewRules(rules)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		for range r.Matching("section5/some-post/index.html", "content/section5/some-post.md", "/section5/some-post/") {
		}
	}
}

func TestRulesAreShared(t *testing.T) {
	r, _ := NewRules([]Rule{{Match: "a"}})
	if r.Len() != 1 || new(Rules).Len() != 0 || len(slices.Collect(func(yield func(int) bool) {
		for i := range new(Rules).Matching("a", "", "/a") {
			yield(i)
		}
	})) != 0 {
		t.Error("the zero Rules match something")
	}
}

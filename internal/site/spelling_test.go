package site

import (
	"testing"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
)

// Each case says more than the one before, and the first that fits decides.
func TestSpell(t *testing.T) {
	base, err := mapping.ParseBase("https://example.com/docs/")
	if err != nil {
		t.Fatal(err)
	}
	const source = "content/a.md"
	for _, tt := range []struct {
		name  string
		say   func(s *addresses, f *spelledPage)
		other string // a page beside it
		want  string
		how   string
	}{
		{"nothing", nil, "", "a.html", "from the path a.html as a plain file server serves it"},
		{"the generator", func(_ *addresses, f *spelledPage) { f.Generated = mapping.Slashed }, "", "a/", "spelled as the generator writes it for content/a.md"},
		{"og:url", func(_ *addresses, f *spelledPage) { f.OG, f.Generated = mapping.Bare, mapping.Slashed }, "", "a", "spelled as the page's og:url does"},
		{"canonical", func(_ *addresses, f *spelledPage) { f.Says, f.OG = mapping.Slashed, mapping.Bare }, "", "a/", "spelled as the page's canonical link does"},
		{"an address of another page", func(_ *addresses, f *spelledPage) { f.Says = mapping.Slashed }, "a/index.html", "a.html", "from the path a.html as a plain file server serves it"},
		{"given", func(s *addresses, f *spelledPage) {
			s.Given, f.Says = map[string]int{base.String() + "a": 0}, mapping.Slashed
		}, "", "a", "spelled as the sitemaps that --from names list it"},
		{"given twice", func(s *addresses, _ *spelledPage) {
			s.Given = map[string]int{base.String() + "a/": 1, base.String() + "a": 2, base.String() + "a.html": 3}
		}, "a/index.html", "a", "spelled as the sitemaps that --from names list it"},
		{"settings", func(s *addresses, f *spelledPage) { s.Parts[0].overrides.HTML, f.Says = true, mapping.Bare }, "", "a.html", "from the path a.html, as urls in the configuration says"},
	} {
		part := facts.Part{Base: base}
		exists := func(file string) bool { return file == "a.html" || file == tt.other }
		s := &addresses{Parts: []Part{newPart(part, hosting.Unknown, StyleOverrides{}, exists)}}
		fact := facts.Parts{part}.At("a.html")
		f := spelledPage{Page: &fact}
		if tt.say != nil {
			tt.say(s, &f)
		}
		if got, how := s.Spell(f).FileLoc, s.How(f, source); got != base.String()+tt.want || how != tt.how {
			t.Errorf("%s: %s, %s", tt.name, got, how)
		}
	}
}

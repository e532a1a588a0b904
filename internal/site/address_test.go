package site

import (
	"testing"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
)

// TestChooseEnding checks which evidence decides about an address. Each case adds stronger evidence
// to the case before.
func TestChooseEnding(t *testing.T) {
	base, err := mapping.ParseBase("https://example.com/docs/")
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		say   func(w *World, f *facts.Page, src *ContentFile)
		other string // a page beside it
		want  string
		how   string
	}{
		{"nothing", nil, "", "a.html", "from the path a.html as a plain file server serves it"},
		{"the generator", func(_ *World, f *facts.Page, src *ContentFile) { src.ending = mapping.Slashed }, "", "a/", "spelled as the generator writes it for content/a.md"},
		{"og:url", func(_ *World, f *facts.Page, src *ContentFile) {
			f.OGEnding, src.ending = mapping.Bare, mapping.Slashed
		}, "", "a", "spelled as the page's og:url does"},
		{"canonical", func(_ *World, f *facts.Page, src *ContentFile) {
			f.CanonicalEnding, f.OGEnding = mapping.Slashed, mapping.Bare
		}, "", "a/", "ends as the page's canonical link does"},
		{"an address of another page", func(_ *World, f *facts.Page, src *ContentFile) { f.CanonicalEnding = mapping.Slashed }, "a/index.html", "a.html", "from the path a.html as a plain file server serves it"},
		{"given", func(w *World, f *facts.Page, src *ContentFile) {
			w.fromIndex, f.CanonicalEnding = map[string]int{base.String() + "a": 0}, mapping.Slashed
		}, "", "a", "spelled as the sitemaps that --from names list it"},
		{"given twice", func(w *World, _ *facts.Page, _ *ContentFile) {
			w.fromIndex = map[string]int{base.String() + "a/": 1, base.String() + "a": 2, base.String() + "a.html": 3}
		}, "a/index.html", "a", "spelled as the sitemaps that --from names list it"},
		{"settings", func(w *World, f *facts.Page, src *ContentFile) {
			w.Parts[0].overrides.HTML, f.CanonicalEnding = true, mapping.Bare
		}, "", "a.html", "from the path a.html, as urls in the configuration says"},
		{"settings and a canonical that fits them", func(w *World, f *facts.Page, src *ContentFile) {
			w.Parts[0].overrides.HTML, f.CanonicalEnding = true, mapping.FileName
		}, "", "a.html", "ends as the page's canonical link does"},
	} {
		part := facts.Part{Base: base}
		exists := func(file string) bool { return file == "a.html" || file == tt.other }
		w := &World{Parts: []Part{newPart(part, hosting.Unknown, StyleOverrides{}, exists)}}
		w.Options.Content, w.Mapping = &facts.Tree{Name: "content"}, &w.Options.Mapping
		f := facts.Parts{part}.NewPage("a.html")
		src := &ContentFile{Content: &facts.Content{File: "a.md"}}
		if tt.say != nil {
			tt.say(w, &f, src)
		}
		if got, how := w.chooseAddress(&f, src).FileLoc, w.ExplainURL(&Page{Facts: &f, Content: src}); got != base.String()+tt.want || how != tt.how {
			t.Errorf("%s: %s, %s", tt.name, got, how)
		}
	}
}

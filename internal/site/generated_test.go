package site

import (
	"slices"
	"testing"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// generated returns the pages and the content files of a synthetic site.
func generated(g testsite.SyntheticSite) (pages, content map[string]string) {
	pages, content = map[string]string{"404.html": "<title>Not found</title>"}, map[string]string{}
	for i := range g.Pages {
		p := g.Page(i)
		pages[p.Path()] = string(g.AppendHTML(nil, p))
		if p.Kind != testsite.Redirect {
			content[p.ContentPath()] = string(g.AppendMarkdown(nil, p))
		}
	}
	return pages, content
}

// TestGenerated checks that a synthetic site has no findings, except about dangling alternates that
// its Shares request.
func TestGenerated(t *testing.T) {
	for _, c := range []struct {
		name   string
		shares testsite.Shares
		codes  []string
		named  int // alternates of all listed pages
	}{
		{name: "plain"},
		{name: "standard", shares: testsite.Standard},
		{name: "languages", shares: testsite.Shares{Beside: 30, Languages: 4}, named: 5 * 4 * 92},
		{name: "dangling", shares: testsite.Shares{Dangling: 33}, codes: []string{"alternate-missing"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			pages, content := generated(testsite.SyntheticSite{Pages: 100 * max(c.shares.Languages, 1), Shares: c.shares})
			_, r := build(t, Options{Options: facts.Options{Page: page.Options{Alternates: true}}}, pages, content)
			if got := codes(r); !slices.Equal(got, c.codes) {
				t.Errorf("the findings are %q, want %q", got, c.codes)
			}
			named := 0
			for i := range r.List {
				var e sitemap.Entry
				r.Entries(r.List).Entry(i, &e)
				named += len(e.Alternates)
			}
			if named != c.named {
				t.Errorf("the entries name %d alternates, want %d", named, c.named)
			}
		})
	}
}

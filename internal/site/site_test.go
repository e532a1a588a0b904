package site

import (
	"slices"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/walker"
)

func TestMain(m *testing.M) {
	testsite.SpeedUp()
	m.Run()
}

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

// build reads a site from files in memory, and calls Relate and ListPages.
func build(t *testing.T, o Options, pages, content map[string]string) (*World, *Result) {
	t.Helper()
	base, err := mapping.ParseBase("https://example.com/")
	if err != nil {
		t.Fatal(err)
	}
	o.Base, o.Now = base, noon
	if o.LastMod == nil {
		o.LastMod = []string{"rule", "frontmatter", "html", "date"}
	}
	o.Pages, o.Content = tree(t, "public", pages, walker.HTMLFiles), tree(t, "content", content, walker.ContentFiles)
	s := known(t, o)
	return s, ListPages(s, noon)
}

func tree(t *testing.T, name string, files map[string]string, include []string) *facts.Tree {
	if files == nil {
		return nil
	}
	fsys := fstest.MapFS{}
	for file, text := range files {
		fsys[file] = &fstest.MapFile{Data: []byte(text)}
	}
	filter, err := walker.NewFilter(include, []string{"excluded/**"})
	if err != nil {
		t.Fatal(err)
	}
	return &facts.Tree{Files: walker.FS(fsys), Filter: filter, Name: name}
}

func locs(r *Result) []string {
	var out []string
	var e sitemap.Entry
	for i := range r.List {
		r.Entries(r.List).Entry(i, &e)
		out = append(out, e.Loc)
	}
	return out
}

func codes(r *Result) []string {
	var out []string
	for _, k := range found(r) {
		out = append(out, k.Code)
	}
	return out
}

func canonical(to string) string {
	return `<!DOCTYPE html><html lang="en"><head><title>t</title><link rel="canonical" href="` + to + `"></head><body>x</body></html>`
}

const plain = `<!DOCTYPE html><title>t</title><p>text`

func TestCanonicals(t *testing.T) {
	const site = "https://example.com"
	tests := []struct {
		name  string
		pages map[string]string
		want  []string
		codes []string
	}{
		{"own address", map[string]string{"a/index.html": canonical(site + "/a/")}, []string{site + "/a/"}, nil},
		{"another page", map[string]string{"a/index.html": canonical(site + "/b/"), "b/index.html": plain}, []string{site + "/b/"}, nil},
		{"relative", map[string]string{"a/index.html": canonical("../b/"), "b/index.html": plain}, []string{site + "/b/"}, nil},
		{
			"chain",
			map[string]string{"a.html": canonical("b.html"), "b.html": canonical("c.html"), "c.html": plain},
			[]string{site + "/c.html"},
			nil,
		},
		{
			"ring",
			map[string]string{"a.html": canonical("b.html"), "b.html": canonical("c.html"), "c.html": canonical("a.html")},
			[]string{site + "/a.html"},
			[]string{"canonical-cycle"},
		},
		{
			"into a ring",
			map[string]string{"0.html": canonical("b.html"), "a.html": canonical("b.html"), "b.html": canonical("a.html")},
			[]string{site + "/a.html"},
			[]string{"canonical-cycle"},
		},
		{"nowhere", map[string]string{"a.html": canonical(site + "/gone/")}, []string{site + "/a.html"}, []string{"canonical-ignored"}},
		{"another host", map[string]string{"a.html": canonical("https://elsewhere.org/a"), "b.html": plain}, []string{site + "/b.html"}, nil},
		{"local server", map[string]string{"a.html": canonical("http://localhost:1313/a")}, []string{site + "/a"}, nil},
		{"not http", map[string]string{"a.html": canonical("file:///home/me/a.html")}, []string{site + "/a.html"}, []string{"bad-canonical"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, r := build(t, Options{}, tt.pages, nil)
			if got := locs(r); !slices.Equal(got, tt.want) {
				t.Errorf("listed %q, want %q", got, tt.want)
			}
			if got := codes(r); !slices.Equal(got, tt.codes) {
				t.Errorf("findings %q, want %q", got, tt.codes)
			}
		})
	}
}

func TestContentFileSetsPage(t *testing.T) {
	pages := map[string]string{"posts/a/index.html": plain, "posts/b/index.html": plain, "posts/c/index.html": plain}
	content := map[string]string{
		"posts/a.md": "---\nlastmod: 2024-05-01\nsitemap: {priority: 0.8, changefreq: weekly}\n---\n",
		"posts/b.md": "---\nsitemap: false\n---\n",
		"posts/c.md": "+++\ndraft = true\n+++\n",
	}
	_, r := build(t, Options{}, pages, content)
	if got := locs(r); !slices.Equal(got, []string{"https://example.com/posts/a/"}) {
		t.Fatalf("listed %q", got)
	}
	var e sitemap.Entry
	r.Entries(r.List).Entry(0, &e)
	if got := e.LastMod.String() + " " + e.Priority.String() + " " + e.ChangeFreq.String(); got != "2024-05-01 0.8 weekly" {
		t.Errorf("entry says %q", got)
	}
	if r.ReasonCounts[page.OptedOut] != 1 || r.ReasonCounts[page.Draft] != 1 || r.Paired != 1 {
		t.Errorf("left out %v, paired %d", r.ReasonCounts, r.Paired)
	}
}

func TestRefreshToThePageItselfIsNoRedirect(t *testing.T) {
	refresh := func(to string) string {
		return `<title>t</title><meta http-equiv=refresh content="5; url=` + to + `">`
	}
	_, r := build(t, Options{}, map[string]string{
		"a/index.html": refresh("https://example.com/a/"), "b/index.html": refresh("./"), "c/index.html": refresh("../a/"),
	}, nil)
	if got := locs(r); !slices.Equal(got, []string{"https://example.com/a/", "https://example.com/b/"}) {
		t.Errorf("listed %q", got)
	}
}

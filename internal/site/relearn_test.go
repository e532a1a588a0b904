package site

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/generator"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/walker"
)

// A resultValue contains all values of a Result that must not depend on how the site was read.
type resultValue struct {
	Entries          []sitemap.Entry
	Left             any
	Kinds            []diag.Kind
	Paired, Unpaired int
	Dated            int
	Dates            map[string]int
	Ledger           string
}

func resultValueOf(r *Result) resultValue {
	out := resultValue{
		Left: r.ReasonCounts, Kinds: found(r),
		Paired: r.Paired, Unpaired: r.Unpaired, Dated: r.Dated, Dates: r.Dates,
	}
	if r.Ledger != nil {
		out.Ledger = string(r.Ledger.AppendTo(nil))
	}
	for i := range r.List {
		var e sitemap.Entry
		r.Entries(r.List).Entry(i, &e)
		out.Entries = append(out.Entries, e)
	}
	return out
}

// found returns the codes of all findings of a result, including those about links that have no
// effect.
func found(r *Result) []diag.Kind {
	report := new(diag.Report)
	report.Merge(r.Findings)
	r.Canonicals.Ignored.addFindings(report)
	r.AlternateProblems.addFindings(report)
	return report.Kinds()
}

// TestRelearnEqualsLearn makes random changes to a site, a few files at a time. It compares the
// entries and findings of an incremental build with those of a fresh build.
func TestRelearnEqualsLearn(t *testing.T) {
	for seed := range uint64(testsite.Repeat(8, 64)) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			e := &editor{seed: seed, rnd: rand.New(rand.NewPCG(seed, 1)), pages: fstest.MapFS{}, content: fstest.MapFS{}}
			e.edit(30)
			e.remember(t)
			e.edit(5)
			s := known(t, e.options(t, true))
			for round := range 15 {
				s = s.again(t, e.edit(1+e.rnd.IntN(5)))
				fresh := known(t, e.options(t, round%2 == 0))
				got, want := resultValueOf(ListPages(s, noon)), resultValueOf(ListPages(fresh, noon))
				if !reflect.DeepEqual(got, want) {
					t.Fatalf("round %d: incremental\n%+v\nfresh\n%+v", round, got, want)
				}
			}
		})
	}
}

// TestIndexMovesItsFolder removes and adds the index file that makes a folder a section, together
// with another file.
func TestIndexMovesItsFolder(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte("---\n" + text + "\n---\n")} }
	e := &editor{seed: 16, pages: fstest.MapFS{}, content: fstest.MapFS{"a/b/_index.md": file("title: B"), "a/b/y.md": file("slug: y")}}
	for _, name := range []string{"a/y/index.html", "a/b/y/index.html"} {
		e.pages[name] = &fstest.MapFile{}
	}
	s := known(t, e.options(t, true))
	for _, tt := range []struct{ index, source, page string }{
		{"", "c/new.md", "a/y/index.html"},
		{"title: B", "a/b/y.md", "a/b/y/index.html"},
		{"", "a/b/y.md", "a/y/index.html"},
	} {
		delete(e.content, "a/b/_index.md")
		if tt.index != "" {
			e.content["a/b/_index.md"] = file(tt.index)
		}
		e.content[tt.source] = file("slug: y")
		s = s.again(t, facts.Change{Content: []string{"a/b/_index.md", tt.source}})
		for i, r := range s.pages {
			if paired := s.pairs[i] != nil && s.pairs[i].File == "a/b/y.md"; paired != (r.File == tt.page) {
				t.Errorf("index %q: %s is paired: %v", tt.index, r.File, paired)
			}
		}
	}
}

// An editor makes random changes to a site in memory.
type editor struct {
	seed           uint64
	rnd            *rand.Rand
	memory         *ledger.Ledger
	pages, content fstest.MapFS
}

func (e *editor) options(t *testing.T, remember bool) Options {
	base, err := mapping.ParseBase("https://example.com/")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := mapping.NewRules([]mapping.Rule{
		{Match: "b/**", Set: sitemap.URL{ChangeFreq: sitemap.Daily}},
		{Match: "/c/x.html", Exclude: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	html, err := walker.NewFilter(walker.HTMLFiles, nil)
	if err != nil {
		t.Fatal(err)
	}
	source, err := walker.NewFilter(walker.ContentFiles, nil)
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Options: facts.Options{
			Base:     base,
			Remember: remember,
			MaxKept:  -1,
			Pages:    &facts.Tree{Files: walker.FS(e.pages), Filter: html, Name: "public"},
			Content:  &facts.Tree{Files: walker.FS(e.content), Filter: source, Name: "content"},
		},
		LastMod: []string{"frontmatter", "html", "date"},
		Now:     noon,
		Rules:   rules,
	}
	o.Page.Alternates = true
	e.more(&o)
	return o
}

// more sets further options, which differ between sites.
func (e *editor) more(o *Options) {
	if e.seed&1 != 0 {
		o.Page.ContentHash, o.Ledger = true, e.memory
		o.LastMod = append(o.LastMod, "ledger")
	}
	if e.seed&2 != 0 {
		o.Page.Titles, o.Page.Images = true, true
		o.Defaults.Priority = 1
	}
	if e.seed&4 != 0 {
		o.Extra = []Extra{
			{URL: sitemap.URL{Loc: "/a/x.html", ChangeFreq: sitemap.Hourly}},
			{URL: sitemap.URL{Loc: "/app/", Images: []sitemap.Image{{Loc: "app.png"}}}},
		}
	}
	if e.seed&16 != 0 {
		projects, _ := generator.Detect(fstest.MapFS{"hugo.json": {Data: []byte(`{"permalinks": [{"target": {"kind": "page"}, "pattern": "/:sections/:slug/"}]}`)}}, "", func(string) string { return "" })
		o.Mapping = *projects[0].Mapping.RelativeTo(".")
	}
	if e.seed&32 != 0 && e.seed&8 == 0 {
		o.Pages = nil
	}
	if e.seed&8 != 0 {
		o.From = []*SitemapEntry{}
		for _, loc := range []string{"/a/x.html", "/a/y/", "/b/z.html", "/gone/"} {
			u := sitemap.URL{Loc: "https://example.com" + loc, Images: []sitemap.Image{{Loc: "https://example.com/i.png"}}}
			o.From = append(o.From, &SitemapEntry{URL: u, Pos: diag.Pos{File: "old.xml"}})
		}
	}
}

// remember creates a ledger from the current site.
func (e *editor) remember(t *testing.T) {
	if e.seed&1 == 0 {
		return
	}
	e.memory = &ledger.Ledger{}
	s := known(t, e.options(t, false))
	e.memory = ListPages(s, noon).Ledger
}

// edit makes n random changes, sometimes in one tree only, and returns the changed paths.
func (e *editor) edit(n int) (c facts.Change) {
	only, deletes := e.rnd.IntN(4), 2+e.rnd.IntN(4)
	for range n {
		name := string("abc"[e.rnd.IntN(3)]) + "/" + string("xyz"[e.rnd.IntN(3)])
		if only == 0 || only > 1 && e.rnd.IntN(3) == 0 {
			file := []string{name + ".md", name + ".md", name[:1] + "/_index.md"}[e.rnd.IntN(3)]
			c.Content = append(c.Content, file)
			text := e.front()
			if strings.HasSuffix(file, "_index.md") {
				text = "---\nslug: " + string("abc"[e.rnd.IntN(3)]) + "\n---\n"
			}
			e.set(e.content, file, text, deletes)
			continue
		}
		file := name + []string{".html", "/index.html", ".txt"}[e.rnd.IntN(3)]
		c.Pages = append(c.Pages, file)
		e.set(e.pages, file, e.html(), deletes)
	}
	return c
}

// set writes a file, or deletes it with a probability of 1 in deletes.
func (e *editor) set(fsys fstest.MapFS, file, text string, deletes int) {
	if e.rnd.IntN(deletes) == 0 {
		delete(fsys, file)
		return
	}
	fsys[file] = &fstest.MapFile{Data: []byte(text)}
}

func (e *editor) html() string {
	where := fmt.Sprintf("/%c/%c%s", "abc"[e.rnd.IntN(3)], "xyz"[e.rnd.IntN(3)], []string{".html", "/", ""}[e.rnd.IntN(3)])
	heads := []string{
		"", `<meta name=robots content=noindex>`, `<link rel=canonical href="` + where + `">`,
		`<link rel=canonical href="file:///x">`, `<meta property="og:url" content="` + where + `">`,
		`<body><p><a href="` + where + `">x</a>`,
		`<meta http-equiv=refresh content="0; url=` + where + `">`,
		`<link rel=alternate hreflang=de href="` + where + `">`,
		`<meta property="article:modified_time" content="2024-0` + fmt.Sprint(1+e.rnd.IntN(9)) + `-01">`,
		`<meta property="article:modified_time" content="2099-01-01">`,
		`<meta property="article:modified_time" content="2024-05-01T03:04:0` + fmt.Sprint(e.rnd.IntN(2)) + `Z">`,
		`<meta name=robots content="unavailable_after: 2025-01-0` + fmt.Sprint(1+e.rnd.IntN(9)) + `">`,
		`<meta property="og:image" content="/i` + fmt.Sprint(e.rnd.IntN(9)) + `.png"><title>&#1;` + fmt.Sprint(e.rnd.IntN(9)) + `</title>`,
	}
	return "<!doctype html><html lang=en><title>t</title>" + heads[e.rnd.IntN(len(heads))] + heads[e.rnd.IntN(len(heads))] + "<p>x" + fmt.Sprint(e.rnd.IntN(9))
}

func (e *editor) front() string {
	n := fmt.Sprint(1 + e.rnd.IntN(9))
	keys := []string{
		"lastmod: 2023-02-0" + n, "draft: true", "sitemap: false", "date: yesterday", "priority: 1", "title: t" + n,
		"date: 2022-03-0" + n, "expiryDate: 2025-03-0" + n, "sitemap: {priority: 0." + n + "}", "sitemap: {changefreq: never}", "images: [i" + n + ".png]",
		"slug: " + string("xyz"[e.rnd.IntN(3)]), "url: /c/" + string("xyz"[e.rnd.IntN(3)]) + ".html", "title: " + string("xyz"[e.rnd.IntN(3)]),
	}
	return "---\n" + keys[e.rnd.IntN(len(keys))] + "\n---\ntext\n"
}

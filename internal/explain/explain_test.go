package explain

import (
	"io/fs"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/walker"
)

var noon = time.Date(2026, 1, 1, 12, 0, 0, 0, time.UTC)

const plain = "<!doctype html><title>T</title><p>text"

// listPages returns the result for a site with the given pages and content files.
func listPages(t *testing.T, o site.Options, pages, content map[string]string) *site.Result {
	o.Pages, o.Content = newTree(t, "public", pages, walker.HTMLFiles), newTree(t, "content", content, walker.ContentFiles)
	return listPagesOf(t, o)
}

// listPagesOfDir returns the result for the site in a folder.
func listPagesOfDir(t *testing.T, dir string, o site.Options) *site.Result {
	o.Pages = &facts.Tree{Files: walker.Dir(dir), Dir: dir}
	return listPagesOf(t, o)
}

// listPagesOf returns the result for a site with the options o, at noon.
func listPagesOf(t *testing.T, o site.Options) *site.Result {
	t.Helper()
	base, err := mapping.ParseBase("https://example.com/")
	if err != nil {
		t.Fatal(err)
	}
	o.Base, o.Now = base, noon
	if o.LastMod == nil {
		o.LastMod = []string{"rule", "frontmatter", "html", "date"}
	}
	set, err := facts.Learn(t.Context(), o.FactsOptions())
	if err != nil {
		t.Fatal(err)
	}
	w, err := site.Relate(t.Context(), set, o)
	if err != nil {
		t.Fatal(err)
	}
	return site.ListPages(w, noon)
}

// newTree returns a tree with files in memory, or nil if files is nil.
func newTree(t *testing.T, name string, files map[string]string, include []string) *facts.Tree {
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
	return &facts.Tree{Files: walker.FS(deniedFS{fsys}), Filter: filter, Name: name}
}

// An explainCase is a site in memory and a target to explain.
type explainCase struct {
	pages, content map[string]string
	set            func(t *testing.T, o *site.Options)
	target         string
}

func (c explainCase) explain(t *testing.T, o site.Options) Explanation {
	t.Helper()
	if c.set != nil {
		c.set(t, &o)
	}
	return New(listPages(t, o, c.pages, c.content)).Explain(t.Context(), c.target)
}

// sitePages returns the pages of a small site. One page has the given name and begins with text.
func sitePages(name, text string) map[string]string {
	all := map[string]string{"index.html": plain, "other.html": plain}
	all[name] = text + plain
	return all
}

// withRule returns a function that adds a rule for the folder a.
func withRule(set sitemap.URL, exclude bool) func(t *testing.T, o *site.Options) {
	return func(t *testing.T, o *site.Options) {
		rules, err := mapping.NewRules([]mapping.Rule{{Match: "a/**", Set: set, Exclude: exclude}})
		if err != nil {
			t.Fatal(err)
		}
		o.Rules = rules
	}
}

// withSitemapEntries returns a function that adds entries of an existing sitemap.
func withSitemapEntries(us ...sitemap.URL) func(*testing.T, *site.Options) {
	return func(_ *testing.T, o *site.Options) {
		o.From = []*site.SitemapEntry{}
		for _, u := range us {
			o.From = append(o.From, &site.SitemapEntry{URL: u, Pos: diag.Pos{File: "old.xml", Line: 3}})
		}
	}
}

// withHostFiles returns a function that adds files of the host Netlify, and obeys robots.txt.
func withHostFiles(files map[string]string) func(t *testing.T, o *site.Options) {
	return func(t *testing.T, o *site.Options) {
		fsys := fstest.MapFS{}
		for name, text := range files {
			fsys[name] = &fstest.MapFile{Data: []byte(text)}
		}
		base, err := mapping.ParseBase("https://example.com/")
		if err != nil {
			t.Fatal(err)
		}
		host, _ := hosting.Load(hosting.Input{Name: "netlify", Base: base, Publish: fsys})
		o.Hosting, o.ObeyRobots = host, true
	}
}

// A deniedFS is a file system in which files whose names begin with "denied" cannot be read.
type deniedFS struct{ fs.FS }

func (d deniedFS) Open(name string) (fs.File, error) {
	if strings.HasPrefix(name, "denied") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return d.FS.Open(name)
}

// TestExplainEveryReason explains a page for each page.Reason, including page.Listed. Explain must
// return this reason.
func TestExplainEveryReason(t *testing.T) {
	front := func(text string) map[string]string {
		return map[string]string{"a.md": "---\n" + text + "\n---\n", "index.md": ""}
	}
	const here = "https://example.com/a/"
	cases := map[page.Reason]explainCase{
		page.Listed:       {pages: sitePages("a/index.html", ""), target: "/a/"},
		page.Excluded:     {pages: sitePages("excluded/a.html", ""), target: "excluded/a.html"},
		page.Unlisted:     {pages: sitePages("a/index.html", ""), set: withSitemapEntries(sitemap.URL{Loc: "https://example.com/"}), target: "/a/"},
		page.Unreadable:   {pages: sitePages("denied.html", ""), target: "denied.html"},
		page.Broken:       {pages: map[string]string{"a/index.html": ""}, target: "a/index.html"},
		page.NotHTML:      {pages: map[string]string{"feed/index.html": "<rss>"}, target: "feed/index.html"},
		page.Fragment:     {pages: map[string]string{"a/index.html": "<p>text"}, target: here},
		page.InvalidURL:   {pages: sitePages(strings.Repeat("long/", 500)+"a.html", ""), target: strings.Repeat("long/", 500) + "a.html"},
		page.OutOfScope:   {pages: sitePages("a/index.html", ""), set: withRule(sitemap.URL{Loc: "https://elsewhere.example/"}, false), target: "a/index.html"},
		page.ErrorPage:    {pages: sitePages("404.html", ""), target: "404.html"},
		page.Verification: {pages: map[string]string{"google1234567890abcdef.html": "google-site-verification: google1234567890abcdef.html"}, target: "google1234567890abcdef.html"},
		page.Tool:         {pages: sitePages("search.html", `<script src="searchindex.js"></script>`), target: "search.html"},
		page.ByRule:       {pages: sitePages("a/index.html", ""), set: withRule(sitemap.URL{}, true), target: here},
		page.OptedOut:     {pages: sitePages("a/index.html", ""), content: front("sitemap: false"), target: here},
		page.Draft:        {pages: sitePages("a/index.html", ""), content: front("draft: true"), target: here},
		page.Scheduled:    {pages: sitePages("a/index.html", ""), content: front("publishDate: 2031-01-01"), target: here},
		page.Expired:      {pages: sitePages("a/index.html", ""), content: front("expiryDate: 2021-01-01"), target: here},
		page.NotRendered:  {pages: sitePages("b/index.html", ""), content: front("title: A"), target: "content/a.md"},
		page.Version:      {pages: sitePages("previews/PR1/index.html", ""), target: "/previews/PR1/"},
		page.NoIndex:      {pages: sitePages("a/index.html", "<meta name=robots content=noindex>"), target: here},
		page.Redirect:     {pages: sitePages("a/index.html", `<meta http-equiv=refresh content="0; url=/other.html">`), target: here},
		page.NotServed:    {pages: sitePages("a/index.html", ""), set: withHostFiles(map[string]string{"_redirects": "/a/* / 404!\n"}), target: here},
		page.Robots:       {pages: sitePages("a/index.html", ""), set: withHostFiles(map[string]string{"robots.txt": "User-agent: *\nDisallow: /a/\n"}), target: here},
		page.Canonical:    {pages: sitePages("a/index.html", `<link rel=canonical href="/other.html">`), target: here},
		page.Duplicate:    {pages: sitePages("a/index.html", ""), set: withRule(sitemap.URL{Loc: "/"}, false), target: "a/index.html"},
	}
	for i, why := range page.Reasons {
		c, ok := cases[page.Reason(i)]
		if !ok {
			t.Errorf("got no case for the reason %s, want one", why.Name)
			continue
		}
		e := c.explain(t, site.Options{})
		if e.Exclusion.Reason != page.Reason(i) || e.Listed != (page.Reason(i) == page.Listed) || !e.Known {
			t.Errorf("%s: got reason %v, want %s: %+v", c.target, e.Exclusion.Reason, why.Name, e)
		}
	}
}

// TestExplainEverySource checks for each source of dates, except git and mtime, that Explain names
// the source of the date of a page.
func TestExplainEverySource(t *testing.T) {
	day := sitemap.DayOf(time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC))
	dated := func(key string) map[string]string {
		return map[string]string{"a.md": "---\n" + key + ": 2024-05-06\n---\n"}
	}
	a := sitePages("a/index.html", "")
	cases := map[string]explainCase{
		"rule":        {pages: a, set: withRule(sitemap.URL{LastMod: day}, false), target: "/a/"},
		"frontmatter": {pages: a, content: dated("lastmod"), target: "/a/"},
		"html":        {pages: sitePages("a/index.html", `<meta property="article:modified_time" content="2024-05-06">`), target: "/a/"},
		"sitemap":     {pages: a, set: withSitemapEntries(sitemap.URL{Loc: "https://example.com/a/", LastMod: day}), target: "/a/"},
		"date":        {pages: a, content: dated("date"), target: "/a/"},
		"ledger": {pages: a, set: func(_ *testing.T, o *site.Options) {
			o.Page.ContentHash, o.Ledger = true, &ledger.Ledger{}
			o.Ledger = listPages(t, *o, sitePages("a/index.html", "before"), nil).Ledger
		}, target: "/a/"},
	}
	for _, src := range site.Sources {
		c, ok := cases[src.Name]
		if src.Name == "git" || src.Name == "mtime" { // these sources need real files
			continue
		}
		if !ok {
			t.Errorf("got no case for the source %s, want one", src.Name)
			continue
		}
		f := c.explain(t, site.Options{LastMod: []string{src.Name}}).Fields[0]
		if f.Name != "lastmod" || f.Value == "" || len(f.Claims) != 1 || f.Claims[0].Source != src.Name || !f.Claims[0].Wins || f.Claims[0].Note == "" {
			t.Errorf("%s: got field %+v, want a date with one claim of the source", src.Name, f)
		}
	}
}

// urlWithAllFields returns a URL with a value in every field. The values contain by.
func urlWithAllFields(by string) sitemap.URL {
	return sitemap.URL{
		ChangeFreq: sitemap.Weekly, Priority: sitemap.Priority(6),
		Alternates: []sitemap.Alternate{{Lang: "de", Href: "https://example.com/" + by + "/de"}},
		Images:     []sitemap.Image{{Loc: "https://example.com/" + by + ".png"}},
		Videos: []sitemap.Video{{
			Title: by, Description: by, ThumbnailLoc: "https://example.com/" + by + ".png", ContentLoc: "https://example.com/" + by + ".mp4",
		}},
		News: &sitemap.News{Title: by, Publication: sitemap.Publication{Name: by, Language: "en"}, PublicationDate: sitemap.DayOf(noon)},
	}
}

// TestExplainEveryField sets each field from each source that can set it. Explain must name the
// source.
func TestExplainEveryField(t *testing.T) {
	a := sitePages("a/index.html", "")
	cases := map[string]explainCase{
		"extra": {pages: a, target: "/app/", set: func(_ *testing.T, o *site.Options) {
			x := urlWithAllFields("extra")
			x.Loc = "/app/"
			o.Extra = []site.Extra{{URL: x, Pos: diag.Pos{File: "sitemap.yaml", Line: 4}}}
		}},
		"rule": {pages: a, target: "/a/", set: withRule(urlWithAllFields("rule"), false)},
		"frontmatter": {pages: a, target: "/a/", content: map[string]string{"a.md": `---
sitemap:
  changefreq: weekly
  priority: 0.6
  images: [/f.png]
  alternates: {de: /de/}
  videos: [{title: f, description: f, thumbnail_loc: /f.png, content_loc: /f.mp4}]
  news: {title: f, publication_date: 2025-01-01, publication: {name: f, language: en}}
---
`}},
		"sitemap": {pages: a, target: "/a/", set: func(t *testing.T, o *site.Options) {
			u := urlWithAllFields("sitemap")
			u.Loc = "https://example.com/a/"
			withSitemapEntries(u)(t, o)
		}},
		"html": {target: "/a/", pages: sitePages("a/index.html", `<html lang=en><link rel=alternate hreflang=de href="/other.html"><meta property="og:image" content="/i.png">`)},
		"defaults": {pages: a, target: "/a/", set: func(_ *testing.T, o *site.Options) {
			o.Defaults = sitemap.URL{ChangeFreq: sitemap.Weekly, Priority: sitemap.Priority(6)}
		}},
	}
	for name, c := range cases {
		o := site.Options{}
		o.Page.Alternates, o.Page.Images = true, true
		e := c.explain(t, o)
		for _, field := range site.EntryFields {
			i := slices.IndexFunc(e.Fields, func(f Field) bool { return f.Name == field.Name })
			hasClaim := i >= 0 && slices.ContainsFunc(e.Fields[i].Claims, func(c site.Claim) bool { return c.Source == name && c.Value != "" })
			want := true
			switch name {
			case "html":
				want = field.Name == "alternate" || field.Name == "image"
			case "defaults":
				want = field.Name == "changefreq" || field.Name == "priority"
			}
			if hasClaim != want {
				t.Errorf("claim of %s for %s: got %v, want %v: %+v", name, field.Name, hasClaim, want, e.Fields)
			}
		}
	}
}

// TestConcurrentExplain calls Explain and PredictResponse of one result in several goroutines. Each
// call must return the same as a call alone. The race detector finds unsafe access.
func TestConcurrentExplain(t *testing.T) {
	r := listPages(t, site.Options{Ledger: &ledger.Ledger{}}, sitePages("a/index.html", `<meta name=robots content=noindex>`), map[string]string{"a.md": "", "gone.md": ""})
	explain := func() (all []any) {
		for _, target := range []string{"/", "/a/", "content/gone.md", "nothing"} {
			all = append(all, New(r).Explain(t.Context(), target), New(r).PredictResponse(t.Context(), "https://example.com"+target))
		}
		return all
	}
	var wg sync.WaitGroup
	var all [4][]any
	for i := range all {
		wg.Go(func() { all[i] = explain() })
	}
	wg.Wait()
	want := explain() // not before, because the goroutines must find nothing computed
	for _, got := range all {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
}

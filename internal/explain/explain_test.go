package explain

import (
	"io/fs"
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

// build learns and folds a site of files in memory.
func build(t *testing.T, o site.Options, pages, content map[string]string) *site.Result {
	o.Pages, o.Content = tree(t, "public", pages, walker.HTMLFiles), tree(t, "content", content, walker.ContentFiles)
	return folded(t, o)
}

// buildDir learns and folds the site in a folder.
func buildDir(t *testing.T, dir string, o site.Options) *site.Result {
	o.Pages = &facts.Tree{Files: walker.Dir(dir), Dir: dir}
	return folded(t, o)
}

func folded(t *testing.T, o site.Options) *site.Result {
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
	return &facts.Tree{Files: walker.FS(denied{fsys}), Filter: filter, Name: name}
}

// A question is what is asked of a site of files in memory.
type question struct {
	pages, content map[string]string
	set            func(t *testing.T, o *site.Options)
	target         string
}

func (q question) ask(t *testing.T, o site.Options) Explanation {
	t.Helper()
	if q.set != nil {
		q.set(t, &o)
	}
	return New(build(t, o, q.pages, q.content)).Explain(t.Context(), q.target)
}

// files are those of a small site, one of them with a text in front.
func files(name, text string) map[string]string {
	all := map[string]string{"index.html": plain, "other.html": plain}
	all[name] = text + plain
	return all
}

func ruled(set sitemap.URL, exclude bool) func(t *testing.T, o *site.Options) {
	return func(t *testing.T, o *site.Options) {
		rules, err := mapping.NewRules([]mapping.Rule{{Match: "a/**", Set: set, Exclude: exclude}})
		if err != nil {
			t.Fatal(err)
		}
		o.Rules = rules
	}
}

func given(us ...sitemap.URL) func(*testing.T, *site.Options) {
	return func(_ *testing.T, o *site.Options) {
		o.From = []*site.SitemapEntry{}
		for _, u := range us {
			o.From = append(o.From, &site.SitemapEntry{URL: u, Pos: diag.Pos{File: "old.xml", Line: 3}})
		}
	}
}

func usual(files map[string]string) func(t *testing.T, o *site.Options) {
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

// A denied is a tree of which one file may not be read.
type denied struct{ fs.FS }

func (d denied) Open(name string) (fs.File, error) {
	if strings.HasPrefix(name, "denied") {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return d.FS.Open(name)
}

// TestEveryReasonIsExplained goes over the table of reasons: there is a page for
// each that is out for it, or in, and explain says so.
func TestEveryReasonIsExplained(t *testing.T) {
	front := func(text string) map[string]string {
		return map[string]string{"a.md": "---\n" + text + "\n---\n", "index.md": ""}
	}
	const here = "https://example.com/a/"
	questions := map[page.Reason]question{
		page.Listed:       {pages: files("a/index.html", ""), target: "/a/"},
		page.Excluded:     {pages: files("excluded/a.html", ""), target: "excluded/a.html"},
		page.Unlisted:     {pages: files("a/index.html", ""), set: given(sitemap.URL{Loc: "https://example.com/"}), target: "/a/"},
		page.Unreadable:   {pages: files("denied.html", ""), target: "denied.html"},
		page.Broken:       {pages: map[string]string{"a/index.html": ""}, target: "a/index.html"},
		page.NotHTML:      {pages: map[string]string{"feed/index.html": "<rss>"}, target: "feed/index.html"},
		page.Fragment:     {pages: map[string]string{"a/index.html": "<p>text"}, target: here},
		page.InvalidURL:   {pages: files(strings.Repeat("long/", 500)+"a.html", ""), target: strings.Repeat("long/", 500) + "a.html"},
		page.OutOfScope:   {pages: files("a/index.html", ""), set: ruled(sitemap.URL{Loc: "https://elsewhere.example/"}, false), target: "a/index.html"},
		page.ErrorPage:    {pages: files("404.html", ""), target: "404.html"},
		page.Verification: {pages: map[string]string{"google1234567890abcdef.html": "google-site-verification: google1234567890abcdef.html"}, target: "google1234567890abcdef.html"},
		page.Tool:         {pages: files("search.html", `<script src="searchindex.js"></script>`), target: "search.html"},
		page.ByRule:       {pages: files("a/index.html", ""), set: ruled(sitemap.URL{}, true), target: here},
		page.OptedOut:     {pages: files("a/index.html", ""), content: front("sitemap: false"), target: here},
		page.Draft:        {pages: files("a/index.html", ""), content: front("draft: true"), target: here},
		page.Scheduled:    {pages: files("a/index.html", ""), content: front("publishDate: 2031-01-01"), target: here},
		page.Expired:      {pages: files("a/index.html", ""), content: front("expiryDate: 2021-01-01"), target: here},
		page.NotRendered:  {pages: files("b/index.html", ""), content: front("title: A"), target: "content/a.md"},
		page.Version:      {pages: files("previews/PR1/index.html", ""), target: "/previews/PR1/"},
		page.NoIndex:      {pages: files("a/index.html", "<meta name=robots content=noindex>"), target: here},
		page.Redirect:     {pages: files("a/index.html", `<meta http-equiv=refresh content="0; url=/other.html">`), target: here},
		page.NotServed:    {pages: files("a/index.html", ""), set: usual(map[string]string{"_redirects": "/a/* / 404!\n"}), target: here},
		page.Robots:       {pages: files("a/index.html", ""), set: usual(map[string]string{"robots.txt": "User-agent: *\nDisallow: /a/\n"}), target: here},
		page.Canonical:    {pages: files("a/index.html", `<link rel=canonical href="/other.html">`), target: here},
		page.Duplicate:    {pages: files("a/index.html", ""), set: ruled(sitemap.URL{Loc: "/"}, false), target: "a/index.html"},
	}
	for i, why := range page.Reasons {
		q, ok := questions[page.Reason(i)]
		if !ok {
			t.Errorf("no page is out for the reason %s", why.Name)
			continue
		}
		e := q.ask(t, site.Options{})
		if e.Exclusion.Reason != page.Reason(i) || e.Listed != (page.Reason(i) == page.Listed) || !e.Known {
			t.Errorf("%s is out for %v, want %s: %+v", q.target, e.Exclusion.Reason, why.Name, e)
		}
	}
}

// TestEverySourceIsExplained goes over the table of sources of dates: each one
// dates a page, and explain says by which key or place.
func TestEverySourceIsExplained(t *testing.T) {
	day := sitemap.DayOf(time.Date(2024, 5, 6, 0, 0, 0, 0, time.UTC))
	dated := func(key string) map[string]string {
		return map[string]string{"a.md": "---\n" + key + ": 2024-05-06\n---\n"}
	}
	a := files("a/index.html", "")
	questions := map[string]question{
		"rule":        {pages: a, set: ruled(sitemap.URL{LastMod: day}, false), target: "/a/"},
		"frontmatter": {pages: a, content: dated("lastmod"), target: "/a/"},
		"html":        {pages: files("a/index.html", `<meta property="article:modified_time" content="2024-05-06">`), target: "/a/"},
		"sitemap":     {pages: a, set: given(sitemap.URL{Loc: "https://example.com/a/", LastMod: day}), target: "/a/"},
		"date":        {pages: a, content: dated("date"), target: "/a/"},
		"ledger": {pages: a, set: func(_ *testing.T, o *site.Options) {
			o.Page.ContentHash, o.Ledger = true, &ledger.Ledger{}
			o.Ledger = build(t, *o, files("a/index.html", "before"), nil).Ledger
		}, target: "/a/"},
	}
	for _, src := range site.Sources {
		q, ok := questions[src.Name]
		if src.Name == "git" || src.Name == "mtime" { // which need real files
			continue
		}
		if !ok {
			t.Errorf("no page is dated by %s", src.Name)
			continue
		}
		f := q.ask(t, site.Options{LastMod: []string{src.Name}}).Fields[0]
		if f.Name != "lastmod" || f.Value == "" || len(f.Claims) != 1 || f.Claims[0].Source != src.Name || !f.Claims[0].Wins || f.Claims[0].Note == "" {
			t.Errorf("%s: %+v", src.Name, f)
		}
	}
}

// everything says something in every field that can be said at once.
func everything(by string) sitemap.URL {
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

// TestEveryFieldIsExplained sets each field by each source that can set it, and expects that explain
// names the source.
func TestEveryFieldIsExplained(t *testing.T) {
	a := files("a/index.html", "")
	questions := map[string]question{
		"extra": {pages: a, target: "/app/", set: func(_ *testing.T, o *site.Options) {
			x := everything("extra")
			x.Loc = "/app/"
			o.Extra = []site.Extra{{URL: x, Pos: diag.Pos{File: "sitemap.yaml", Line: 4}}}
		}},
		"rule": {pages: a, target: "/a/", set: ruled(everything("rule"), false)},
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
			u := everything("sitemap")
			u.Loc = "https://example.com/a/"
			given(u)(t, o)
		}},
		"html": {target: "/a/", pages: files("a/index.html", `<html lang=en><link rel=alternate hreflang=de href="/other.html"><meta property="og:image" content="/i.png">`)},
		"defaults": {pages: a, target: "/a/", set: func(_ *testing.T, o *site.Options) {
			o.Defaults = sitemap.URL{ChangeFreq: sitemap.Weekly, Priority: sitemap.Priority(6)}
		}},
	}
	for name, q := range questions {
		o := site.Options{}
		o.Page.Alternates, o.Page.Images = true, true
		e := q.ask(t, o)
		for _, field := range site.EntryFields {
			i := slices.IndexFunc(e.Fields, func(f Field) bool { return f.Name == field.Name })
			speaks := i >= 0 && slices.ContainsFunc(e.Fields[i].Claims, func(c site.Claim) bool { return c.Source == name && c.Value != "" })
			may := true
			switch name {
			case "html":
				may = field.Name == "alternate" || field.Name == "image"
			case "defaults":
				may = field.Name == "changefreq" || field.Name == "priority"
			}
			if speaks != may {
				t.Errorf("%s speaks for %s: %v, want %v: %+v", name, field.Name, speaks, may, e.Fields)
			}
		}
	}
}

// TestQuestionsAtOnce asks a result whatever can be asked, several questions at once.
func TestQuestionsAtOnce(t *testing.T) {
	r := build(t, site.Options{Ledger: &ledger.Ledger{}}, files("a/index.html", `<meta name=robots content=noindex>`), map[string]string{"a.md": "", "gone.md": ""})
	var asking sync.WaitGroup
	for range 4 {
		asking.Go(func() {
			for _, target := range []string{"/", "/a/", "content/gone.md", "nothing"} {
				New(r).Explain(t.Context(), target)
				New(r).PredictResponse(t.Context(), "https://example.com"+target)
			}
		})
	}
	asking.Wait()
}

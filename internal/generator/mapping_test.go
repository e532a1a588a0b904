package generator

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

func parseDay(t *testing.T, s string) sitemap.Date {
	t.Helper()
	d, err := time.Parse(time.DateOnly, s)
	if err != nil {
		t.Fatal(err)
	}
	return sitemap.DayOf(d)
}

// TestOutputFileFollowsGeneratorRules compares output files with the documentation of the
// generators. TestOutputFileOfSites compares them with the files that generators wrote.
func TestOutputFileFollowsGeneratorRules(t *testing.T) {
	zola := &Mapping{
		rules: zolaRules{}, DefaultLanguage: "en", Languages: []Language{{Name: "en"}, {Name: "fr"}},
		Trees: []Tree{{Dir: "content"}}, Root: "content",
	}
	docusaurus := &Mapping{
		rules: docusaurusRules{plainRules{foldIndex: true, indexes: []string{"index"}}},
		Trees: []Tree{{Dir: "docs", Prefix: "docs", kind: "docs", trimsNumbers: true}, {Dir: "blog", Prefix: "news", kind: "blog"}, {Dir: "src/pages", kind: "pages"}},
	}
	if relative := docusaurus.RelativeTo("docs").RelativeToParent("site"); relative.Trees[0].Dir != "site/docs" || docusaurus.Trees[0].Dir != "docs" {
		t.Errorf("got trees %v relative to the parent and %v relative to the project, want site/docs and docs first", relative.Trees, docusaurus.Trees)
	}
	flat := *docusaurus
	flat.rules = docusaurusRules{plainRules{flat: true, foldIndex: true, indexes: []string{"index"}}}
	astro := &Mapping{rules: astroRules{plainRules{indexes: []string{"index"}}}}
	astroFile := &Mapping{rules: astroRules{plainRules{flat: true, foldIndex: true, indexes: []string{"index"}}}}
	nuxt := &Mapping{Trees: []Tree{{kind: "content"}}, rules: nuxtRules{}}
	vitepress := &Mapping{rules: plainRules{flat: true, indexes: []string{"index"}}}
	eleventy := &Mapping{rules: eleventyRules{plainRules: plainRules{indexes: []string{"index"}}}}
	plain := &Mapping{}
	for _, test := range []struct {
		m         *Mapping
		file      string
		f         page.Facts
		out, note string
	}{
		{m: nuxt, file: "1.notes/index.md", out: "notes/index.html"},
		{m: nuxt, file: "1.notes/2.Some Page.md", out: "notes/some-page/index.html"},
		{m: nuxt, file: "1.notes/03.Größe & v1.2.md", out: "notes/grosse-and-v1.2/index.html"},
		{m: nuxt, file: "1.notes/10.2024-01-02-dated.md", out: "notes/2024-01-02-dated/index.html"},
		{m: nuxt, file: "1.notes/draft.draft.md", out: "notes/draft/index.html"},
		{m: nuxt, file: "notes/_under.md", out: "notes/_under/index.html"},
		{m: nuxt, file: "2.1/a.md", out: "2.1/a/index.html"},
		{m: nuxt, file: "日本.md", note: "the address depends on how Nuxt Content spells other than Latin letters; write a path"},
		{m: zola, file: "_index.md", out: "index.html"},
		{m: zola, file: "blog/_index.fr.md", out: "fr/blog/index.html"},
		{m: zola, file: "blog/2024-01-02-Hello World.md", out: "blog/hello-world/index.html"},
		{m: zola, file: "blog/2024-01-02T10:00:00Z_hello.fr.md", out: "fr/blog/hello/index.html"},
		{m: zola, file: "blog/Été & Größe/index.md", out: "blog/ete-grosse/index.html"},
		{m: zola, file: "blog/a.md", f: page.Facts{Slug: "bee"}, out: "blog/bee/index.html"},
		{m: zola, file: "blog/a.md", f: page.Facts{Permalink: "far/away"}, out: "far/away/index.html"},
		{m: zola, file: "blog/日本.md", note: "the address depends on how Zola spells other than Latin letters; write a slug"},

		{m: docusaurus, file: "docs/intro.md", out: "docs/intro/index.html"},
		{m: docusaurus, file: "docs/01-guides/02_first.mdx", out: "docs/guides/first/index.html"},
		{m: docusaurus, file: "docs/2021-11-notes.md", out: "docs/2021-11-notes/index.html"},
		{m: docusaurus, file: "docs/guides/README.md", out: "docs/guides/index.html"},
		{m: docusaurus, file: "docs/guides/Guides.md", out: "docs/guides/index.html"},
		{m: docusaurus, file: "docs/a/b.md", f: page.Facts{Slug: "/root"}, out: "docs/root/index.html"},
		{m: docusaurus, file: "docs/a/b.md", f: page.Facts{Slug: "c"}, out: "docs/a/c/index.html"},
		{m: docusaurus, file: "docs/_partial.md", note: "files whose names begin with an underscore are not pages"},
		{m: docusaurus, file: "blog/2024-01-02-hello.md", out: "news/2024/01/02/hello/index.html"},
		{m: docusaurus, file: "blog/2024-01-02-hello/index.md", out: "news/2024/01/02/hello/index.html"},
		{m: docusaurus, file: "blog/sub/2024-01-02-hello.md", out: "news/2024/01/02/sub/hello/index.html"},
		{m: docusaurus, file: "blog/2024/01/02/hello.md", out: "news/2024/01/02/hello/index.html"},
		{m: docusaurus, file: "blog/2024-01-02-hello.md", f: page.Facts{Slug: "hi"}, out: "news/hi/index.html"},
		{m: docusaurus, file: "src/pages/index.md", out: "index.html"},
		{m: docusaurus, file: "src/pages/01-about.mdx", out: "01-about/index.html"},
		{m: &flat, file: "docs/guides/index.md", out: "docs/guides.html"},
		{m: &flat, file: "docs/intro.md", out: "docs/intro.html"},
		{m: &flat, file: "src/pages/index.md", out: "index.html"},

		{m: astro, file: "blog/a.md", out: "blog/a/index.html"},
		{m: astro, file: "blog/index.md", out: "blog/index.html"},
		{m: astroFile, file: "blog/index.md", out: "blog.html"},
		{m: astroFile, file: "index.md", out: "index.html"},
		{m: vitepress, file: "guide/index.md", out: "guide/index.html"},
		{m: vitepress, file: "guide/Start.md", out: "guide/Start.html"},

		{m: eleventy, file: "posts/a.md", out: "posts/a/index.html"},
		{m: eleventy, file: "posts/posts.md", out: "posts/index.html"},
		{m: eleventy, file: "a.md", f: page.Facts{Permalink: "/x/y.html"}, out: "x/y.html"},
		{m: eleventy, file: "a.md", f: page.Facts{Permalink: "x/"}, out: "x/index.html"},
		{m: eleventy, file: "a.md", f: page.Facts{Permalink: "/{{ title }}/"}, note: "the permalink is a template, and {{ title }} is known only to the generator"},

		{m: plain, file: "a/b.md", out: "a/b/index.html"},
		{m: plain, file: "a/_index.md", out: "a/index.html"},
		{m: plain, file: "a/index.md", f: page.Facts{Slug: "s"}, out: "s/index.html"},
		{m: plain, file: "a/b.md", f: page.Facts{Slug: "s"}, out: "a/s/index.html"},
		{m: plain, file: "a/b.md", f: page.Facts{Permalink: "/p?q"}, out: "p/index.html"},
		{m: plain, file: "_posts/2024-01-02-a.md", note: "the generator, and so the form of its posts' addresses, is not known"},
		{m: plain, file: "a/.md", note: "the file has no name before its extension"},
		{m: plain, file: "../../up.md", out: "up/index.html"},
	} {
		t.Run(fmt.Sprintf("%T %s", test.m.rules, test.file), func(t *testing.T) {
			out, note, ok := test.m.OutputFile(test.file, &test.f)
			if out != test.out || note != test.note || ok != (test.note == "") {
				t.Errorf("got output file %q, note %q, ok %v, want %q, %q", out, note, ok, test.out, test.note)
			}
		})
	}
}

// TestOutputFileNeedsIndexFiles checks that OutputFile returns no file if the file depends on
// index files and WithIndexFiles was not called.
func TestOutputFileNeedsIndexFiles(t *testing.T) {
	c := &Mapping{rules: &hugoRules{permalinks: []permalink{{pattern: "/:sections/:filename"}}}, DefaultLanguage: "en"}
	if _, note, ok := c.OutputFile("a/b/c.md", &page.Facts{}); ok || !strings.Contains(note, "_index files are not known") {
		t.Errorf("nested page without index files: got ok %v and note %q, want a note about _index files", ok, note)
	}
	known := c.WithIndexFiles(maps.All(map[string]*page.Facts{"a/b/_index.md": {}}))
	if out, _, _ := known.OutputFile("a/b/c.md", &page.Facts{}); out != "a/b/c/index.html" {
		t.Errorf("nested page with index files: got %q, want a/b/c/index.html", out)
	}
}

// TestWithIndexFilesKeepsConfiguredCascades checks that the cascades of index files come first,
// and that the original Mapping does not change.
func TestWithIndexFilesKeepsConfiguredCascades(t *testing.T) {
	config := make([]sectionCascade, 1, 2) // WithIndexFiles must not write to the spare element
	config[0] = sectionCascade{"", page.Cascade{Key: "build"}}
	m := &Mapping{rules: &hugoRules{}, cascades: config}
	facts := &page.Facts{Cascades: []page.Cascade{{Key: "sitemap"}}}
	if all := m.WithIndexFiles(maps.All(map[string]*page.Facts{"posts/_index.md": facts})).cascades; len(all) != 2 || all[0].Key != "sitemap" {
		t.Errorf("cascades: got %v, want the cascade of the section first", all)
	}
	if m.cascades[0].Key != "build" {
		t.Errorf("cascade of the configuration: got %v, want the key build", m.cascades[0])
	}
}

// TestOutputFileBelowParentOfContentFolder checks output files of content files with paths
// relative to the project folder or its parent.
func TestOutputFileBelowParentOfContentFolder(t *testing.T) {
	hexo := &Mapping{rules: &hexoRules{plainRules: plainRules{flat: true}, permalink: ":title/", postName: ":title.md"}, Trees: []Tree{{Dir: "source"}}}
	jekyll := &Mapping{
		rules: &jekyllRules{permalink: "/:title", markdownExt: []string{"md"}}, Trees: []Tree{{Dir: "."}},
		Defaults: []Default{{Path: "/old", Facts: page.Facts{Permalink: "/x/"}}, {Path: "new/", Facts: page.Facts{Permalink: "/y/"}}},
	}
	for _, c := range []struct {
		m          *Mapping
		file, want string
	}{
		{hexo.RelativeTo("source"), "_posts/a.md", "a/index.html"},
		{hexo.RelativeTo("."), "source/_posts/a.md", "a/index.html"},
		{hexo.RelativeTo("."), "source/_hidden/a.md", ""},
		{hexo.RelativeToParent("site"), "site/source/_posts/a.md", "a/index.html"},
		{jekyll.RelativeTo("."), "old/a.md", "x/index.html"},
		{jekyll.RelativeToParent("site"), "site/old/a.md", "x/index.html"},
		{jekyll.RelativeToParent("site"), "site/new/a.md", "y/index.html"},
		{jekyll.RelativeToParent("site"), "site/newer/a.md", "newer/a.html"},
	} {
		if out, why, _ := c.m.OutputFile(c.file, &page.Facts{}); out != c.want {
			t.Errorf("%s: got %q with note %q, want %q", c.file, out, why, c.want)
		}
	}
}

// TestSkipReasonFollowsConventions checks the skip reasons of a Jekyll site. They depend on
// folder names, collections and the defaults in the configuration.
func TestSkipReasonFollowsConventions(t *testing.T) {
	pos := diag.Pos{File: "_config.yml", Line: 7}
	c := &Mapping{
		rules: &jekyllRules{collections: map[string]collection{"notes": {}, "docs": {output: true}}},
		Trees: []Tree{{Dir: "."}}, Root: ".",
		Defaults: []Default{
			{Path: "private", Facts: page.Facts{Skips: page.Skips{{Reason: page.OptedOut, Pos: pos, Note: "sitemap: false"}}}},
		},
	}
	for file, want := range map[string]page.Reason{
		"a.md":               page.Listed,
		"_drafts/a.md":       page.Draft,
		"blog/_drafts/a.md":  page.Draft,
		"_notes/a.md":        page.NotRendered,
		"_docs/a.md":         page.Listed,
		"_posts/a.md":        page.NotRendered,
		"private/a.md":       page.OptedOut,
		"node_modules/a.md":  page.NotRendered,
		"vendor/bundle/a.md": page.NotRendered,
	} {
		r, at, note := c.GeneratorSkipReason(file, &page.Facts{})
		if r != want || (r == page.OptedOut) != (at == pos) || (r == page.Listed) != (note == "") {
			t.Errorf("%s: got reason %v at %v with note %q, want %v", file, r, at, note, want)
		}
	}
	c.Drafts = true
	if r, _, _ := c.GeneratorSkipReason("_drafts/a.md", &page.Facts{}); r != page.Listed {
		t.Errorf("draft of a site with drafts: got %v, want %v", r, page.Listed)
	}
}

// TestPublishDate checks the date before which a generator does not publish a page.
func TestPublishDate(t *testing.T) {
	old, late := parseDay(t, "2020-01-02"), parseDay(t, "2030-01-02")
	hugo, jekyll, hexo := &Mapping{rules: &hugoRules{}}, &Mapping{rules: &jekyllRules{}}, &Mapping{rules: &hexoRules{}}
	for _, test := range []struct {
		c    *Mapping
		file string
		f    page.Facts
		want sitemap.Date
	}{
		{hugo, "a.md", page.Facts{Date: late}, late},
		{hugo, "a.md", page.Facts{Date: late, Dates: page.Dates{Publish: old}}, old},
		{&Mapping{rules: &hugoRules{}, Future: true}, "a.md", page.Facts{Date: late}, sitemap.Date{}},
		{jekyll, "_posts/2030-01-02-a.md", page.Facts{}, late},
		{jekyll, "_posts/2030-01-02-a.md", page.Facts{Date: old}, old},
		{jekyll, "a.md", page.Facts{Date: late}, sitemap.Date{}},
		{hexo, "_posts/a.md", page.Facts{Date: late}, late},
		{hexo, "a.md", page.Facts{Date: late}, sitemap.Date{}},
		{&Mapping{rules: plainRules{}}, "a.md", page.Facts{Date: late}, sitemap.Date{}},
	} {
		if got := test.c.PublishDate(test.file, &test.f); got != test.want {
			t.Errorf("%T %s: got %v, want %v", test.c.rules, test.file, got.Time(), test.want.Time())
		}
	}
}

// TestTranslation checks that a content file and its translations have the same key.
func TestTranslation(t *testing.T) {
	c := (&Mapping{
		rules: &hugoRules{}, DefaultLanguage: "en",
		Languages: []Language{{Name: "en"}, {Name: "de"}, {Name: "pt-br"}},
		Trees:     []Tree{{Dir: "content"}, {Dir: "content/pt", Lang: "pt-br"}},
	}).RelativeTo("content")
	for file, want := range map[string]string{
		"posts/a.md":        "en /posts/a",
		"posts/a.de.md":     "de /posts/a",
		"posts/a.DE.md":     "de /posts/a",
		"posts/a.fr.md":     "en /posts/a.fr",
		"pt/posts/a.md":     "pt-br /posts/a",
		"posts/index.de.md": "de /posts", // the page of the folder
		"Posts/A b.md":      "en /posts/a-b",
		"posts/_index.md":   "en /posts/_index",
	} {
		if lang, key := c.Translation(file, &page.Facts{}); lang+" "+key != want {
			t.Errorf("%s: got %s %s, want %s", file, lang, key, want)
		}
	}
	if _, key := c.Translation("x.md", &page.Facts{TranslationKey: "k"}); key != "k" {
		t.Errorf("translation key: got %q, want k", key)
	}
	if lang, key := new(Mapping).Translation("x.de.md", &page.Facts{}); lang+key != "" {
		t.Errorf("site without languages: got %q %q, want none", lang, key)
	}
}

// TestPageTranslationOfHugoLists checks that a page which Hugo generates without a content file
// has the translation key of an "_index" file.
func TestPageTranslationOfHugoLists(t *testing.T) {
	languages := []Language{{Name: "en"}, {Name: "de"}}
	root := &Mapping{rules: &hugoRules{pager: "page"}, DefaultLanguage: "en", Languages: languages}
	folders := &Mapping{rules: &hugoRules{pager: "seite"}, DefaultLanguage: "en", Languages: languages, DefaultInSubdir: true}
	for _, test := range []struct {
		c          *Mapping
		file, want string
	}{
		{root, "index.html", "en /_index"},
		{root, "de/index.html", "de /_index"},
		{root, "de/posts/index.html", "de /posts/_index"},
		{root, "deep/posts/index.html", "en /deep/posts/_index"},
		{root, "posts/page/2/index.html", " "},
		{root, "page/2/index.html", " "},
		{root, "posts/page/index.html", "en /posts/page/_index"},
		{root, "posts/a.html", " "},
		{folders, "en/index.html", "en /_index"},
		{folders, "index.html", "en /_index"},
		{folders, "de/seite/2/index.html", " "},
		{folders, "de/page/2/index.html", "de /page/2/_index"},
		{&Mapping{rules: &hugoRules{}, Languages: languages[:1]}, "index.html", " "},
		{&Mapping{rules: &jekyllRules{}, Languages: languages}, "index.html", " "},
	} {
		if lang, key := test.c.PageTranslation(test.file); lang+" "+key != test.want {
			t.Errorf("%s: got %s %s, want %s", test.file, lang, key, test.want)
		}
	}
}

func TestLinkEnding(t *testing.T) {
	tests := []struct {
		name, file string
		c          Mapping
		f          page.Facts
		want       mapping.Ending
	}{
		{"Jekyll post with the default permalink", "_posts/2024-01-01-hello.md", Mapping{rules: &jekyllRules{permalink: "date", markdownExt: []string{"md"}}}, page.Facts{}, mapping.FileName},
		{"Jekyll page with the default permalink", "about.md", Mapping{rules: &jekyllRules{permalink: "date", markdownExt: []string{"md"}}}, page.Facts{}, mapping.FileName},
		{
			"Jekyll post with a permalink without extension", "_posts/2024-01-01-hello.md",
			Mapping{rules: &jekyllRules{permalink: "/:title", markdownExt: []string{"md"}}},
			page.Facts{},
			mapping.Bare,
		},
		{"Jekyll page with a permalink without extension", "about.md", Mapping{rules: &jekyllRules{permalink: "date", markdownExt: []string{"md"}}}, page.Facts{Permalink: "/about"}, mapping.Bare},
		{
			"Jekyll post with pretty permalinks", "_posts/2024-01-01-hello.md",
			Mapping{rules: &jekyllRules{permalink: "pretty", markdownExt: []string{"md"}}},
			page.Facts{},
			mapping.NoEnding,
		},
		{"Hugo with ugly URLs", "a.md", Mapping{rules: &hugoRules{plainRules: plainRules{ends: mapping.FileName}, uglyURLs: true}}, page.Facts{}, mapping.FileName},
		{"Hugo by default", "a.md", Mapping{rules: &hugoRules{}}, page.Facts{}, mapping.NoEnding},
		{"MkDocs without directory URLs", "a.md", Mapping{rules: plainRules{flat: true, ends: mapping.FileName}}, page.Facts{}, mapping.FileName},
		{"Docusaurus without slash", "a.md", Mapping{rules: docusaurusRules{plainRules{flat: true, ends: mapping.Bare}}}, page.Facts{}, mapping.Bare},
		{"VitePress with cleanUrls", "a.md", Mapping{rules: plainRules{flat: true, ends: mapping.Bare}}, page.Facts{}, mapping.Bare},
		{"VitePress without cleanUrls", "a.md", Mapping{rules: plainRules{flat: true}}, page.Facts{}, mapping.NoEnding},
	}
	for _, tt := range tests {
		out, note, _ := tt.c.OutputFile(tt.file, &tt.f)
		if got := tt.c.LinkEnding(tt.file, out, &tt.f); got != tt.want {
			t.Errorf("%s: got ending %d for output file %q with note %q, want %d", tt.name, got, out, note, tt.want)
		}
	}
}

func TestPairPages(t *testing.T) {
	for _, test := range []struct {
		name, pages, outputs, want string
	}{
		{"equal paths", "a.html b.html", "b.html a.html", "1 0"},
		{"unknown output", "a.html", " ", "-1"},
		{"other case", "posts/hello/index.html", "posts/Hello/index.html", "0"},
		{"equal path before other case", "A.html a.html", "a.html A.html", "1 0"},
		{"file for folder", "a.html b/index.html", "a/index.html b.html", "0 1"},
		{"file and folder", "a.html a/index.html", "a/index.html", "-1 0"},
		{"Unicode composition", "u\u0308.html", "\u00fc.html", "0"},
		{"two equal outputs for a page", "a.html", "a.html a.html", "-1"},
		{"two outputs that differ in case", "a.html", "A.html a/index.html", "-1"},
		{"two pages for an output", "B.html b/index.html", "b.html", "-1 -1"},
		{"two pages, three outputs", "B.html b/index.html", "b.html b.htm", "-1 -1"},
		{"home page", "index.html", "INDEX.HTML", "0"},
		{"undated draft", "2026/11/28/wip.html wip.html", "?0/0/0/wip.html", "0 -1"},
		{"undated draft, date in the name", "2026-11-28-wip/index.html", "?0-0-0-wip/index.html", "0"},
		{"undated draft at two dates", "2026/11/28/wip.html 2026/11/27/wip.html", "?0/0/0/wip.html", "-1 -1"},
		{"date of a post before undated draft", "2026/11/28/a.html 2024/01/02/a.html", "2024/01/02/a.html ?0/0/0/a.html", "1 0"},
		{"no pages", "", "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			outputs := strings.Split(test.outputs, " ")
			undated := make([]string, len(outputs))
			for i := range outputs {
				outputs[i], undated[i], _ = strings.Cut(outputs[i], "?")
			}
			pairs := PairPages(strings.Fields(test.pages), outputs, func(i int) string { return undated[i] })
			if got := strings.Trim(fmt.Sprint(pairs), "[]"); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

// noUndated returns "", which means that no output file depends on a date.
func noUndated(int) string { return "" }

// pairPagesSlowly returns the result of PairPages for paths with dates. It uses a simple
// algorithm.
func pairPagesSlowly(pages, outputs []string) []int32 {
	pairs, taken := slices.Repeat([]int32{-1}, len(pages)), make([]bool, len(outputs))
	for _, key := range []func(string) string{func(s string) string { return s }, PairKey} {
		left, same := map[string][]int{}, map[string][]int{}
		for i, file := range pages {
			if pairs[i] == -1 {
				left[key(file)] = append(left[key(file)], i)
			}
		}
		for i, out := range outputs {
			if !taken[i] {
				same[key(out)] = append(same[key(out)], i)
			}
		}
		for k, ps := range left {
			os := same[k]
			for _, i := range ps {
				if len(os) == 1 && len(ps) == 1 {
					pairs[i], taken[os[0]] = int32(os[0]), true
				} else if len(os) > 0 {
					pairs[i] = -2
				}
			}
		}
	}
	for i := range pairs {
		pairs[i] = max(pairs[i], -1)
	}
	return pairs
}

// FuzzPairPages checks that PairPages equals pairPagesSlowly, and that no path matches two pages.
func FuzzPairPages(f *testing.F) {
	f.Add("a.html A.html", "a/index.html a.html")
	f.Add("a.html b.html c.html d.html", "d.html a.html c.html c.html C.html b.html")
	f.Fuzz(func(t *testing.T, pages, outputs string) {
		p, o := slices.Compact(slices.Sorted(strings.FieldsSeq(pages))), strings.Fields(outputs)
		if got, want := PairPages(p, o, noUndated), pairPagesSlowly(p, o); !slices.Equal(got, want) {
			t.Fatalf("pages %q and outputs %q: got %v, want %v", p, o, got, want)
		}
		seen := map[int32]bool{}
		for i, out := range PairPages(p, o, noUndated) {
			if out == -1 {
				continue
			}
			if seen[out] || PairKey(p[i]) != PairKey(o[out]) {
				t.Fatalf("pages %q and outputs %q: page %d must not match output %d", p, o, i, out)
			}
			seen[out] = true
		}
	})
}

// FuzzOutputFile checks that every output file is below the publish directory.
func FuzzOutputFile(f *testing.F) {
	for i, pattern := range []string{
		"/:year/:month/:sections/:slugorfilename/", "/:categories/:title:output_ext", `/a\:b/:06/%zz/../:title.html`, "pretty",
		":sections[-1:9]", "/:slug_/:path/:name", "..",
	} {
		f.Add("posts/2024-01-02-a b.de.md", pattern, "Über/../x", "", uint8(i))
		f.Add("_posts/x/2024-01-02-a.md", "date", "", pattern, uint8(i))
	}
	f.Add("a/b.md", "a/:x(.*)/:y*", ":y*/:x", "/{{ title | slugify }}/{{ page.date | date: '%Y' }}", uint8(4))
	f.Fuzz(func(t *testing.T, file, pattern, title, url string, which uint8) {
		rewrites := newTable(diag.Pos{})
		rewrites.set(pattern, &value{scalar: title})
		vitepress := vitepressRules{rewrites: readVitePressRewrites(rewrites)}
		rules := []pathRules{
			&hugoRules{permalinks: []permalink{{pattern: pattern}}, uglyURLs: which&32 != 0, usesNameDate: which&64 != 0},
			&jekyllRules{permalink: pattern, collections: map[string]collection{"docs": {output: true}}},
			zolaRules{},
			docusaurusRules{},
			eleventyRules{},
			plainRules{},
			nil,
			vitepress,
			nuxtRules{},
			&hexoRules{permalink: pattern, zone: time.UTC},
			&pelicanRules{settings: &value{table: map[string]*value{"ARTICLE_SAVE_AS": {scalar: pattern}}}},
		}
		c := &Mapping{
			rules: rules[int(which)%len(rules)], Multihost: which&16 != 0,
			Languages: []Language{{Name: "en"}, {Name: "de"}}, DefaultLanguage: "en",
			Trees: []Tree{{Dir: "."}, {Dir: "docs", Prefix: "docs"}},
		}
		facts := &page.Facts{Title: title, Permalink: url, Slug: title, Date: sitemap.DayOf(time.Unix(0, 0)), Aliases: []string{url}}
		c = c.WithIndexFiles(maps.All(map[string]*page.Facts{"a/_index.md": facts, file: facts}))
		out, note, ok := c.OutputFile(file, facts)
		if ok != (note == "") || ok && (strings.HasPrefix(out, "/") || strings.HasPrefix(out, "../")) {
			t.Errorf("got output file %q, note %q, ok %v, want a path below the publish directory or a note", out, note, ok)
		}
		c.AliasFiles(file, facts)
		c.GeneratorSkipReason(file, facts)
		c.PublishDate(file, facts)
		c.Translation(file, facts)
	})
}

// BenchmarkMapping measures the time that Mapping adds to a build with 10,000 posts.
func BenchmarkMapping(b *testing.B) {
	const n = 10_000
	facts := page.Facts{Title: "A Title, and more", Date: sitemap.DayOf(time.Unix(1e9, 0))}
	files, pages, outs := make([]string, n), make([]string, n), make([]string, n)
	for i := range files {
		files[i] = fmt.Sprintf("posts/%03d/Some Name %d.md", i%100, i)
	}
	for _, c := range []*Mapping{
		{rules: &hugoRules{}, DefaultLanguage: "en", Trees: []Tree{{Dir: "content"}}, Root: "content"},
		{
			rules:           &hugoRules{permalinks: []permalink{{path: "/posts{,/**}", kind: "page", pattern: "/:year/:month/:slug/"}}},
			DefaultLanguage: "en", Trees: []Tree{{Dir: "content"}}, Root: "content",
		},
	} {
		b.Run(fmt.Sprintf("%d permalinks", len(c.rules.(*hugoRules).permalinks)), func(b *testing.B) {
			for b.Loop() {
				m := c.WithIndexFiles(func(yield func(string, *page.Facts) bool) {
					for i := range files {
						if !yield(files[i], &facts) {
							return
						}
					}
				})
				for i, file := range files {
					outs[i], _, _ = m.OutputFile(file, &facts)
					m.GeneratorSkipReason(file, &facts)
					m.PublishDate(file, &facts)
					m.Translation(file, &facts)
					pages[i] = outs[i]
				}
				PairPages(pages, outs, noUndated)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/page")
		})
	}
}

// FuzzJoinPath checks that joinPath equals path.Join without the leading slash.
func FuzzJoinPath(f *testing.F) {
	f.Add("", "a")
	f.Add("a/b", "..")
	f.Add("./a", "b//c/")
	f.Fuzz(func(t *testing.T, dir, name string) {
		want := strings.TrimPrefix(path.Join("/", dir, name), "/")
		if got := joinPath(dir, name); got != want {
			t.Errorf("joinPath(%q, %q) = %q, want %q", dir, name, got, want)
		}
	})
}

// FuzzCutDate checks that cutDate accepts the same names as the regular expression of Jekyll.
func FuzzCutDate(f *testing.F) {
	expr := regexp.MustCompile(`^(\d{2,4}-\d{1,2}-\d{1,2})-(.*)$`)
	for _, name := range []string{"2024-01-02-a", "24-1-2-", "2024-01-02", "2-01-02-a", "2024-001-02-a", "a", "", "2024-1-2-a\nb", "20245-1-2-a"} {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		want := expr.FindStringSubmatch(name)
		date, rest, ok := cutDate(name)
		if ok != (want != nil) || ok && (date != want[1] || rest != want[2]) {
			t.Errorf("cutDate(%q) = %q, %q, %v, want %q", name, date, rest, ok, want)
		}
	})
}

// TestSkipReasonOfFilePermalinks checks that a template with a permalink such as "feed.xml" is
// not a page.
func TestSkipReasonOfFilePermalinks(t *testing.T) {
	c := &Mapping{rules: eleventyRules{}}
	for link, want := range map[string]page.Reason{"/sitemap.xml": page.NotRendered, "feed.json": page.NotRendered, "/a/": page.Listed, "/v1.2": page.Listed, "": page.Listed} {
		if r, _, _ := c.GeneratorSkipReason("a.njk", &page.Facts{Permalink: link}); r != want {
			t.Errorf("permalink %q: got %v, want %v", link, r, want)
		}
	}
}

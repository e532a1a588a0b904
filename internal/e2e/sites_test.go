//go:build e2e

package e2e

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A generatedSite is a site in testdata that a real generator builds.
type generatedSite struct {
	name         string
	buildCommand []string // program and arguments
	publish      string
	ownSitemaps  []string          // the sitemaps of the generator, below publish
	wantExcluded map[string]string // URLs that only the generator lists, with the reason of sitewalk
	wantAdded    []string          // URLs that only sitewalk lists, because they are static files
}

var generatedSites = []generatedSite{
	{
		name: "hugo", buildCommand: []string{"hugo", "--quiet"}, publish: "public",
		ownSitemaps: []string{"en/sitemap.xml", "de/sitemap.xml"},
		wantExcluded: map[string]string{
			"https://example.internal/docs/blog/2024/03/hidden/": "noindex",
			"https://example.internal/docs/blog/2024/03/copy/":   "canonical",
		},
		wantAdded: []string{"https://example.internal/docs/plain.html"},
	},
	{
		name: "jekyll", buildCommand: []string{"jekyll", "build", "--quiet"}, publish: "_site",
		ownSitemaps: []string{"sitemap.xml"},
		wantExcluded: map[string]string{
			"https://example.internal/lake/noindex/":  "noindex",
			"https://example.internal/lake/notes.pdf": "", // not a page
		},
	},
	{
		name: "mkdocs", buildCommand: []string{"mkdocs", "build", "--quiet"}, publish: "site",
		ownSitemaps: []string{"sitemap.xml"},
		wantAdded:   []string{"https://example.edu/lake/extra.html"},
	},
}

// buildCopy builds a copy of the site and returns its folder.
func (g generatedSite) buildCopy(t *testing.T) string {
	dir := copyTree(t, filepath.Join("testdata", g.name))
	buildOnce(t, g.name, dir, g.publish, func() { run(t, dir, toolPath(t, g.buildCommand[0]), g.buildCommand[1:]...) })
	return dir
}

// TestGenerators builds each site and runs sitewalk without configuration. It checks that the URLs
// differ from those of the generator only as expected.
func TestGenerators(t *testing.T) {
	for _, g := range generatedSites {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			dir := g.buildCopy(t)
			theirs := g.takeOwnURLs(t, dir)
			if out, stderr, err := tryRun(t, dir, nil, sitewalk); err != nil {
				t.Fatalf("sitewalk: %v\n%s%s", err, out, stderr)
			}
			file := filepath.Join(dir, g.publish, "sitemap.xml")
			validateSitemap(t, file)
			ours := sortedLocs(readEntries(t, file))
			g.compareURLs(t, dir, theirs, ours)
			checkSecondRun(t, dir, file)
		})
	}
}

// takeOwnURLs reads the sitemaps of the generator and removes them.
func (g generatedSite) takeOwnURLs(t *testing.T, dir string) []string {
	var all []string
	for _, name := range g.ownSitemaps {
		file := filepath.Join(dir, g.publish, filepath.FromSlash(name))
		all = append(all, sortedLocs(readEntries(t, file))...)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if len(all) == 0 {
		t.Fatal("the sitemaps of the generator are empty")
	}
	slices.Sort(all)
	return all
}

// compareURLs checks the URLs that only sitewalk or only the generator lists.
func (g generatedSite) compareURLs(t *testing.T, dir string, theirs, ours []string) {
	for _, loc := range difference(ours, theirs) {
		if !slices.Contains(g.wantAdded, loc) {
			t.Errorf("only sitewalk lists %s", loc)
		}
	}
	for _, loc := range difference(theirs, ours) {
		want, expected := g.wantExcluded[loc]
		if !expected {
			t.Errorf("only %s lists %s", g.name, loc)
			continue
		}
		if want == "" {
			continue
		}
		if got := explainReason(t, dir, loc); got != want {
			t.Errorf("%s is excluded with the reason %q, want %q", loc, got, want)
		}
	}
	for loc := range g.wantExcluded {
		if !slices.Contains(theirs, loc) || slices.Contains(ours, loc) {
			t.Errorf("%s is not only in the sitemap of the generator", loc)
		}
	}
	for _, loc := range g.wantAdded {
		if slices.Contains(theirs, loc) || !slices.Contains(ours, loc) {
			t.Errorf("%s is not only in the sitemap of sitewalk", loc)
		}
	}
}

// checkSecondRun runs sitewalk again and checks that it does not write the file again.
func checkSecondRun(t *testing.T, dir, file string) {
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	_, stderr, err := tryRun(t, dir, nil, sitewalk)
	if err != nil {
		t.Fatal(err, stderr)
	}
	after, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) || !before.ModTime().Equal(after.ModTime()) {
		t.Errorf("a second run wrote %s again: %s", file, stderr)
	}
}

// TestHugoAlternates checks that the alternates of Hugo sites equal those in the sitemaps of Hugo.
func TestHugoAlternates(t *testing.T) {
	for name, dir := range map[string]string{
		"suffixes": copyTree(t, filepath.Join("testdata", "hugo")), "folders": newHugoSiteWithFolders(t),
	} {
		t.Run(name, func(t *testing.T) {
			run(t, dir, toolPath(t, "hugo"), "--quiet")
			want := map[string][]string{}
			for _, lang := range []string{"en", "de"} {
				for _, e := range readEntries(t, filepath.Join(dir, "public", lang, "sitemap.xml")) {
					want[e.Loc] = alternates(e)
				}
			}
			run(t, dir, sitewalk, "-q")
			translated := 0
			for _, e := range readEntries(t, filepath.Join(dir, "public", "sitemap.xml")) {
				got := alternates(e)
				if !slices.Equal(got, want[e.Loc]) {
					t.Errorf("%s: alternates %q, want %q as in the sitemap of Hugo", e.Loc, got, want[e.Loc])
				}
				if len(got) > 0 {
					translated++
				}
			}
			if translated < 8 {
				t.Errorf("%d pages have alternates, want at least 8", translated)
			}
		})
	}
}

// newHugoSiteWithFolders returns the folder of a Hugo site with one configuration file and one
// content folder per language. Most sections have an _index file in one language or in none.
func newHugoSiteWithFolders(t *testing.T) string {
	dir := t.TempDir()
	writeFile(t, dir, "config/_default/hugo.toml", "baseURL = 'https://example.internal/'\ndefaultContentLanguage = 'en'\n[pagination]\npagerSize = 1\n")
	writeFile(t, dir, "config/_default/languages.en.toml", "locale = 'en-GB'\ncontentDir = 'content/en'\nweight = 1\n")
	writeFile(t, dir, "config/_default/languages.de.toml", "locale = 'de-DE'\ncontentDir = 'content/de'\nweight = 2\n")
	writeFile(t, dir, "config/_default/params.en.toml", "languages = 'no language'\n")
	writeFile(t, dir, "config/_default/menus.de.toml", "[[main]]\nname = 'x'\nurl = '/'\n")
	const front = "---\ntitle: A\ntags: [go, x y]\n---\n"
	for _, file := range []string{
		"en/posts/a.md", "de/posts/a.md", "en/posts/b.md", "en/About/My Page.md", "de/about/my-page.md",
		"en/docs/sub/s.md", "de/docs/sub/s.md", "de/docs/_index.md", "en/bundle.md", "de/bundle/index.md", "de/only/a.md",
	} {
		writeFile(t, dir, "content/"+file, front)
	}
	for _, layout := range []string{"home", "section", "taxonomy", "term", "list"} {
		writeFile(t, dir, "layouts/"+layout+".html", "<title>{{ .Title }}</title>{{ with .Paginator }}{{ .PageNumber }}{{ end }}")
	}
	writeFile(t, dir, "layouts/single.html", "<title>{{ .Title }}</title>")
	return dir
}

// alternates returns the alternates of an entry as "LANG HREF", sorted.
func alternates(e entry) []string {
	var out []string
	for _, a := range e.Alternates {
		out = append(out, a.Lang+" "+a.Href)
	}
	slices.Sort(out)
	return out
}

// validateSitemap validates a sitemap or an index with the XML schemas in the folder $SITEWALK_XSD,
// in a subtest. Without the variable, the subtest is skipped.
func validateSitemap(t *testing.T, file string) {
	t.Helper()
	t.Run("schema of "+filepath.Base(file), func(t *testing.T) {
		xsd := os.Getenv("SITEWALK_XSD")
		if xsd == "" {
			t.Skip("SITEWALK_XSD names no folder of schemas")
		}
		schema := "all.xsd"
		src, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(src[:min(len(src), 1000)], []byte("<sitemapindex")) {
			schema = "siteindex.xsd"
		}
		run(t, ".", toolPath(t, "xmllint"), "--nonet", "--noout", "--schema", filepath.Join(xsd, schema), file)
	})
}

// TestCrawlersReadUnusualNames builds a site with unusual file names. It checks that independent
// parsers and crawlers read all URLs.
func TestCrawlersReadUnusualNames(t *testing.T) {
	dir := copyTree(t, filepath.Join("testdata", "hugo"))
	run(t, dir, toolPath(t, "hugo"), "--quiet")
	writeFile(t, dir, "public/o'brien & <sons>/index.html", "<!doctype html><title>Odd</title>")
	writeFile(t, dir, `public/100%/"q" #1?.html`, "<!doctype html><title>Odd</title>")
	run(t, dir, sitewalk, "-q")
	file := filepath.Join(dir, "public", "sitemap.xml")
	validateSitemap(t, file)
	want := sortedLocs(readEntries(t, file))
	server := serveFolder(t, filepath.Join(dir, "public"), "/docs/")
	for name, got := range map[string][]string{
		"npm package sitemap":    npmSitemapURLs(t, file),
		"npm package sitemapper": sitemapperURLs(t, server+"/docs/sitemap.xml"),
		"SitemapSpider (Scrapy)": scrapyURLs(t, dir, server+"/docs/sitemap.xml"),
	} {
		if extra, lost := difference(got, want), difference(want, got); len(extra)+len(lost) > 0 {
			t.Errorf("%s: reads %q, which are not listed, and misses %q", name, extra, lost)
		}
	}
}

// TestJekyllAlternates checks that the alternates of a Jekyll site equal the hreflang links in its
// pages.
func TestJekyllAlternates(t *testing.T) {
	dir := copyTree(t, filepath.Join("testdata", "jekyll-languages"))
	run(t, dir, toolPath(t, "jekyll"), "build", "--quiet")
	run(t, dir, sitewalk, "-q")
	file := filepath.Join(dir, "_site", "sitemap.xml")
	validateSitemap(t, file)
	translated := 0
	for _, e := range readEntries(t, file) {
		want := headAlternates(t, filepath.Join(dir, "_site"), e.Loc)
		if got := alternates(e); !slices.Equal(got, want) {
			t.Errorf("%s: alternates %q, want %q as in the page", e.Loc, got, want)
		}
		if len(want) > 0 {
			translated++
		}
	}
	if translated != 7 {
		t.Errorf("%d pages have alternates, want 7", translated)
	}
}

var hreflangLink = regexp.MustCompile(`<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">`)

// headAlternates returns the hreflang links in the page at a URL as "LANG HREF", sorted.
func headAlternates(t *testing.T, dir, loc string) []string {
	u, err := url.Parse(loc)
	if err != nil {
		t.Fatal(err)
	}
	src, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(u.Path), "index.html"))
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, m := range hreflangLink.FindAllStringSubmatch(string(src), -1) {
		href, err := url.PathUnescape(m[2])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m[1]+" "+(&url.URL{Scheme: "https", Host: "example.internal", Path: strings.TrimPrefix(href, "https://example.internal")}).String())
	}
	slices.Sort(out)
	return out
}

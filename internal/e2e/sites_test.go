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

// A generated is a site that a real generator builds in a copy of testdata.
type generated struct {
	name    string
	build   []string // program and arguments
	publish string
	own     []string          // the generator's own sitemaps, below publish
	out     map[string]string // URLs that only the generator lists, and our reason
	added   []string          // URLs that only sitewalk lists: static files that are no template's
}

var generatedSites = []generated{
	{
		name: "hugo", build: []string{"hugo", "--quiet"}, publish: "public",
		own: []string{"en/sitemap.xml", "de/sitemap.xml"},
		out: map[string]string{
			"https://example.internal/docs/blog/2024/03/hidden/": "noindex",
			"https://example.internal/docs/blog/2024/03/copy/":   "canonical",
		},
		added: []string{"https://example.internal/docs/plain.html"},
	},
	{
		name: "jekyll", build: []string{"jekyll", "build", "--quiet"}, publish: "_site",
		own: []string{"sitemap.xml"},
		out: map[string]string{
			"https://example.internal/lake/noindex/":  "noindex",
			"https://example.internal/lake/notes.pdf": "", // not a page
		},
	},
	{
		name: "mkdocs", build: []string{"mkdocs", "build", "--quiet"}, publish: "site",
		own:   []string{"sitemap.xml"},
		added: []string{"https://example.edu/lake/extra.html"},
	},
}

// built returns a folder with the site, as its generator builds it.
func (g generated) built(t *testing.T) string {
	dir := copyTree(t, filepath.Join("testdata", g.name))
	buildOnce(t, g.name, dir, g.publish, func() { do(t, dir, tool(t, g.build[0]), g.build[1:]...) })
	return dir
}

// TestGenerators builds each site, takes the generator's own sitemap away, runs
// sitewalk without any configuration, and explains every difference.
func TestGenerators(t *testing.T) {
	for _, g := range generatedSites {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			dir := g.built(t)
			theirs := g.takeAway(t, dir)
			if out, stderr, err := try(t, dir, nil, sitewalk); err != nil {
				t.Fatalf("sitewalk: %v\n%s%s", err, out, stderr)
			}
			file := filepath.Join(dir, g.publish, "sitemap.xml")
			validate(t, file)
			ours := locs(entries(t, file))
			g.compare(t, dir, theirs, ours)
			unchanged(t, dir, file)
		})
	}
}

// takeAway reads the generator's own sitemaps and removes them.
func (g generated) takeAway(t *testing.T, dir string) []string {
	var all []string
	for _, name := range g.own {
		file := filepath.Join(dir, g.publish, filepath.FromSlash(name))
		all = append(all, locs(entries(t, file))...)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	if len(all) == 0 {
		t.Fatal("the generator's own sitemap is empty, so there is nothing to compare with")
	}
	slices.Sort(all)
	return all
}

func (g generated) compare(t *testing.T, dir string, theirs, ours []string) {
	for _, loc := range missing(ours, theirs) {
		if !slices.Contains(g.added, loc) {
			t.Errorf("only sitewalk lists %s", loc)
		}
	}
	for _, loc := range missing(theirs, ours) {
		want, expected := g.out[loc]
		if !expected {
			t.Errorf("only %s lists %s", g.name, loc)
			continue
		}
		if want == "" {
			continue
		}
		if got := reasonOf(t, dir, loc); got != want {
			t.Errorf("%s is out by %q, want %q", loc, got, want)
		}
	}
	for loc := range g.out {
		if !slices.Contains(theirs, loc) || slices.Contains(ours, loc) {
			t.Errorf("%s should be in the generator's sitemap and not in ours", loc)
		}
	}
	for _, loc := range g.added {
		if slices.Contains(theirs, loc) || !slices.Contains(ours, loc) {
			t.Errorf("%s should be in our sitemap and not in the generator's", loc)
		}
	}
}

// unchanged runs sitewalk again and finds the file untouched.
func unchanged(t *testing.T, dir, file string) {
	before, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	_, stderr, err := try(t, dir, nil, sitewalk)
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

// TestHreflangEqualsHugo compares the language groups of real Hugo sites with
// those of Hugo's own sitemaps.
func TestHreflangEqualsHugo(t *testing.T) {
	for name, dir := range map[string]string{
		"suffixes": copyTree(t, filepath.Join("testdata", "hugo")), "folders": hugoFolders(t),
	} {
		t.Run(name, func(t *testing.T) {
			do(t, dir, tool(t, "hugo"), "--quiet")
			want := map[string][]string{}
			for _, lang := range []string{"en", "de"} {
				for _, e := range entries(t, filepath.Join(dir, "public", lang, "sitemap.xml")) {
					want[e.Loc] = alternates(e)
				}
			}
			do(t, dir, sitewalk, "-q")
			groups := 0
			for _, e := range entries(t, filepath.Join(dir, "public", "sitemap.xml")) {
				got := alternates(e)
				if !slices.Equal(got, want[e.Loc]) {
					t.Errorf("%s: alternates %q, Hugo has %q", e.Loc, got, want[e.Loc])
				}
				if len(got) > 0 {
					groups++
				}
			}
			if groups < 8 {
				t.Errorf("%d pages have alternates, want the translated ones", groups)
			}
		})
	}
}

// hugoFolders is a site whose languages have files of their own in the
// configuration folder and folders of their own for content. Most sections have
// an _index file in one language or in none.
func hugoFolders(t *testing.T) string {
	dir := t.TempDir()
	write(t, dir, "config/_default/hugo.toml", "baseURL = 'https://example.internal/'\ndefaultContentLanguage = 'en'\n[pagination]\npagerSize = 1\n")
	write(t, dir, "config/_default/languages.en.toml", "locale = 'en-GB'\ncontentDir = 'content/en'\nweight = 1\n")
	write(t, dir, "config/_default/languages.de.toml", "locale = 'de-DE'\ncontentDir = 'content/de'\nweight = 2\n")
	write(t, dir, "config/_default/params.en.toml", "languages = 'no language'\n")
	write(t, dir, "config/_default/menus.de.toml", "[[main]]\nname = 'x'\nurl = '/'\n")
	const front = "---\ntitle: A\ntags: [go, x y]\n---\n"
	for _, file := range []string{
		"en/posts/a.md", "de/posts/a.md", "en/posts/b.md", "en/About/My Page.md", "de/about/my-page.md",
		"en/docs/sub/s.md", "de/docs/sub/s.md", "de/docs/_index.md", "en/bundle.md", "de/bundle/index.md", "de/only/a.md",
	} {
		write(t, dir, "content/"+file, front)
	}
	for _, layout := range []string{"home", "section", "taxonomy", "term", "list"} {
		write(t, dir, "layouts/"+layout+".html", "<title>{{ .Title }}</title>{{ with .Paginator }}{{ .PageNumber }}{{ end }}")
	}
	write(t, dir, "layouts/single.html", "<title>{{ .Title }}</title>")
	return dir
}

func alternates(e entry) []string {
	var out []string
	for _, a := range e.Alternates {
		out = append(out, a.Lang+" "+a.Href)
	}
	slices.Sort(out)
	return out
}

// validate checks a file by the protocol's schemas.
func validate(t *testing.T, file string) {
	t.Helper()
	xsd := os.Getenv("SITEWALK_XSD")
	if xsd == "" {
		t.Log("SITEWALK_XSD is not set: the file is not checked by the schemas")
		return
	}
	schema := "all.xsd"
	src, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(src[:min(len(src), 1000)], []byte("<sitemapindex")) {
		schema = "siteindex.xsd"
	}
	do(t, ".", tool(t, "xmllint"), "--nonet", "--noout", "--schema", filepath.Join(xsd, schema), file)
}

// TestIndependentReaders builds a site with odd names and lets others read it.
func TestIndependentReaders(t *testing.T) {
	dir := copyTree(t, filepath.Join("testdata", "hugo"))
	do(t, dir, tool(t, "hugo"), "--quiet")
	write(t, dir, "public/o'brien & <sons>/index.html", "<!doctype html><title>Odd</title>")
	write(t, dir, `public/100%/"q" #1?.html`, "<!doctype html><title>Odd</title>")
	do(t, dir, sitewalk, "-q")
	file := filepath.Join(dir, "public", "sitemap.xml")
	validate(t, file)
	want := locs(entries(t, file))
	server := serve(t, filepath.Join(dir, "public"), "/docs/")
	for name, got := range map[string][]string{
		"sitemap of npm":         npmSitemap(t, file),
		"sitemapper of npm":      sitemapper(t, server+"/docs/sitemap.xml"),
		"Scrapy's SitemapSpider": scrapy(t, dir, server+"/docs/sitemap.xml"),
	} {
		if extra, lost := missing(got, want), missing(want, got); len(extra)+len(lost) > 0 {
			t.Errorf("%s: reads %q that are not there, misses %q", name, extra, lost)
		}
	}
}

// TestHreflangEqualsJekyll compares the language groups of a real Jekyll site
// with the links that its layout wrote into the pages.
func TestHreflangEqualsJekyll(t *testing.T) {
	dir := copyTree(t, filepath.Join("testdata", "jekyll-languages"))
	do(t, dir, tool(t, "jekyll"), "build", "--quiet")
	do(t, dir, sitewalk, "-q")
	file := filepath.Join(dir, "_site", "sitemap.xml")
	validate(t, file)
	groups := 0
	for _, e := range entries(t, file) {
		want := headAlternates(t, filepath.Join(dir, "_site"), e.Loc)
		if got := alternates(e); !slices.Equal(got, want) {
			t.Errorf("%s: alternates %q, the page has %q", e.Loc, got, want)
		}
		if len(want) > 0 {
			groups++
		}
	}
	if groups != 7 {
		t.Errorf("%d pages have alternates, want 7", groups)
	}
}

var hreflang = regexp.MustCompile(`<link rel="alternate" hreflang="([^"]+)" href="([^"]+)">`)

// headAlternates returns the alternates in the head of the page of a URL.
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
	for _, m := range hreflang.FindAllStringSubmatch(string(src), -1) {
		href, err := url.PathUnescape(m[2])
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, m[1]+" "+(&url.URL{Scheme: "https", Host: "example.internal", Path: strings.TrimPrefix(href, "https://example.internal")}).String())
	}
	slices.Sort(out)
	return out
}

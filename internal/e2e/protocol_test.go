//go:build e2e

package e2e

import (
	"compress/gzip"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// newDatedSite returns the folder of a site with n dated pages in seven sections.
func newDatedSite(t *testing.T, n int) string {
	dir := t.TempDir()
	for i := range n {
		section := []string{"", "blog/", "Blog/", "blog-2/", "straße/", "docs/a/", "docs/b/"}[i%7]
		writeFile(t, dir, fmt.Sprintf("public/%sp%d/index.html", section, i), fmt.Sprintf(
			`<!doctype html><html lang="en"><title>Page %d &amp; more</title><meta name="description" content="About &lt;page&gt; %d">`+
				`<meta property="article:modified_time" content="2024-%02d-%02dT10:00:00+02:00"><p>Text.`, i, i, 1+i%12, 1+i%28))
	}
	return dir
}

// TestCrawlersReadSplitSitemap splits a sitemap into many files, with and without gzip. It checks
// that three crawler libraries find all URLs from the index, from robots.txt and from text files.
func TestCrawlersReadSplitSitemap(t *testing.T) {
	for gz, entry := range map[string]string{"false": "sitemap.xml", "also": "sitemap.xml", "only": "sitemap.xml.gz"} {
		t.Run("gzip "+gz, func(t *testing.T) {
			const pages = 400
			dir := newDatedSite(t, pages)
			public := filepath.Join(dir, "public")
			server := serveFolder(t, public, "/")
			writeFile(t, dir, "sitemap.yaml", fmt.Sprintf(`base_url: %s/
pages: {dir: public}
output: {formats: [xml, txt], gzip: %s, max_urls: 60, robots: true}
`, server, gz))
			run(t, dir, sitewalk, "-q")
			fromXML, fromText := readSitemapFiles(t, public)
			if len(fromXML) != pages || !slices.Equal(fromXML, fromText) {
				t.Fatalf("%d URLs in XML and %d in text, want the same %d", len(fromXML), len(fromText), pages)
			}
			if got := scrapyURLs(t, dir, server+"/"+entry); !slices.Equal(got, fromXML) {
				t.Errorf("Scrapy reads %d URLs, want %d; it misses %q", len(got), pages, difference(fromXML, got))
			}
			if got := sitemapperURLs(t, server+"/"+entry); !slices.Equal(got, fromXML) {
				t.Errorf("sitemapper reads %d URLs, want %d; it misses %q", len(got), pages, difference(fromXML, got))
			}
			if got := crawleeURLs(t, server); !slices.Equal(got, fromXML) {
				t.Errorf("Crawlee reads %d URLs, want %d; it misses %q", len(got), pages, difference(fromXML, got))
			}
			run(t, dir, sitewalk, "-q", "--format", "txt")
			if got := crawleeURLs(t, server); !slices.Equal(got, fromXML) {
				t.Errorf("Crawlee reads %d URLs from text, want %d; it misses %q", len(got), pages, difference(fromXML, got))
			}
		})
	}
}

// readSitemapFiles returns the sorted URLs of all XML and text sitemaps in dir. It validates the XML
// files and compares each gzipped file with its plain file if there is one.
func readSitemapFiles(t *testing.T, dir string) (fromXML, fromText []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "sitemap*"))
	if err != nil || len(files) < 10 {
		t.Fatalf("sitewalk wrote %d files, want at least 10: %v", len(files), err)
	}
	for _, file := range files {
		if plain, ok := strings.CutSuffix(file, ".gz"); ok {
			if fileExists(plain) {
				compareUnzipped(t, file)
				continue
			}
			file = filepath.Join(t.TempDir(), filepath.Base(plain))
			if err := os.WriteFile(file, []byte(run(t, ".", "/bin/gzip", "-dc", plain+".gz")), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if strings.HasSuffix(file, ".txt") {
			src, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			fromText = append(fromText, strings.Fields(string(src))...)
			continue
		}
		validateSitemap(t, file)
		if filepath.Base(file) != "sitemap.xml" {
			fromXML = append(fromXML, sortedLocs(readEntries(t, file))...)
		}
	}
	slices.Sort(fromXML)
	slices.Sort(fromText)
	return fromXML, fromText
}

// compareUnzipped checks that a gzipped file has the content of its plain file.
func compareUnzipped(t *testing.T, file string) {
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile(strings.TrimSuffix(file, ".gz"))
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != string(want) {
		t.Errorf("the content of %s differs from the plain file", file)
	}
	if out := run(t, ".", "/bin/gzip", "-l", file); !strings.Contains(out, "sitemap") {
		t.Errorf("gzip -l prints %q, want the name of the file", out)
	}
}

const feedsPython = `
import feedparser, json, sys
out = []
for name in sys.argv[1:]:
    d = feedparser.parse(name)
    out.append({"bozo": bool(d.bozo), "version": d.version, "title": d.feed.get("title"),
                "entries": [[e.get("title"), e.get("link"), e.get("id"), e.get("updated") or e.get("published"), e.get("summary")] for e in d.entries]})
print(json.dumps(out))
`

// TestFeeds checks that feedparser reads the RSS feed and the Atom feed, and finds the same first
// entry in both.
func TestFeeds(t *testing.T) {
	dir := newDatedSite(t, 80)
	writeFile(t, dir, "sitemap.yaml", `base_url: https://example.internal/
pages: {dir: public}
output: {formats: [rss, atom], feed: {items: 10, title: "The lake & its shores"}}
`)
	run(t, dir, sitewalk, "-q")
	writeFile(t, dir, "feeds.py", feedsPython)
	out := run(t, dir, "/usr/bin/python3", filepath.Join(dir, "feeds.py"),
		filepath.Join(dir, "public", "sitemap.rss"), filepath.Join(dir, "public", "sitemap.atom"))
	var feeds []struct {
		Bozo           bool
		Version, Title string
		Entries        [][5]string
	}
	if err := json.Unmarshal([]byte(out), &feeds); err != nil {
		t.Fatal(err, out)
	}
	for i, want := range []string{"rss20", "atom10"} {
		f := feeds[i]
		if f.Bozo || f.Version != want || f.Title != "The lake & its shores" || len(f.Entries) != 10 {
			t.Fatalf("feed %d: %+v", i, f)
		}
		for _, e := range f.Entries {
			if !strings.HasPrefix(e[0], "Page ") || !strings.HasPrefix(e[1], "https://example.internal/") || e[2] == "" || e[3] == "" || !strings.Contains(e[4], "About") {
				t.Errorf("%s: entry %q", want, e)
			}
		}
	}
	if a, b := feeds[0].Entries, feeds[1].Entries; a[0][1] != b[0][1] {
		t.Errorf("the first entry of RSS is %s, that of Atom is %s", a[0][1], b[0][1])
	}
}

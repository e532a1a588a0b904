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

// lake makes a site of n pages in a few sections, each with a date.
func lake(t *testing.T, n int) string {
	dir := t.TempDir()
	for i := range n {
		section := []string{"", "blog/", "Blog/", "blog-2/", "straße/", "docs/a/", "docs/b/"}[i%7]
		write(t, dir, fmt.Sprintf("public/%sp%d/index.html", section, i), fmt.Sprintf(
			`<!doctype html><html lang="en"><title>Page %d &amp; more</title><meta name="description" content="About &lt;page&gt; %d">`+
				`<meta property="article:modified_time" content="2024-%02d-%02dT10:00:00+02:00"><p>Text.`, i, i, 1+i%12, 1+i%28))
	}
	return dir
}

// TestReadersFollowTheIndex splits a site into many files, plain and gzipped,
// and three crawler libraries find the same URLs: by the index, and one by
// robots.txt and in text.
func TestReadersFollowTheIndex(t *testing.T) {
	for gz, entry := range map[string]string{"false": "sitemap.xml", "also": "sitemap.xml", "only": "sitemap.xml.gz"} {
		t.Run("gzip "+gz, func(t *testing.T) {
			const pages = 400
			dir := lake(t, pages)
			public := filepath.Join(dir, "public")
			server := serve(t, public, "/")
			write(t, dir, "sitemap.yaml", fmt.Sprintf(`base_url: %s/
pages: {dir: public}
output: {formats: [xml, txt], gzip: %s, max_urls: 60, robots: true}
`, server, gz))
			do(t, dir, sitewalk, "-q")
			fromXML, fromText := written(t, public)
			if len(fromXML) != pages || !slices.Equal(fromXML, fromText) {
				t.Fatalf("%d URLs in XML and %d in text, want the same %d", len(fromXML), len(fromText), pages)
			}
			if got := scrapy(t, dir, server+"/"+entry); !slices.Equal(got, fromXML) {
				t.Errorf("Scrapy reads %d URLs, want %d; misses %q", len(got), pages, missing(fromXML, got))
			}
			if got := sitemapper(t, server+"/"+entry); !slices.Equal(got, fromXML) {
				t.Errorf("sitemapper reads %d URLs, want %d; misses %q", len(got), pages, missing(fromXML, got))
			}
			if got := crawlee(t, server); !slices.Equal(got, fromXML) {
				t.Errorf("Crawlee reads %d URLs, want %d; misses %q", len(got), pages, missing(fromXML, got))
			}
			do(t, dir, sitewalk, "-q", "--format", "txt")
			if got := crawlee(t, server); !slices.Equal(got, fromXML) {
				t.Errorf("Crawlee reads %d URLs in text, want %d; misses %q", len(got), pages, missing(fromXML, got))
			}
		})
	}
}

// written returns the URLs of all url sets and of all texts below dir, sorted,
// and compares every file with what it should be.
func written(t *testing.T, dir string) (fromXML, fromText []string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "sitemap*"))
	if err != nil || len(files) < 10 {
		t.Fatalf("only %d files were written: %v", len(files), err)
	}
	for _, file := range files {
		if plain, ok := strings.CutSuffix(file, ".gz"); ok {
			if exists(plain) {
				sameUnzipped(t, file)
				continue
			}
			file = filepath.Join(t.TempDir(), filepath.Base(plain))
			if err := os.WriteFile(file, []byte(do(t, ".", "/bin/gzip", "-dc", plain+".gz")), 0o644); err != nil {
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
		validate(t, file)
		if filepath.Base(file) != "sitemap.xml" {
			fromXML = append(fromXML, locs(entries(t, file))...)
		}
	}
	slices.Sort(fromXML)
	slices.Sort(fromText)
	return fromXML, fromText
}

func sameUnzipped(t *testing.T, file string) {
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
		t.Errorf("%s holds something else than its twin", file)
	}
	if out := do(t, ".", "/bin/gzip", "-l", file); !strings.Contains(out, "sitemap") {
		t.Errorf("gzip -l says %q", out)
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

// TestFeeds lets an independent feed parser read both feeds.
func TestFeeds(t *testing.T) {
	dir := lake(t, 80)
	write(t, dir, "sitemap.yaml", `base_url: https://example.internal/
pages: {dir: public}
output: {formats: [rss, atom], feed: {items: 10, title: "The lake & its shores"}}
`)
	do(t, dir, sitewalk, "-q")
	write(t, dir, "feeds.py", feedsPython)
	out := do(t, dir, "/usr/bin/python3", filepath.Join(dir, "feeds.py"),
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
		t.Errorf("RSS begins with %s, Atom with %s", a[0][1], b[0][1])
	}
}

package writer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/robots"
)

// TestRobotsNamesEntryFiles checks that robots.txt names the files that lead to all pages, and no
// others.
func TestRobotsNamesEntryFiles(t *testing.T) {
	pages := site(append(pagePaths("blog", 3), "a")...)
	all := []string{"xml", "txt", "rss", "atom"}
	for i := range pages {
		pages[i].LastMod = day
	}
	tests := []struct {
		name string
		o    Options
		want string
	}{
		{"one file", Options{Formats: all}, "sitemap.xml"},
		{"gzip also", Options{Gzip: "also"}, "sitemap.xml"},
		{"gzip only", Options{Gzip: "only"}, "sitemap.xml.gz"},
		{"index", Options{MaxURLs: 2, Formats: all}, "sitemap.xml"},
		{"text", Options{Formats: []string{"txt"}}, "sitemap.txt"},
		{"text in several files", Options{Formats: []string{"txt", "rss"}, MaxURLs: 3}, "sitemap-pages.txt sitemap-blog.txt"},
		{"feed, gzip only", Options{Formats: []string{"rss"}, Gzip: "only"}, "sitemap.rss.gz"},
		{"text and feed", Options{Formats: []string{"rss", "txt"}}, "sitemap.rss"},
		{"text and xml", Options{Formats: []string{"txt", "xml"}}, "sitemap.xml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Dir, tt.o.Robots = t.TempDir(), true
			mustWrite(t, pages, tt.o)
			text, err := os.ReadFile(filepath.Join(tt.o.Dir, "robots.txt"))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, l := range robots.SitemapLines(text) {
				got = append(got, strings.TrimPrefix(l.Value, base))
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("robots.txt: got sitemaps %s, want %s", got, tt.want)
			}
			entry := tt.o.EntryFile()
			if _, err := os.Stat(filepath.Join(tt.o.Dir, entry)); len(got) == 1 && (entry != got[0] || err != nil) {
				t.Errorf("EntryFile: got %s, error %v, want %s", entry, err, got[0])
			}
		})
	}
}

// TestWriteReportsRobotsBelowRoot checks that Write reports robots.txt instead of writing it if the
// base URL has a path. Crawlers read robots.txt only at the root of a host.
func TestWriteReportsRobotsBelowRoot(t *testing.T) {
	o := Options{Dir: t.TempDir(), Base: "https://owner.github.io/repo/", Robots: true}
	r := mustWrite(t, entryList{}, o)
	if len(r.Diags) != 1 || r.Diags[0].Code != "robots-unreachable" || !strings.Contains(r.Diags[0].Hint, o.Base+"sitemap.xml") {
		t.Errorf("got findings %v, want one robots-unreachable", r.Diags)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "robots.txt")); err == nil {
		t.Error("got a robots.txt, want none")
	}
	o.Formats = []string{"llms"} // no sitemap for robots.txt
	if r := mustWrite(t, entryList{}, o); len(r.Diags) != 0 {
		t.Errorf("without a sitemap: got findings %v, want none", r.Diags)
	}
}

// TestWriteReportsRobotsFolder checks that Write reports a folder named robots.txt, and writes the
// other files.
func TestWriteReportsRobotsFolder(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "robots.txt", "mine"), "")
	r := mustWrite(t, site(""), Options{Dir: dir, Robots: true})
	if len(r.Diags) != 1 || r.Diags[0].Code != "robots-unreachable" {
		t.Errorf("got findings %v, want one robots-unreachable", r.Diags)
	}
	r = mustWrite(t, site(""), Options{Dir: filepath.Join(dir, "out"), Publish: dir, Robots: true})
	if len(r.Diags) != 1 || r.Diags[0].Pos.File != "../robots.txt" {
		t.Errorf("output below the publish directory: got findings %v, want one about ../robots.txt", r.Diags)
	}
	if got := strings.Join(fileNames(readTree(t, dir)), " "); got != "out/sitemap.xml robots.txt/mine sitemap.xml" {
		t.Errorf("got files %s", got)
	}
}

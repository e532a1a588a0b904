package writer

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/robots"
)

// The lines name what a crawler must know, and nothing beside it.
func TestRobotsEntrances(t *testing.T) {
	pages := site(append(many("blog", 3), "a")...)
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
		{"an index", Options{MaxURLs: 2, Formats: all}, "sitemap.xml"},
		{"text", Options{Formats: []string{"txt"}}, "sitemap.txt"},
		{"text in files", Options{Formats: []string{"txt", "rss"}, MaxURLs: 3}, "sitemap-pages.txt sitemap-blog.txt"},
		{"a feed, gzip only", Options{Formats: []string{"rss"}, Gzip: "only"}, "sitemap.rss.gz"},
		{"text beside", Options{Formats: []string{"rss", "txt"}}, "sitemap.rss"},
		{"xml in second place", Options{Formats: []string{"txt", "xml"}}, "sitemap.xml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Dir, tt.o.Robots = t.TempDir(), true
			write(t, pages, tt.o)
			text, err := os.ReadFile(filepath.Join(tt.o.Dir, "robots.txt"))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, l := range robots.SitemapLines(text) {
				got = append(got, strings.TrimPrefix(l.Value, base))
			}
			if strings.Join(got, " ") != tt.want {
				t.Errorf("robots.txt names %s, want %s", got, tt.want)
			}
			entry := tt.o.EntryFile()
			if _, err := os.Stat(filepath.Join(tt.o.Dir, entry)); len(got) == 1 && (entry != got[0] || err != nil) {
				t.Errorf("the entry is called %s: %v", entry, err)
			}
		})
	}
}

// Below a path, robots.txt is read by nobody.
func TestRobotsBelowPath(t *testing.T) {
	o := Options{Dir: t.TempDir(), Base: "https://owner.github.io/repo/", Robots: true}
	r := write(t, slice{}, o)
	if len(r.Diags) != 1 || r.Diags[0].Code != "robots-unreachable" || !strings.Contains(r.Diags[0].Hint, o.Base+"sitemap.xml") {
		t.Errorf("findings %v", r.Diags)
	}
	if _, err := os.Stat(filepath.Join(o.Dir, "robots.txt")); err == nil {
		t.Error("a robots.txt was written")
	}
	o.Formats = []string{"llms"} // nothing to announce
	if r := write(t, slice{}, o); len(r.Diags) != 0 {
		t.Errorf("without a sitemap: findings %v", r.Diags)
	}
}

// What stands under the name and is no file is reported, and nothing else stops.
func TestRobotsIsNoFile(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "robots.txt", "mine"), "")
	r := write(t, site(""), Options{Dir: dir, Robots: true})
	if len(r.Diags) != 1 || r.Diags[0].Code != "robots-unreachable" {
		t.Errorf("findings %v", r.Diags)
	}
	r = write(t, site(""), Options{Dir: filepath.Join(dir, "out"), Publish: dir, Robots: true})
	if len(r.Diags) != 1 || r.Diags[0].Pos.File != "../robots.txt" {
		t.Errorf("below the publish directory: findings %v", r.Diags)
	}
	if got := strings.Join(namesIn(tree(t, dir)), " "); got != "out/sitemap.xml robots.txt/mine sitemap.xml" {
		t.Errorf("files %s", got)
	}
}

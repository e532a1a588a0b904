package writer

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/sitewalk/sitewalk/sitemap"
)

const base = "https://example.com/"

// A slice is Entries in memory.
type slice []sitemap.Entry

func (s slice) Len() int                      { return len(s) }
func (s slice) Entry(i int, e *sitemap.Entry) { *e = s[i] }

// Write drafts and commits in one transaction.
func Write(ctx context.Context, entries Entries, o Options) (Report, error) {
	var t Transaction
	defer t.Close()
	report, err := t.Draft(ctx, entries, o)
	if err != nil {
		return report, err
	}
	return report, t.Commit()
}

// site returns entries for paths below base.
func site(paths ...string) slice {
	s := make(slice, len(paths))
	for i, p := range paths {
		s[i].Loc = base + p
	}
	slices.SortFunc(s, func(a, b sitemap.Entry) int { return strings.Compare(a.Loc, b.Loc) })
	return s
}

// many returns n pages of a section.
func many(section string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("%s/page-%d/", section, i))
	}
	return out
}

func write(t *testing.T, entries Entries, o Options) Report {
	t.Helper()
	if o.Base == "" {
		o.Base = base
	}
	r, err := Write(context.Background(), entries, o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// tree returns the files below dir with their contents, decompressed.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.Walk(dir, func(p string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		f, err := os.Open(p)
		if err != nil {
			return err
		}
		defer f.Close()
		var r io.Reader = f
		if strings.HasSuffix(p, ".gz") {
			if r, err = gzip.NewReader(f); err != nil {
				r = f
			}
		}
		b, err := io.ReadAll(r)
		rel, _ := filepath.Rel(dir, p)
		out[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func namesIn(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }

// However many groups there are, a URL is asked for once.
func TestManyGroupsAreAskedOnce(t *testing.T) {
	const n = 500
	o := Options{Dir: t.TempDir(), DryRun: true, Groups: make([]Group, n)}
	for i := range o.Groups {
		o.Groups[i].Name = fmt.Sprint("group", i)
	}
	var asked atomic.Int32
	o.Group = func(string) int { return int(asked.Add(1)) - 2 }
	r := write(t, site(many("a", n)...), o)
	if len(r.Empty) != 1 || r.Empty[0].Name != "group499" || asked.Load() != n {
		t.Errorf("%d questions, empty: %v", asked.Load(), r.Empty)
	}
}

func TestWriteNames(t *testing.T) {
	big := append(append(many("blog", 7), many("docs", 5)...), "", "about/", "x/y/")
	groups := []Group{{Name: "posts"}}
	posts := func(loc string) int {
		if strings.HasPrefix(loc, base+"blog/") {
			return 0
		}
		return -1
	}
	tests := []struct {
		name    string
		entries slice
		o       Options
		want    string
	}{
		{"one file", site("", "a/"), Options{}, "sitemap.xml"},
		{"no pages", site(), Options{}, "sitemap.xml"},
		{"another name", site(""), Options{Name: "maps/site.xml"}, "maps/site.xml"},
		{"formats", site(""), Options{Formats: []string{"txt", "xml", "txt"}}, "sitemap.txt sitemap.xml"},
		{"gzip also", site(""), Options{Gzip: "also", Formats: []string{"xml", "txt"}}, "sitemap.txt sitemap.txt.gz sitemap.xml sitemap.xml.gz"},
		{"gzip only", site(""), Options{Gzip: "only"}, "sitemap.xml.gz"},
		{"sections", site(big...), Options{MaxURLs: 10}, "sitemap-blog.xml sitemap-docs.xml sitemap-pages.xml sitemap.xml"},
		{"sections in text", site(big...), Options{MaxURLs: 10, Formats: []string{"txt"}}, "sitemap-blog.txt sitemap-docs.txt sitemap-pages.txt"},
		{"sections, gzip only", site(big...), Options{MaxURLs: 10, Gzip: "only"}, "sitemap-blog.xml.gz sitemap-docs.xml.gz sitemap-pages.xml.gz sitemap.xml.gz"},
		{"cut inside a section", site(big...), Options{MaxURLs: 6}, "sitemap-blog-2.xml sitemap-blog.xml sitemap-docs.xml sitemap-pages.xml sitemap.xml"},
		{"split none", site(big...), Options{MaxURLs: 10, Split: "none"}, "sitemap-pages-2.xml sitemap-pages.xml sitemap.xml"},
		{"split section", site(many("blog", 1000)...), Options{Split: "section"}, "sitemap-blog.xml sitemap.xml"},
		{"groups", site(big...), Options{Groups: groups, Group: posts}, "sitemap-pages.xml sitemap-posts.xml sitemap.xml"},
		{"a sitemap of others", site("", "a/"), Options{Index: []string{"https://docs.example.com/sitemap.xml"}}, "sitemap-pages.xml sitemap.xml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Dir = t.TempDir()
			r := write(t, tt.entries, tt.o)
			if got := strings.Join(namesIn(tree(t, tt.o.Dir)), " "); got != tt.want {
				t.Errorf("files %s, want %s", got, tt.want)
			}
			if r.URLs != len(tt.entries) {
				t.Errorf("%d URLs reported, want %d", r.URLs, len(tt.entries))
			}
			if len(r.Diags) > 0 {
				t.Errorf("findings: %v", r.Diags)
			}
		})
	}
}

// The limits are exact: one byte less is one file more.
func TestLimitsAreExact(t *testing.T) {
	s := site(many("a", 8)...)
	var doc bytes.Buffer
	if _, err := Print(&doc, s, Options{Base: base}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		o    Options
		want int
	}{
		{Options{MaxBytes: doc.Len()}, 1},
		{Options{MaxBytes: doc.Len() - 1, Split: "none"}, 2},
		{Options{MaxURLs: 8}, 1},
		{Options{MaxURLs: 7, Split: "none"}, 2},
	} {
		tt.o.Dir = t.TempDir()
		write(t, s, tt.o)
		if got := max(1, strings.Count(strings.Join(namesIn(tree(t, tt.o.Dir)), " "), "sitemap-pages")); got != tt.want {
			t.Errorf("%d bytes, %d URLs: %d files, want %d", tt.o.MaxBytes, tt.o.MaxURLs, got, tt.want)
		}
	}
	if _, err := Print(&doc, s, Options{Base: base, MaxURLs: 2}); err == nil {
		t.Error("three URLs were printed as one file of at most two")
	}
}

func TestStylesheet(t *testing.T) {
	dir := t.TempDir()
	o := Options{Dir: dir, Name: "maps/my map.xml", Stylesheet: true, MaxURLs: 2, Formats: []string{"txt", "xml"}}
	write(t, site("a", "b", "c"), o)
	files := tree(t, dir)
	if _, ok := files["maps/my map.css"]; !ok {
		t.Fatalf("files: %s", namesIn(files))
	}
	for _, name := range []string{"maps/my map.xml", "maps/my map-pages.xml"} {
		if !strings.Contains(files[name], `<?xml-stylesheet type="text/css" href="my%20map.css"?>`) {
			t.Errorf("%s does not name its stylesheet:\n%s", name, files[name])
		}
	}
	if !strings.Contains(files["maps/my map.xml"], "<loc>https://example.com/maps/my%20map-pages.xml</loc>") {
		t.Errorf("the index names\n%s", files["maps/my map.xml"])
	}
	validate(t, dir)
}

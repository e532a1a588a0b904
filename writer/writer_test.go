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

	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/sitemap"
)

const base = "https://example.com/"

// An entryList implements Entries in memory.
type entryList []sitemap.Entry

func (s entryList) Len() int                      { return len(s) }
func (s entryList) Entry(i int, e *sitemap.Entry) { *e = s[i] }

// Write drafts and commits entries in one transaction.
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
func site(paths ...string) entryList {
	s := make(entryList, len(paths))
	for i, p := range paths {
		s[i].Loc = base + p
	}
	slices.SortFunc(s, func(a, b sitemap.Entry) int { return strings.Compare(a.Loc, b.Loc) })
	return s
}

// pagePaths returns the paths of n pages of a section.
func pagePaths(section string, n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("%s/page-%d/", section, i))
	}
	return out
}

// mustWrite calls Write and fails the test if there is an error. The default base URL is base.
func mustWrite(t *testing.T, entries Entries, o Options) Report {
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

// copyTree returns a new folder with a copy of the files below dir. Writing them again takes longer.
func copyTree(t *testing.T, dir string) string {
	t.Helper()
	to := testsite.MemoryDir(t)
	if err := os.CopyFS(to, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	return to
}

// readTree returns the files below dir with their contents, decompressed.
func readTree(t *testing.T, dir string) map[string]string {
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

func fileNames(files map[string]string) []string { return slices.Sorted(maps.Keys(files)) }

// TestWriteCallsGroupOncePerURL checks that Write calls Options.Group once for each URL, even with
// many groups.
func TestWriteCallsGroupOncePerURL(t *testing.T) {
	const n = 500
	o := Options{Dir: t.TempDir(), DryRun: true, Groups: make([]Group, n)}
	for i := range o.Groups {
		o.Groups[i].Name = fmt.Sprint("group", i)
	}
	var calls atomic.Int32
	o.Group = func(string) int { return int(calls.Add(1)) - 2 }
	r := mustWrite(t, site(pagePaths("a", n)...), o)
	if len(r.Empty) != 1 || r.Empty[0].Name != "group499" || calls.Load() != n {
		t.Errorf("got %d calls of Group and empty groups %v, want %d calls and group499", calls.Load(), r.Empty, n)
	}
}

func TestWriteFileNames(t *testing.T) {
	big := append(append(pagePaths("blog", 7), pagePaths("docs", 5)...), "", "about/", "x/y/")
	groups := []Group{{Name: "posts"}}
	posts := func(loc string) int {
		if strings.HasPrefix(loc, base+"blog/") {
			return 0
		}
		return -1
	}
	tests := []struct {
		name    string
		entries entryList
		o       Options
		want    string
	}{
		{"one file", site("", "a/"), Options{}, "sitemap.xml"},
		{"no pages", site(), Options{}, "sitemap.xml"},
		{"other name", site(""), Options{Name: "maps/site.xml"}, "maps/site.xml"},
		{"formats", site(""), Options{Formats: []string{"txt", "xml", "txt"}}, "sitemap.txt sitemap.xml"},
		{"gzip also", site(""), Options{Gzip: "also", Formats: []string{"xml", "txt"}}, "sitemap.txt sitemap.txt.gz sitemap.xml sitemap.xml.gz"},
		{"gzip only", site(""), Options{Gzip: "only"}, "sitemap.xml.gz"},
		{"sections", site(big...), Options{MaxURLs: 10}, "sitemap-blog.xml sitemap-docs.xml sitemap-pages.xml sitemap.xml"},
		{"sections in text", site(big...), Options{MaxURLs: 10, Formats: []string{"txt"}}, "sitemap-blog.txt sitemap-docs.txt sitemap-pages.txt"},
		{"sections, gzip only", site(big...), Options{MaxURLs: 10, Gzip: "only"}, "sitemap-blog.xml.gz sitemap-docs.xml.gz sitemap-pages.xml.gz sitemap.xml.gz"},
		{"large section", site(big...), Options{MaxURLs: 6}, "sitemap-blog-2.xml sitemap-blog.xml sitemap-docs.xml sitemap-pages.xml sitemap.xml"},
		{"split none", site(big...), Options{MaxURLs: 10, Split: "none"}, "sitemap-pages-2.xml sitemap-pages.xml sitemap.xml"},
		{"split section", site(pagePaths("blog", 1000)...), Options{Split: "section"}, "sitemap-blog.xml sitemap.xml"},
		{"groups", site(big...), Options{Groups: groups, Group: posts}, "sitemap-pages.xml sitemap-posts.xml sitemap.xml"},
		{"other sitemap in index", site("", "a/"), Options{Index: []string{"https://docs.example.com/sitemap.xml"}}, "sitemap-pages.xml sitemap.xml"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.o.Dir = t.TempDir()
			r := mustWrite(t, tt.entries, tt.o)
			if got := strings.Join(fileNames(readTree(t, tt.o.Dir)), " "); got != tt.want {
				t.Errorf("got files %s, want %s", got, tt.want)
			}
			if r.URLs != len(tt.entries) {
				t.Errorf("got %d URLs in the report, want %d", r.URLs, len(tt.entries))
			}
			if len(r.Diags) > 0 {
				t.Errorf("got findings %v, want none", r.Diags)
			}
		})
	}
}

// TestLimitsAreExact checks that a limit of one byte or one URL less leads to one file more.
func TestLimitsAreExact(t *testing.T) {
	s := site(pagePaths("a", 8)...)
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
		mustWrite(t, s, tt.o)
		if got := max(1, strings.Count(strings.Join(fileNames(readTree(t, tt.o.Dir)), " "), "sitemap-pages")); got != tt.want {
			t.Errorf("limits of %d bytes, %d URLs: got %d files, want %d", tt.o.MaxBytes, tt.o.MaxURLs, got, tt.want)
		}
	}
	if _, err := Print(&doc, s, Options{Base: base, MaxURLs: 2}); err == nil {
		t.Error("Print of too many URLs: got no error, want one")
	}
}

func TestWriteStylesheet(t *testing.T) {
	dir := t.TempDir()
	o := Options{Dir: dir, Name: "maps/my map.xml", Stylesheet: true, MaxURLs: 2, Formats: []string{"txt", "xml"}}
	mustWrite(t, site("a", "b", "c"), o)
	files := readTree(t, dir)
	if _, ok := files["maps/my map.css"]; !ok {
		t.Fatalf("got files %s, want a stylesheet", fileNames(files))
	}
	for _, name := range []string{"maps/my map.xml", "maps/my map-pages.xml"} {
		if !strings.Contains(files[name], `<?xml-stylesheet type="text/css" href="my%20map.css"?>`) {
			t.Errorf("%s: got no reference to the stylesheet:\n%s", name, files[name])
		}
	}
	if !strings.Contains(files["maps/my map.xml"], "<loc>https://example.com/maps/my%20map-pages.xml</loc>") {
		t.Errorf("index: got\n%s\nwant the escaped URL of the child", files["maps/my map.xml"])
	}
	validateXML(t, dir)
}

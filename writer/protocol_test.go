package writer

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/sitemap"
)

// richSite returns n pages that use many elements of the sitemap protocol.
func richSite(n int) entryList {
	r := rand.New(rand.NewPCG(3, 4))
	var paths []string
	for i := range n {
		paths = append(paths, fmt.Sprintf("%s/a%%26b?c=d&e=%%27%d'", []string{"blog", "docs", "%C3%BC"}[i%3], i))
	}
	s := site(paths...)
	for i := range s {
		u := &s[i].URL
		s[i].Title, s[i].Summary = fmt.Sprintf("Title <%d> & \"more\"", i), "A 'summary' & more"
		if r.IntN(2) == 0 {
			u.LastMod = sitemap.DateOf(time.Unix(r.Int64N(1.7e9), 0), sitemap.Precision(1+r.IntN(4)))
			u.ChangeFreq, u.Priority = sitemap.Weekly, sitemap.Priority(1+r.IntN(1001))
		}
		if r.IntN(2) == 0 {
			u.Alternates = []sitemap.Alternate{{Lang: "en", Href: u.Loc}, {Lang: "x-default", Href: base}}
		}
		if r.IntN(2) == 0 {
			u.Images = []sitemap.Image{{Loc: base + "a.jpg?b&c"}}
		}
	}
	return s
}

// listedURLs returns the URLs in the file name. If the file is an index, it returns the URLs of all
// children.
func listedURLs(t *testing.T, files map[string]string, name string) (urls []string) {
	t.Helper()
	text, ok := files[name]
	if !ok {
		t.Fatalf("%s is missing", name)
	}
	items := sitemap.NewReader(strings.NewReader(text))
	for {
		item, err := items.Next()
		if err == io.EOF {
			return urls
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if item.Sitemap {
			urls = append(urls, listedURLs(t, files, strings.TrimPrefix(item.Loc, base))...)
		} else {
			urls = append(urls, item.Loc)
		}
	}
}

// TestWrittenFilesListAllPages checks with different limits and formats that the written files
// together list all pages.
func TestWrittenFilesListAllPages(t *testing.T) {
	t.Parallel()
	pages := richSite(60)
	var want []string
	for i := range pages {
		want = append(want, pages[i].Loc)
	}
	for _, o := range []Options{
		{}, {MaxURLs: 7}, {MaxBytes: 3000}, {MaxURLs: 1}, {MaxURLs: 9, Split: "none"}, {MaxURLs: 100, MaxBytes: 5000, Split: "section"},
	} {
		for _, gz := range []string{"", "also", "only"} {
			o.Gzip, o.Formats = gz, []string{"xml", "txt"}
			t.Run(fmt.Sprintf("%d URLs, %d bytes, %s, gzip %s", o.MaxURLs, o.MaxBytes, o.Split, gz), func(t *testing.T) {
				o.Dir = testsite.MemoryDir(t)
				r := mustWrite(t, pages, o)
				files := readTree(t, o.Dir)
				entry := "sitemap.xml"
				if gz == "only" {
					entry += ".gz"
				}
				got := listedURLs(t, files, entry)
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Errorf("got %d listed URLs, want %d", len(got), len(want))
				}
				var text []string
				for name, content := range files {
					if strings.HasSuffix(name, ".txt") || gz == "only" && strings.HasSuffix(name, ".txt.gz") {
						text = append(text, strings.Fields(content)...)
					}
				}
				slices.Sort(text)
				if !slices.Equal(text, want) {
					t.Errorf("got %d URLs in text files, want %d", len(text), len(want))
				}
				requireLimits(t, files, r, o)
				validateXML(t, o.Dir)
			})
		}
	}
}

// requireLimits checks that every file is within the limits of o, and that its numbers in the
// report are correct.
func requireLimits(t *testing.T, files map[string]string, r Report, o Options) {
	t.Helper()
	for _, f := range r.Files {
		text := files[f.Name]
		if info, err := os.Stat(filepath.Join(o.Dir, f.Name)); err != nil || info.Size() != f.Bytes {
			t.Errorf("%s: got %d bytes in the report, want the size of the file; error %v", f.Name, f.Bytes, err)
		}
		n := strings.Count(text, "<loc>")
		if strings.Contains(f.Name, ".txt") {
			n = strings.Count(text, "\n")
		}
		if n != f.URLs {
			t.Errorf("%s: got %d URLs in the report, want %d", f.Name, f.URLs, n)
		}
		if o.MaxBytes > 0 && len(text) > o.MaxBytes || o.MaxURLs > 0 && n > o.MaxURLs && !strings.Contains(text, "<sitemapindex") {
			t.Errorf("%s is larger than a limit: %d URLs, %d bytes", f.Name, n, len(text))
		}
	}
}

// validateXML validates all XML files below dir with the schemas in the folder SITEWALK_XSD, in a
// subtest. Without the variable, the subtest is skipped.
func validateXML(t *testing.T, dir string) {
	t.Helper()
	t.Run("schemas", func(t *testing.T) {
		xsd := os.Getenv("SITEWALK_XSD")
		if xsd == "" {
			t.Skip("SITEWALK_XSD names no folder of schemas")
		}
		bySchema := map[string][]string{}
		for name, text := range readTree(t, dir) {
			if filepath.Ext(name) != ".xml" {
				continue
			}
			schema := "all.xsd"
			if strings.Contains(text, "<sitemapindex") {
				schema = "siteindex.xsd"
			}
			bySchema[schema] = append(bySchema[schema], filepath.Join(dir, name))
		}
		for schema, files := range bySchema {
			args := append([]string{"--nonet", "--noout", "--schema", filepath.Join(xsd, schema)}, files...)
			if out, err := exec.Command("xmllint", args...).CombinedOutput(); err != nil {
				t.Errorf("xmllint: %v\n%s", err, out)
			}
		}
	})
}

// TestWriteRejectsTooLargeEntries checks the error if an entry or an index does not fit into a
// file. The old files must not change.
func TestWriteRejectsTooLargeEntries(t *testing.T) {
	heavy := site("", "a")
	heavy[1].Images = make([]sitemap.Image, 40)
	for i := range heavy[1].Images {
		heavy[1].Images[i].Loc = base + "img.jpg"
	}
	for name, tt := range map[string]struct {
		entries entryList
		o       Options
		want    string
	}{
		"page with many images": {heavy, Options{MaxBytes: 1000}, "the entry of " + base + "a does not fit into a sitemap of 1000 bytes"},
		"long URL":              {site("", strings.Repeat("a", 300)), Options{MaxBytes: 500}, "does not fit into a sitemap of 500 bytes"},
		"index":                 {site(pagePaths("a", 30)...), Options{MaxURLs: 1, MaxBytes: 700}, "30 sitemaps do not fit into an index of 700 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			tt.o.Dir, tt.o.Base = t.TempDir(), base
			mustWrite(t, site("old"), Options{Dir: tt.o.Dir})
			before := readTree(t, tt.o.Dir)
			if _, err := Write(t.Context(), tt.entries, tt.o); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got error %v, want %q", err, tt.want)
			}
			if after := readTree(t, tt.o.Dir); !maps.Equal(before, after) {
				t.Errorf("got files %s, want %s", fileNames(after), fileNames(before))
			}
		})
	}
}

// TestWriteSplitsNewsSitemaps checks that a news sitemap contains at most 1,000 entries.
func TestWriteSplitsNewsSitemaps(t *testing.T) {
	pages := site(pagePaths("news", 1001)...)
	for i := range pages {
		pages[i].News = &sitemap.News{Publication: sitemap.Publication{Name: "The Times", Language: "en"}, PublicationDate: day, Title: "News"}
	}
	dir := testsite.MemoryDir(t)
	mustWrite(t, pages, Options{Dir: dir})
	files := readTree(t, dir)
	if _, ok := files["sitemap-news-2.xml"]; !ok || len(files) != 3 {
		t.Errorf("got files %s", fileNames(files))
	}
	validateXML(t, dir)
}

// TestWriteFeeds checks that the feeds list the newest pages with a date.
func TestWriteFeeds(t *testing.T) {
	pages := siteWithDates(pagePaths("a", 5)...)
	pages[3].LastMod = sitemap.Date{}
	pages[1].LastMod = sitemap.DayOf(day.Time().AddDate(0, 1, 0))
	pages[4].LastMod = sitemap.DayOf(day.Time().AddDate(0, -1, 0))
	o := Options{Dir: testsite.MemoryDir(t), Formats: []string{"rss", "atom"}, Feed: Feed{Items: 3, Title: "A & B"}}
	mustWrite(t, pages, o)
	files := readTree(t, o.Dir)
	want := []string{base + "a/page-1/", base + "a/page-0/", base + "a/page-2/"}
	for _, name := range []string{"sitemap.rss", "sitemap.atom"} {
		if got := listedURLs(t, files, name); !slices.Equal(got, want) {
			t.Errorf("%s: got URLs %s, want %s", name, got, want)
		}
		for _, text := range []string{"<title>A &amp; B</title>", base + name} {
			if !strings.Contains(files[name], text) {
				t.Errorf("%s: got no text %s, want it", name, text)
			}
		}
	}
	if len(files) != 2 {
		t.Errorf("got files %s", fileNames(files))
	}
}

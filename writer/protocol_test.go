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

// rich returns n pages with all that a sitemap can say.
func rich(n int) slice {
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

// listed returns the URLs of a file, and of what it names when it is an index.
func listed(t *testing.T, files map[string]string, name string) (urls []string) {
	t.Helper()
	text, ok := files[name]
	if !ok {
		t.Fatalf("%s is not there", name)
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
			urls = append(urls, listed(t, files, strings.TrimPrefix(item.Loc, base))...)
		} else {
			urls = append(urls, item.Loc)
		}
	}
}

// Whatever the limits, the union of the files is the site, in every format.
func TestWriteThenRead(t *testing.T) {
	t.Parallel()
	pages := rich(60)
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
				r := write(t, pages, o)
				files := tree(t, o.Dir)
				entry := "sitemap.xml"
				if gz == "only" {
					entry += ".gz"
				}
				got := listed(t, files, entry)
				slices.Sort(got)
				if !slices.Equal(got, want) {
					t.Errorf("%d URLs are listed, want %d", len(got), len(want))
				}
				var text []string
				for name, content := range files {
					if strings.HasSuffix(name, ".txt") || gz == "only" && strings.HasSuffix(name, ".txt.gz") {
						text = append(text, strings.Fields(content)...)
					}
				}
				slices.Sort(text)
				if !slices.Equal(text, want) {
					t.Errorf("%d URLs in text, want %d", len(text), len(want))
				}
				within(t, files, r, o)
				validate(t, o.Dir)
			})
		}
	}
}

// within fails unless every file is within the limits and reported rightly.
func within(t *testing.T, files map[string]string, r Report, o Options) {
	t.Helper()
	for _, f := range r.Files {
		text := files[f.Name]
		if info, err := os.Stat(filepath.Join(o.Dir, f.Name)); err != nil || info.Size() != f.Bytes {
			t.Errorf("%s: %d bytes reported; %v", f.Name, f.Bytes, err)
		}
		n := strings.Count(text, "<loc>")
		if strings.Contains(f.Name, ".txt") {
			n = strings.Count(text, "\n")
		}
		if n != f.URLs {
			t.Errorf("%s holds %d URLs, reported %d", f.Name, n, f.URLs)
		}
		if o.MaxBytes > 0 && len(text) > o.MaxBytes || o.MaxURLs > 0 && n > o.MaxURLs && !strings.Contains(text, "<sitemapindex") {
			t.Errorf("%s is over a limit: %d URLs, %d bytes", f.Name, n, len(text))
		}
	}
}

// validate checks every XML file below dir by the schemas that SITEWALK_XSD
// names the folder of.
func validate(t *testing.T, dir string) {
	t.Helper()
	xsd := os.Getenv("SITEWALK_XSD")
	if xsd == "" {
		return
	}
	bySchema := map[string][]string{}
	for name, text := range tree(t, dir) {
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
}

// A page or an index that does not fit into a file is an error, and the old sitemap stays.
func TestWriteTooLarge(t *testing.T) {
	heavy := site("", "a")
	heavy[1].Images = make([]sitemap.Image, 40)
	for i := range heavy[1].Images {
		heavy[1].Images[i].Loc = base + "img.jpg"
	}
	for name, tt := range map[string]struct {
		entries slice
		o       Options
		want    string
	}{
		"a page with many images": {heavy, Options{MaxBytes: 1000}, "the entry of " + base + "a does not fit into a sitemap of 1000 bytes"},
		"a long URL":              {site("", strings.Repeat("a", 300)), Options{MaxBytes: 500}, "does not fit into a sitemap of 500 bytes"},
		"an index":                {site(many("a", 30)...), Options{MaxURLs: 1, MaxBytes: 700}, "30 sitemaps do not fit into an index of 700 bytes"},
	} {
		t.Run(name, func(t *testing.T) {
			tt.o.Dir, tt.o.Base = t.TempDir(), base
			write(t, site("old"), Options{Dir: tt.o.Dir})
			before := tree(t, tt.o.Dir)
			if _, err := Write(t.Context(), tt.entries, tt.o); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q", err, tt.want)
			}
			if after := tree(t, tt.o.Dir); !maps.Equal(before, after) {
				t.Errorf("files %s, want %s", namesIn(after), namesIn(before))
			}
		})
	}
}

// A news sitemap holds 1,000 entries at most.
func TestWriteNewsLimit(t *testing.T) {
	pages := site(many("news", 1001)...)
	for i := range pages {
		pages[i].News = &sitemap.News{Publication: sitemap.Publication{Name: "The Times", Language: "en"}, PublicationDate: day, Title: "News"}
	}
	dir := testsite.MemoryDir(t)
	write(t, pages, Options{Dir: dir})
	files := tree(t, dir)
	if _, ok := files["sitemap-news-2.xml"]; !ok || len(files) != 3 {
		t.Errorf("files: %s", namesIn(files))
	}
	validate(t, dir)
}

func TestFeeds(t *testing.T) {
	pages := dated(many("a", 5)...)
	pages[3].LastMod = sitemap.Date{}
	pages[1].LastMod = sitemap.DayOf(day.Time().AddDate(0, 1, 0))
	pages[4].LastMod = sitemap.DayOf(day.Time().AddDate(0, -1, 0))
	o := Options{Dir: testsite.MemoryDir(t), Formats: []string{"rss", "atom"}, Feed: Feed{Items: 3, Title: "A & B"}}
	write(t, pages, o)
	files := tree(t, o.Dir)
	want := []string{base + "a/page-1/", base + "a/page-0/", base + "a/page-2/"}
	for _, name := range []string{"sitemap.rss", "sitemap.atom"} {
		if got := listed(t, files, name); !slices.Equal(got, want) {
			t.Errorf("%s lists %s, want %s", name, got, want)
		}
		for _, text := range []string{"<title>A &amp; B</title>", base + name} {
			if !strings.Contains(files[name], text) {
				t.Errorf("%s does not say %s", name, text)
			}
		}
	}
	if len(files) != 2 {
		t.Errorf("files: %s", namesIn(files))
	}
}

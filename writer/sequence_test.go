package writer

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/sitemap"
)

// TestWriteEqualsFreshWrite writes random sites with random options into one folder. After each
// write, the folder must contain the files of a fresh write, and the files of other programs. The
// options always include robots.txt and xml. Without them, Write cannot recognize its own files
// after a change of names or formats.
func TestWriteEqualsFreshWrite(t *testing.T) {
	foreign := map[string]string{"mine-blog.xml": "<urlset/>", "sitemap-mine.xml": "<urlset/>", "x/a.html": "<p>mine"}
	for seed := range uint64(testsite.Repeat(3, 12)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 9))
			dir := testsite.MemoryDir(t)
			for name, text := range foreign {
				writeFile(t, filepath.Join(dir, name), text)
			}
			for step := range testsite.Repeat(12, 30) {
				pages, o := randomSite(r), randomOptions(r)
				fresh := o
				o.Dir, fresh.Dir = dir, testsite.MemoryDir(t)
				mustWrite(t, pages, o)
				mustWrite(t, pages, fresh)
				requireFreshFiles(t, readTree(t, dir), readTree(t, fresh.Dir), foreign)
				if t.Failed() {
					t.Fatalf("step %d: %+v", step, o)
				}
				if err := os.RemoveAll(fresh.Dir); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func randomSite(r *rand.Rand) entryList {
	pages := siteWithDates(append(append(pagePaths("blog", r.IntN(60)), pagePaths("docs", r.IntN(30))...), "", "about")...)
	if r.IntN(5) == 0 {
		for i := range pages {
			pages[i].LastMod = sitemap.Date{}
		}
	}
	return pages
}

func randomOptions(r *rand.Rand) Options {
	return Options{
		Robots:     true,
		Name:       pick(r, "sitemap.xml", "sitemap.xml", "maps/a.xml", "other.xml"),
		Formats:    strings.Fields(pick(r, "xml", "xml txt", "xml txt rss atom", "txt xml")),
		Gzip:       pick(r, "", "also", "only"),
		Page:       pick(r, "", "sitemap.html", "x/list.html"),
		Stylesheet: r.IntN(2) == 0,
		MaxURLs:    pick(r, 50_000, 7, 20),
		Split:      pick(r, "auto", "section", "none"),
	}
}

// pick returns a random value.
func pick[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// requireFreshFiles checks that got contains the files of want and foreign. The lines of robots.txt
// may have another order.
func requireFreshFiles(t *testing.T, got, want, foreign map[string]string) {
	t.Helper()
	for name, text := range foreign {
		if got[name] != text {
			t.Errorf("%s has changed", name)
		}
		delete(got, name)
	}
	for name, text := range want {
		if got[name] != text && name != robotsFile {
			t.Errorf("%s differs from that of a fresh write", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("got file %s, want it removed", name)
		}
	}
	if a, b := strings.Count(got[robotsFile], "Sitemap:"), strings.Count(want[robotsFile], "Sitemap:"); a != b {
		t.Errorf("robots.txt: got %d sitemaps, want %d", a, b)
	}
}

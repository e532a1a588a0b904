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

// Whatever was asked for before, a folder holds what a fresh run writes, and
// what is not ours. robots.txt is kept throughout, so that an entry that changes
// its name is found, and xml, as nothing proves a text alone to be ours.
func TestWriteAnySequence(t *testing.T) {
	foreign := map[string]string{"mine-blog.xml": "<urlset/>", "sitemap-mine.xml": "<urlset/>", "x/a.html": "<p>mine"}
	for seed := range uint64(testsite.Repeat(3, 12)) {
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			r := rand.New(rand.NewPCG(seed, 9))
			dir := testsite.MemoryDir(t)
			for name, text := range foreign {
				put(t, filepath.Join(dir, name), text)
			}
			for step := range testsite.Repeat(12, 30) {
				pages, o := anySite(r), anyOptions(r)
				fresh := o
				o.Dir, fresh.Dir = dir, testsite.MemoryDir(t)
				write(t, pages, o)
				write(t, pages, fresh)
				asFresh(t, tree(t, dir), tree(t, fresh.Dir), foreign)
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

func anySite(r *rand.Rand) slice {
	pages := dated(append(append(many("blog", r.IntN(60)), many("docs", r.IntN(30))...), "", "about")...)
	if r.IntN(5) == 0 {
		for i := range pages {
			pages[i].LastMod = sitemap.Date{}
		}
	}
	return pages
}

func anyOptions(r *rand.Rand) Options {
	return Options{
		Robots:     true,
		Name:       anyOf(r, "sitemap.xml", "sitemap.xml", "maps/a.xml", "other.xml"),
		Formats:    strings.Fields(anyOf(r, "xml", "xml txt", "xml txt rss atom", "txt xml")),
		Gzip:       anyOf(r, "", "also", "only"),
		Page:       anyOf(r, "", "sitemap.html", "x/list.html"),
		Stylesheet: r.IntN(2) == 0,
		MaxURLs:    anyOf(r, 50_000, 7, 20),
		Split:      anyOf(r, "auto", "section", "none"),
	}
}

func anyOf[T any](r *rand.Rand, values ...T) T { return values[r.IntN(len(values))] }

// asFresh fails unless got is want and the foreign files; robots.txt may have
// its lines in another order.
func asFresh(t *testing.T, got, want, foreign map[string]string) {
	t.Helper()
	for name, text := range foreign {
		if got[name] != text {
			t.Errorf("%s was touched", name)
		}
		delete(got, name)
	}
	for name, text := range want {
		if got[name] != text && name != robotsFile {
			t.Errorf("%s is not what a fresh run writes", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is left", name)
		}
	}
	if a, b := strings.Count(got[robotsFile], "Sitemap:"), strings.Count(want[robotsFile], "Sitemap:"); a != b {
		t.Errorf("robots.txt names %d sitemaps, want %d", a, b)
	}
}

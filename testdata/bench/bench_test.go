// Package bench compares sitewalk's stages with other libraries:
//
//	cd testdata/bench && go test -bench . -benchtime 20x
//
// The tree has SITEWALK_PAGES pages, 10,000 by default.
package bench

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/charlievieth/fastwalk"
	"github.com/sitewalk/sitewalk/internal/gensite"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
	"golang.org/x/net/html"
)

func site(b *testing.B) (dir string, pages int) {
	b.Helper()
	pages, err := strconv.Atoi(os.Getenv("SITEWALK_PAGES"))
	if err != nil {
		pages = 10_000
	}
	dir = b.TempDir()
	if err := (gensite.Site{Pages: pages, Seed: 1}).Write(dir); err != nil {
		b.Fatal(err)
	}
	return dir, pages
}

func BenchmarkList(b *testing.B) {
	dir, pages := site(b)
	for name, list := range map[string]func() error{
		"sitewalk": func() error {
			_, err := walker.Dir(dir).Walk(context.Background(), walker.Options{}, func(int, *walker.File) {})
			return err
		},
		"fastwalk": func() error {
			return fastwalk.Walk(nil, dir, func(_ string, _ fs.DirEntry, err error) error { return err })
		},
		"filepath.WalkDir": func() error {
			return filepath.WalkDir(dir, func(_ string, _ fs.DirEntry, err error) error { return err })
		},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if err := list(); err != nil {
					b.Fatal(err)
				}
			}
			perPage(b, pages)
		})
	}
}

func BenchmarkHead(b *testing.B) {
	text := gensite.Site{}.AppendHTML(nil, gensite.Site{}.Page(10))
	b.Run("sitewalk", func(b *testing.B) {
		r, facts := page.NewReader(page.Options{}), new(page.Facts)
		for b.Loop() {
			if err := r.HTML(bytes.NewReader(text), facts); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("x-net-html", func(b *testing.B) {
		for b.Loop() {
			tokenizeHead(text)
		}
	})
}

// tokenizeHead reads a page to the end of its head.
func tokenizeHead(text []byte) {
	z := html.NewTokenizer(bytes.NewReader(text))
	for {
		switch z.Next() {
		case html.ErrorToken:
			return
		case html.EndTagToken:
			if name, _ := z.TagName(); string(name) == "head" {
				return
			}
		case html.StartTagToken, html.SelfClosingTagToken:
			for _, more := z.TagName(); more; {
				_, _, more = z.TagAttr()
			}
		}
	}
}

func perPage(b *testing.B, pages int) {
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(pages), "ns/page")
}

// Stage runs one stage of a build alone, or what another library does instead
// of it, and prints how many seconds that took, and how many of processor time:
//
//	cd testdata/bench && go run ./stage list fastwalk /srv/site/public
//	cd testdata/bench && go run ./stage head x/net/html
//	cd testdata/bench && go run ./stage encode sitewalk /dev/shm/out
package main

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/charlievieth/fastwalk"
	"github.com/sitewalk/sitewalk/internal/testsite"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
	"golang.org/x/net/html"
)

// lists are the ways to list all files below a folder.
var lists = map[string]func(dir string) error{
	"sitewalk": func(dir string) error {
		_, err := walker.Dir(dir).Walk(context.Background(), walker.Options{}, func(int, *walker.File) {})
		return err
	},
	"fastwalk": func(dir string) error {
		return fastwalk.Walk(nil, dir, func(_ string, _ fs.DirEntry, err error) error { return err })
	},
	"filepath.WalkDir": func(dir string) error {
		return filepath.WalkDir(dir, func(_ string, _ fs.DirEntry, err error) error { return err })
	},
}

// heads are the ways to read the heads of pages.
var heads = map[string]func(pages [][]byte) error{
	"sitewalk": func(pages [][]byte) error {
		r, facts, in := page.NewReader(page.Options{}), new(page.Facts), new(bytes.Reader)
		for _, text := range pages {
			in.Reset(text)
			if err := r.ReadHTML(in, facts); err != nil {
				return err
			}
		}
		return nil
	},
	"x/net/html": func(pages [][]byte) error {
		for _, text := range pages {
			tokenizeHead(text)
		}
		return nil
	},
}

// tokenizeHead reads a page to the end of its head and each attribute in it.
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

func main() {
	run := stage(os.Args[1:])
	if run == nil {
		fmt.Fprintln(os.Stderr, "usage: stage list sitewalk|fastwalk|filepath.WalkDir DIR\n       stage head sitewalk|x/net/html\n       stage encode sitewalk|gzip|encoding/xml|list DIR")
		os.Exit(2)
	}
	runtime.GC() // of what preparing left
	if err := clock(run); err != nil {
		fmt.Fprintln(os.Stderr, "stage:", err)
		os.Exit(2)
	}
}

// stage returns what the arguments ask for, nil when that is nothing.
func stage(args []string) func() error {
	switch {
	case len(args) == 3 && args[0] == "list" && lists[args[1]] != nil:
		return func() error { return lists[args[1]](args[2]) }
	case len(args) == 2 && args[0] == "head" && heads[args[1]] != nil:
		pages := pages()
		return func() error { return heads[args[1]](pages) }
	case len(args) == 3 && args[0] == "encode" && encoders[args[1]] != nil:
		site := newSite(1_000_000)
		return func() error { return encoders[args[1]](args[2], site) }
	}
	return nil
}

// pages returns generated pages, some thousand times each.
func pages() (all [][]byte) {
	var site testsite.SyntheticSite
	var some [][]byte
	for n := range 100 {
		some = append(some, site.AppendHTML(nil, site.Page(n)))
	}
	for range 2000 {
		all = append(all, some...)
	}
	return all
}

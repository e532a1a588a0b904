// Package gensite makes large sites to measure and test with: the same seed
// and sizes give the same bytes on every system.
//
// It refuses to be random in its proportions: of a hundred pages, five say
// noindex and three are redirects, so that a test knows what to expect.
package gensite

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"
)

// A Site is what to make. Its zero fields stand for the defaults.
type Site struct {
	Pages   int
	Seed    uint64
	Head    int    // bytes before the end of the head; 5,000
	Size    int    // bytes of a page; 12,000
	BaseURL string // with a slash at its end; https://example.com/
	Lang    string // en
}

// A Kind says what a page is.
type Kind uint8

// The kinds of pages.
const (
	Plain    Kind = iota
	NoIndex       // its robots meta says noindex
	Redirect      // it refreshes to the page before it
)

// A Page is one page of a site, without its text.
type Page struct {
	Dir               string // the folder of its index.html, "" for the root
	Kind              Kind
	Title, Summary    string
	Created, Modified time.Time
	Target            string // of a redirect: the folder that it leads to
	Number            int
}

// pagesPerTopic makes 1.15 folders of a page.
const pagesPerTopic = 7

var sections = [...]string{"docs", "blog", "guides", "reference", "news", "products", "recipes", "about"}

// Page returns page number i of the site: 0 is the home page, the next ones
// are the sections' pages.
func (s Site) Page(i int) Page {
	r := rand.New(rand.NewPCG(s.Seed, uint64(i)))
	p := Page{
		Number:  i,
		Dir:     s.dir(i),
		Title:   sentence(r, 3+r.IntN(5)),
		Summary: sentence(r, 14+r.IntN(10)) + ".",
		Created: time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(r.IntN(8*365*86400)) * time.Second),
	}
	p.Modified = p.Created.Add(time.Duration(r.IntN(2*365*86400)) * time.Second)
	switch {
	case i%20 == 17:
		p.Kind = NoIndex
	case i%100 == 11 || i%100 == 44 || i%100 == 74:
		p.Kind, p.Target = Redirect, s.dir(i-1)
	}
	return p
}

func (s Site) dir(i int) string {
	if i == 0 {
		return ""
	}
	if i <= len(sections) {
		return sections[i-1]
	}
	topic := i / pagesPerTopic
	names := rand.New(rand.NewPCG(s.Seed+1, uint64(topic)))
	section := sections[topic%len(sections)]
	folder := fmt.Sprintf("%s-%d", word(names), topic)
	own := rand.New(rand.NewPCG(s.Seed+2, uint64(i)))
	return section + "/" + folder + "/" + strings.Join([]string{word(own), word(own), fmt.Sprint(i)}, "-")
}

// Path returns the page's file in the built tree.
func (p Page) Path() string { return strings.TrimPrefix(p.Dir+"/index.html", "/") }

// Write makes the built tree below dir: an index.html for each page, and a
// 404.html, a style sheet and a script that are no pages.
func (s Site) Write(dir string) error {
	for name, text := range map[string]string{
		"404.html": "<!doctype html><title>Not found</title>\n", "style.css": "body{}\n", "app.js": "'use strict'\n",
	} {
		if err := write(dir, name, []byte(text)); err != nil {
			return err
		}
	}
	return s.each(func(p Page, b []byte) ([]byte, error) {
		b = s.AppendHTML(b[:0], p)
		return b, write(dir, p.Path(), b)
	})
}

// WriteContent makes the content tree, as Hugo reads it, of all pages but the
// redirects, which are aliases of their targets.
func (s Site) WriteContent(dir string) error {
	return s.each(func(p Page, b []byte) ([]byte, error) {
		if p.Kind == Redirect {
			return b, nil
		}
		b = s.AppendMarkdown(b[:0], p)
		return b, write(dir, p.ContentPath(), b)
	})
}

// ContentPath returns the page's file in the content tree.
func (p Page) ContentPath() string {
	if p.Number <= len(sections) {
		return strings.TrimPrefix(p.Dir+"/_index.md", "/")
	}
	return p.Dir + ".md"
}

// each calls write for every page, on all processors.
func (s Site) each(write func(p Page, b []byte) ([]byte, error)) error {
	workers := runtime.GOMAXPROCS(0)
	errs := make([]error, workers)
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			var b []byte
			for i := w; i < s.Pages && errs[w] == nil; i += workers {
				b, errs[w] = write(s.Page(i), b)
			}
		})
	}
	all.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func write(dir, path string, data []byte) error {
	file := filepath.Join(dir, filepath.FromSlash(path))
	err := os.WriteFile(file, data, 0o644)
	if os.IsNotExist(err) {
		if err = os.MkdirAll(filepath.Dir(file), 0o755); err == nil {
			err = os.WriteFile(file, data, 0o644)
		}
	}
	return err
}

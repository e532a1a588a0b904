// Package gensite makes large sites to measure and test with: the same seed
// and sizes give the same bytes on every system.
//
// It refuses to be random in its proportions: of a hundred pages, five say
// noindex and three are redirects, so that a test knows what to expect. What else
// there is of real sites stands in Shares.
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
	Links   int    // on each page, all of them right
	BaseURL string // with a slash at its end; https://example.com/
	Shares  Shares // none: pages in folders of their own, and nothing else
	Fault   string // one of Faults, that every page has; none
	Dates   string // the layout of all dates, as package time has it; time.RFC3339
}

// A Kind says what a page is.
type Kind uint8

// The kinds of pages.
const (
	Plain    Kind = iota
	NoIndex       // its robots meta says noindex
	Redirect      // it refreshes to the page before it
	Copy          // its canonical is the page before it
)

// A Page is one page of a site, without its text.
type Page struct {
	Dir               string // the folder of its index.html, "" for the root; of a page beside folders its name
	Beside            bool   // it is Dir.html
	Kind              Kind
	Lang              string
	Title, Summary    string
	Created, Modified time.Time
	Target            string // of a redirect or a copy: the path of the URL that it names
	Alternates        []Alternate
	Number            int

	loc     string // the path of its URL
	section bool   // in the content tree it speaks for its folder
}

// An Alternate is a link to a translation.
type Alternate struct{ Lang, Path string }

// pagesPerTopic makes 1.15 folders of a page.
const pagesPerTopic = 7

var sections = [...]string{"docs", "blog", "guides", "reference", "news", "products", "recipes", "about"}

// Page returns page number i of the site: 0 is the home page, the next ones
// are the sections' pages; with languages, each stands once in each of them
// before the next one.
func (s Site) Page(i int) Page {
	r := rand.New(rand.NewPCG(s.Seed, uint64(i)))
	subject, lang := s.subject(i)
	p := Page{
		Number:  i,
		Dir:     s.dir(i),
		Beside:  s.beside(subject),
		loc:     s.urlPath(i),
		section: subject <= len(sections),
		Lang:    s.language(lang),
		Title:   sentence(r, 3+r.IntN(5)),
		Summary: sentence(r, 14+r.IntN(10)) + ".",
		Created: time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(r.IntN(8*365*86400)) * time.Second),
	}
	p.Modified = p.Created.Add(time.Duration(r.IntN(2*365*86400)) * time.Second)
	if p.Kind = s.kind(subject); p.Kind == Redirect || p.Kind == Copy {
		p.Target = s.urlPath(i - s.languages())
	}
	if p.Kind == Plain {
		p.Alternates = s.alternates(i)
	}
	return p
}

// kind says what a page is, in all of its languages.
func (s Site) kind(subject int) Kind {
	switch in := subject % 100; {
	case in%20 == 17:
		return NoIndex
	case in == 11 || in == 44 || in == 74:
		return Redirect
	case s.Shares.Copies && (in == 23 || in == 63):
		return Copy
	}
	return Plain
}

// subject returns which page of one language page i is, and in which language.
func (s Site) subject(i int) (subject, lang int) { return i / s.languages(), i % s.languages() }

func (s Site) languages() int { return max(s.Shares.Languages, 1) }

func (s Site) language(lang int) string {
	if lang == 0 {
		return "en"
	}
	return tongues[lang-1]
}

// dir returns the folder of page i, or its name without .html: below that of its
// language, if that is not the first.
func (s Site) dir(i int) string {
	subject, lang := s.subject(i)
	switch dir := s.subjectDir(subject); {
	case lang == 0:
		return dir
	case dir == "":
		return s.language(lang)
	default:
		return s.language(lang) + "/" + dir
	}
}

func (s Site) subjectDir(i int) string {
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
func (p Page) Path() string {
	if p.Beside {
		return p.Dir + ".html"
	}
	return strings.TrimPrefix(p.Dir+"/index.html", "/")
}

// Write makes the built tree below dir: a file for each page, those that lie
// beside them, and a 404.html, a style sheet and a script that are no pages.
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
		if err := write(dir, p.Path(), b); err != nil || !s.illustrated(p.Number) {
			return b, err
		}
		return b, write(dir, strings.TrimSuffix(p.Path(), ".html")+".jpg", b[:min(len(b), 700)])
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
	if p.section {
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

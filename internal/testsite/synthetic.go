package testsite

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

// A SyntheticSite describes a large site for tests and benchmarks. The same fields give the same
// bytes on every system. Of 100 pages, five have "noindex" and three are redirects. A zero field
// means the default of the field.
type SyntheticSite struct {
	Pages   int    // number of pages
	Seed    uint64 // seed of the random words, dates and sizes
	Head    int    // size of the head in bytes; default 5,000
	Size    int    // size of a page in bytes; default 12,000
	Links   int    // number of links on each page; every tenth link is an image
	BaseURL string // with a trailing slash; default https://example.com/
	Shares  Shares // by default, every page is an index.html in its own folder
}

// A PageKind is the kind of a synthetic page.
type PageKind uint8

// The kinds of pages.
const (
	Plain    PageKind = iota
	NoIndex           // has a meta element "robots" with "noindex"
	Redirect          // redirects to the previous page of the same language with a meta refresh
	Copy              // has the URL of the previous page of the same language as its canonical URL
)

// A SyntheticPage contains the properties of one page of a SyntheticSite.
type SyntheticPage struct {
	Dir               string // folder of its index.html, "" for the home page; if Beside is set, the path without ".html"
	Beside            bool   // the file is Dir.html instead of Dir/index.html
	Kind              PageKind
	Lang              string
	Title, Summary    string
	Created, Modified time.Time
	Target            string // for Redirect and Copy: URL path of the other page, without a leading slash
	Alternates        []Alternate
	Number            int // index of the page in the site; 0 for the home page

	loc     string // URL path without a leading slash
	section bool   // the content file is called _index.md
}

// An Alternate is a link to a translation. Path is its URL path without a leading slash.
type Alternate struct{ Lang, Path string }

// pagesPerTopic is the number of consecutive pages of a language whose folders are in the same
// topic folder, such as docs/wood-3.
const pagesPerTopic = 7

var sections = [...]string{"docs", "blog", "guides", "reference", "news", "products", "recipes", "about"}

// Page returns page i of the site. Page 0 is the home page, and the pages of the sections follow.
// If the site has several languages, the translations of a page have consecutive numbers.
func (s SyntheticSite) Page(i int) SyntheticPage {
	r := rand.New(rand.NewPCG(s.Seed, uint64(i)))
	subject, lang := s.subjectOf(i)
	p := SyntheticPage{
		Number:  i,
		Dir:     s.pageDir(i),
		Beside:  s.hasFlatFile(subject),
		loc:     s.pageURLPath(i),
		section: subject <= len(sections),
		Lang:    s.languageCode(lang),
		Title:   randomSentence(r, 3+r.IntN(5)),
		Summary: randomSentence(r, 14+r.IntN(10)) + ".",
		Created: time.Date(2015, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(r.IntN(8*365*86400)) * time.Second),
	}
	p.Modified = p.Created.Add(time.Duration(r.IntN(2*365*86400)) * time.Second)
	if p.Kind = s.kindOfSubject(subject); p.Kind == Redirect || p.Kind == Copy {
		p.Target = s.pageURLPath(i - s.numLanguages())
	}
	if p.Kind == Plain {
		p.Alternates = s.pageAlternates(i)
	}
	return p
}

// kindOfSubject returns the kind of a page and of all its translations. subject is the index of the
// page among the pages of its language.
func (s SyntheticSite) kindOfSubject(subject int) PageKind {
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

// subjectOf returns the index of page i among the pages of its language, and the index of the
// language: 2 and 1 for page 7 of a site with three languages. All translations of a page have the
// same subject.
func (s SyntheticSite) subjectOf(i int) (subject, lang int) {
	return i / s.numLanguages(), i % s.numLanguages()
}

func (s SyntheticSite) numLanguages() int { return max(s.Shares.Languages, 1) }

func (s SyntheticSite) languageCode(lang int) string {
	if lang == 0 {
		return "en"
	}
	return otherLanguages[lang-1]
}

// pageDir returns the folder of page i, such as "docs/wood-3/red-tree-22". If the page has a file
// a.html instead of a folder, it returns the path of the file without ".html". The folder of a
// translation begins with its language, such as "de/".
func (s SyntheticSite) pageDir(i int) string {
	subject, lang := s.subjectOf(i)
	switch dir := s.subjectDir(subject); {
	case lang == 0:
		return dir
	case dir == "":
		return s.languageCode(lang)
	default:
		return s.languageCode(lang) + "/" + dir
	}
}

func (s SyntheticSite) subjectDir(subject int) string {
	if subject == 0 {
		return ""
	}
	if subject <= len(sections) {
		return sections[subject-1]
	}
	topic := subject / pagesPerTopic
	names := rand.New(rand.NewPCG(s.Seed+1, uint64(topic)))
	section := sections[topic%len(sections)]
	folder := fmt.Sprintf("%s-%d", randomWord(names), topic)
	own := rand.New(rand.NewPCG(s.Seed+2, uint64(subject)))
	return section + "/" + folder + "/" + strings.Join([]string{randomWord(own), randomWord(own), fmt.Sprint(subject)}, "-")
}

// Path returns the path of the page's file in the built site.
func (s SyntheticPage) Path() string {
	if s.Beside {
		return s.Dir + ".html"
	}
	return strings.TrimPrefix(s.Dir+"/index.html", "/")
}

// Write writes the built site into dir: all pages with their assets, a 404.html, a style sheet
// and a script.
func (s SyntheticSite) Write(dir string) error {
	for name, text := range map[string]string{
		"404.html": "<!doctype html><title>Not found</title>\n", "style.css": "body{}\n", "app.js": "'use strict'\n",
	} {
		if err := writeFile(dir, name, []byte(text)); err != nil {
			return err
		}
	}
	return s.forEachPageInParallel(func(p SyntheticPage, b []byte) ([]byte, error) {
		b = s.AppendHTML(b[:0], p)
		if err := writeFile(dir, p.Path(), b); err != nil || !s.hasAsset(p.Number) {
			return b, err
		}
		return b, writeFile(dir, strings.TrimSuffix(p.Path(), ".html")+".jpg", b[:min(len(b), 700)])
	})
}

// WriteContent writes the content files of the site for Hugo into dir. A redirect has no content
// file: it is an alias in the file of its target.
func (s SyntheticSite) WriteContent(dir string) error {
	return s.forEachPageInParallel(func(p SyntheticPage, b []byte) ([]byte, error) {
		if p.Kind == Redirect {
			return b, nil
		}
		b = s.AppendMarkdown(b[:0], p)
		return b, writeFile(dir, p.ContentPath(), b)
	})
}

// ContentPath returns the path of the page's content file.
func (s SyntheticPage) ContentPath() string {
	if s.section {
		return strings.TrimPrefix(s.Dir+"/_index.md", "/")
	}
	return s.Dir + ".md"
}

// forEachPageInParallel calls write for every page, in several goroutines. b is a buffer that write
// may use. write returns the buffer for the next call.
func (s SyntheticSite) forEachPageInParallel(write func(p SyntheticPage, b []byte) ([]byte, error)) error {
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

func writeFile(dir, path string, data []byte) error {
	file := filepath.Join(dir, filepath.FromSlash(path))
	err := os.WriteFile(file, data, 0o644)
	if os.IsNotExist(err) {
		if err = os.MkdirAll(filepath.Dir(file), 0o755); err == nil {
			err = os.WriteFile(file, data, 0o644)
		}
	}
	return err
}

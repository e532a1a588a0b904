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

// A SyntheticSite describes a large site to measure and test with. The same seed and
// sizes give the same bytes on every system. Of a hundred pages, five have a noindex
// and three are redirects. A zero field selects the default.
type SyntheticSite struct {
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

// A PageKind is the kind of a page.
type PageKind uint8

// The kinds of pages.
const (
	Plain    PageKind = iota
	NoIndex           // with a robots meta of noindex
	Redirect          // refreshes to the previous page
	Copy              // names the previous page as its canonical
)

// A SyntheticPage is one page of a site, without its text.
type SyntheticPage struct {
	Dir               string // the folder of its index.html, "" for the root; of a page beside folders its name
	Beside            bool   // the file is Dir.html
	Kind              PageKind
	Lang              string
	Title, Summary    string
	Created, Modified time.Time
	Target            string // of a redirect or a copy: the path of the URL that it names
	Alternates        []Alternate
	Number            int

	loc     string // the path of its URL
	section bool   // an _index.md in the content tree
}

// An Alternate is a link to a translation.
type Alternate struct{ Lang, Path string }

// pagesPerTopic is the number of consecutive pages with the same topic. It gives about 1.15
// folders for each page.
const pagesPerTopic = 7

var sections = [...]string{"docs", "blog", "guides", "reference", "news", "products", "recipes", "about"}

// Page returns page number i of the site. Page 0 is the home page; the pages of the
// sections follow. With languages, all translations of a page come before the next page.
func (s SyntheticSite) Page(i int) SyntheticPage {
	r := rand.New(rand.NewPCG(s.Seed, uint64(i)))
	subject, lang := s.subjectOf(i)
	p := SyntheticPage{
		Number:  i,
		Dir:     s.dir(i),
		Beside:  s.isBeside(subject),
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

// kind returns the kind of a page, which all its translations share.
func (s SyntheticSite) kind(subject int) PageKind {
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

// subjectOf returns the number of page i among the pages of one language, and the number of its
// language.
func (s SyntheticSite) subjectOf(i int) (subject, lang int) {
	return i / s.languages(), i % s.languages()
}

func (s SyntheticSite) languages() int { return max(s.Shares.Languages, 1) }

func (s SyntheticSite) language(lang int) string {
	if lang == 0 {
		return "en"
	}
	return otherLanguages[lang-1]
}

// dir returns the folder of page i, or its name without .html. A translation is in the
// folder of its language.
func (s SyntheticSite) dir(i int) string {
	subject, lang := s.subjectOf(i)
	switch dir := s.subjectDir(subject); {
	case lang == 0:
		return dir
	case dir == "":
		return s.language(lang)
	default:
		return s.language(lang) + "/" + dir
	}
}

func (s SyntheticSite) subjectDir(i int) string {
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
func (p SyntheticPage) Path() string {
	if p.Beside {
		return p.Dir + ".html"
	}
	return strings.TrimPrefix(p.Dir+"/index.html", "/")
}

// Write writes the built tree below dir: the pages, the assets beside them, a 404.html,
// a style sheet and a script.
func (s SyntheticSite) Write(dir string) error {
	for name, text := range map[string]string{
		"404.html": "<!doctype html><title>Not found</title>\n", "style.css": "body{}\n", "app.js": "'use strict'\n",
	} {
		if err := write(dir, name, []byte(text)); err != nil {
			return err
		}
	}
	return s.each(func(p SyntheticPage, b []byte) ([]byte, error) {
		b = s.AppendHTML(b[:0], p)
		if err := write(dir, p.Path(), b); err != nil || !s.hasAsset(p.Number) {
			return b, err
		}
		return b, write(dir, strings.TrimSuffix(p.Path(), ".html")+".jpg", b[:min(len(b), 700)])
	})
}

// WriteContent writes the content tree in the form that Hugo reads. A redirect has no
// file: it is an alias in the file of its target.
func (s SyntheticSite) WriteContent(dir string) error {
	return s.each(func(p SyntheticPage, b []byte) ([]byte, error) {
		if p.Kind == Redirect {
			return b, nil
		}
		b = s.AppendMarkdown(b[:0], p)
		return b, write(dir, p.ContentPath(), b)
	})
}

// ContentPath returns the page's file in the content tree.
func (p SyntheticPage) ContentPath() string {
	if p.section {
		return strings.TrimPrefix(p.Dir+"/_index.md", "/")
	}
	return p.Dir + ".md"
}

// each calls write for every page, on all processors.
func (s SyntheticSite) each(write func(p SyntheticPage, b []byte) ([]byte, error)) error {
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

package main

import (
	"bufio"
	"context"
	"encoding/xml"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/writer"
)

const base = "https://example.com/"

// encoders are the ways to write the sitemap of a site that is nowhere but in memory.
var encoders = map[string]func(dir string, s *site) error{
	"sitewalk":     func(dir string, s *site) error { return s.write(dir, "") },
	"gzip":         func(dir string, s *site) error { return s.write(dir, "only") },
	"encoding/xml": encodingXML,
	"list":         list,
}

// A site is URLs in 16 sections, sorted, each with a date of its own.
type site struct {
	locs  []string
	dates []sitemap.Date
}

func newSite(n int) *site {
	s := &site{locs: make([]string, n), dates: make([]sitemap.Date, n)}
	per := (n + 15) / 16
	for i := range s.locs {
		s.dates[i] = sitemap.DateOf(time.Unix(1_500_000_000+int64(i)*97, 0).UTC(), sitemap.Second)
		s.locs[i] = fmt.Sprintf("%ssection-%c/2024/the-name-of-a-page-%07d/", base, 'a'+i/per, i)
	}
	return s
}

func (s *site) Len() int { return len(s.locs) }

// Entry leaves the other fields as they are: only s fills e. To make them
// zero again takes as long as to encode the page.
func (s *site) Entry(i int, e *sitemap.Entry) {
	e.Loc, e.LastMod = s.locs[i], s.dates[i]
}

func (s *site) write(dir, gzip string) error {
	var t writer.Transaction
	defer t.Close()
	if _, err := t.Draft(context.Background(), s, writer.Options{Dir: dir, Base: base, Gzip: gzip}); err != nil {
		return err
	}
	return t.Commit()
}

// stdURL and stdSet are what encoding/xml needs to know of a url set.
type stdURL struct {
	XMLName xml.Name `xml:"url"`
	Loc     string   `xml:"loc"`
	LastMod string   `xml:"lastmod"`
}

// encodingXML writes the same URLs, one full file after another, without an index.
func encodingXML(dir string, s *site) error {
	for from := 0; from < len(s.locs); from += sitemap.MaxURLs {
		err := create(filepath.Join(dir, fmt.Sprintf("sitemap-%d.xml", from)), func(w io.Writer) error {
			return s.encode(w, from, min(len(s.locs), from+sitemap.MaxURLs))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

func (s *site) encode(w io.Writer, from, to int) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	set := xml.StartElement{Name: xml.Name{Space: sitemap.Namespace, Local: "urlset"}}
	if err := e.EncodeToken(set); err != nil {
		return err
	}
	for i := from; i < to; i++ {
		if err := e.Encode(stdURL{Loc: s.locs[i], LastMod: s.dates[i].String()}); err != nil {
			return err
		}
	}
	if err := e.EncodeToken(set.End()); err != nil {
		return err
	}
	return e.Close()
}

// list writes urls.txt.
func list(dir string, s *site) error {
	return create(filepath.Join(dir, "urls.txt"), func(w io.Writer) error {
		for _, loc := range s.locs {
			if _, err := io.WriteString(w, loc+"\n"); err != nil {
				return err
			}
		}
		return nil
	})
}

func create(name string, fill func(io.Writer) error) error {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	w := bufio.NewWriterSize(f, 256<<10)
	if err := fill(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

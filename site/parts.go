package site

import (
	"strings"

	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
)

// A Part is a folder of the publish directory that is served as a site of its
// own: a domain for each language, say. Its pages are judged together with all
// others, and listed in a sitemap of their own.
type Part struct {
	Dir   string // below the publish directory, slash-separated; "" is the site itself
	Base  mapping.Base
	Style mapping.Style
	Said  Said          // what of Style the user decided
	Host  *hosting.Site // nil: no host decides anything

	exists func(file string) bool // whether the folder holds the page file
	linked Linked
	either bool // the host is known, and answers a.html and a alike
}

// A Said says which parts of a style the user decided. Pages do not spell them
// otherwise.
type Said struct{ HTML, Slash bool }

// below returns a file's path in the part's folder.
func (p *Part) below(file string) (string, bool) {
	if p.Dir == "" {
		return file, true
	}
	return strings.CutPrefix(file, p.Dir+"/")
}

// partsOf returns the site itself, as part 0, and the parts within it.
func partsOf(o Options) []Part {
	return append([]Part{{Base: o.Base, Style: o.Style, Said: o.Said, Host: o.Host}}, o.Sites...)
}

// partAt returns the part that a file belongs to, the one with the longest
// folder, and the file's path in it.
func (s *Site) partAt(file string) (part uint8, below string) {
	below = file
	for i := 1; i < len(s.parts); i++ {
		p := &s.parts[i]
		if rest, in := p.below(file); in && (part == 0 || len(p.Dir) > len(s.parts[part].Dir)) {
			part, below = uint8(i), rest
		}
	}
	return part, below
}

// part returns the part that a page belongs to.
func (s *Site) part(r *record) *Part { return &s.parts[r.part] }

// mapped returns the URL that the page's file alone gives it.
func (s *Site) mapped(r *record) (string, error) {
	if r.loc != "" && !r.moved {
		return r.loc, nil
	}
	return s.part(r).Base.Loc(r.path)
}

// hosts returns the part on whose host a URL is, or nil.
func (s *Site) hosts(loc string) *Part {
	for i := range s.parts {
		if s.parts[i].Base.SameHost(loc) {
			return &s.parts[i]
		}
	}
	return nil
}

// key is the page's path below the base URLs of all parts together, so that
// another domain changes no key.
func (s *Site) key(r *record) (string, bool) {
	p := s.part(r)
	urlPath, ok := r.path, true
	if r.moved {
		urlPath, ok = p.Base.Path(r.loc)
	}
	if p.Dir != "" {
		urlPath = "/" + p.Dir + urlPath
	}
	return urlPath, ok
}

// Part returns the pages of one part: 0 is the site itself, i the Options'
// Sites[i-1].
func (r *Result) Part(i int) List {
	l := r.List
	l.records = nil
	for _, rec := range r.List.records {
		if int(rec.part) == i {
			l.records = append(l.records, rec)
		}
	}
	return l
}

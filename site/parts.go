package site

import (
	"cmp"
	"slices"
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

// parts are the site itself, as part 0, and the parts within it.
type parts []Part

func partsOf(o Options) parts {
	return append([]Part{{Base: o.Base, Style: o.Style, Said: o.Said, Host: o.Host}}, o.Sites...)
}

// at returns the part that a file belongs to, the one with the longest folder,
// and the file's path in it.
func (ps parts) at(file string) (part uint8, below string) {
	below = file
	for i := 1; i < len(ps); i++ {
		p := &ps[i]
		if rest, in := p.below(file); in && (part == 0 || len(p.Dir) > len(ps[part].Dir)) {
			part, below = uint8(i), rest
		}
	}
	return part, below
}

// path returns the page's URL path: that of its file, else that of its URL.
func (w *World) path(r *record) string {
	if r.file == "" {
		return w.part(r).pathOf(r.loc)
	}
	return r.fact.path()
}

// part returns the part that a page belongs to.
func (w *World) part(r *record) *Part { return &w.parts[r.part] }

// mapped returns the URL that the page's file alone gives it.
func (w *World) mapped(r *record) (string, error) {
	if r.fact.loc != "" {
		return r.fact.loc, nil
	}
	return w.part(r).Base.Loc(w.path(r))
}

// hosts returns the part on whose host a URL is, or nil.
func (ps parts) hosts(loc string) *Part {
	for i := range ps {
		if ps[i].Base.SameHost(loc) {
			return &ps[i]
		}
	}
	return nil
}

// key is the page's path below the base URLs of all parts together, so that
// another domain changes no key.
func (w *World) key(r *record) (string, bool) {
	p := w.part(r)
	urlPath, ok := w.path(r), true
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

// A Name is what a site says of itself on its home page: what it is called and in
// which language; "" for what it does not say.
type Name struct{ Title, Lang string }

// Name returns that of part i, 0 for the site itself, where titles are asked for.
func (r *Result) Name(i int) Name {
	home := r.List.view.parts[i].Base.String()
	at, ok := slices.BinarySearchFunc(r.List.records, home, func(rec *record, loc string) int { return cmp.Compare(rec.loc, loc) })
	if !ok {
		return Name{}
	}
	rec := r.List.records[at]
	if rec.rest == nil {
		return Name{Title: named(rec.title())}
	}
	return Name{cmp.Or(rec.rest.site, named(rec.title())), rec.rest.html}
}

// named returns the title of a home page where it names the site, and not only
// the page.
func named(title string) string {
	switch strings.ToLower(strings.TrimSpace(title)) {
	case "home", "homepage", "home page", "index", "welcome":
		return ""
	}
	return title
}

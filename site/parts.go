package site

import (
	"cmp"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
)

// A part is a part of the site and how it is served. Its pages are judged together
// with all others, and listed in a sitemap of their own.
type part struct {
	facts.Part
	overrides Overrides
	host      *hosting.Site // nil: no host decides anything

	exists func(file string) bool // whether the folder holds the page file

	endings    [len(kinds)][]mapping.Ending // that the host answers
	linkStyles [len(kinds)]LinkStyle        // how links end
}

// kinds are examples of the files of which a host may answer several addresses.
var kinds = [...]string{"a.html", "a/index.html"}

// kind returns the index in kinds of a file, and false for one that has one address
// alone.
func kind(file string) (int, bool) {
	if isIndex(file) {
		return 1, file != "index.html"
	}
	return 0, strings.HasSuffix(file, ".html")
}

// Overrides say which parts of a style the user decided. What pages say of
// these does not count.
type Overrides struct{ HTML, Slash bool }

// partsOf returns the parts of a site, of which no page is known yet.
func partsOf(o *Options) (all []part) {
	for i, p := range o.Parts() {
		all = append(all, part{Part: p, overrides: o.Overrides})
		if i == 0 {
			all[i].host = o.Host
		} else if i <= len(o.Hosts) {
			all[i].host = o.Hosts[i-1]
		}
		all[i].endings = [...][]mapping.Ending{all[i].host.FileEndings(), all[i].host.FolderEndings()}
	}
	return all
}

// path returns the page's URL path: that of its file, else that of its URL.
func (w *World) path(r *record) string {
	if r.File == "" {
		return w.part(r).pathOf(r.loc)
	}
	return r.Page.Path()
}

// part returns the part that a page belongs to.
func (w *World) part(r *record) *part { return &w.parts[r.Part] }

// mapped returns the URL that the page's file alone gives it.
func (w *World) mapped(r *record) (string, error) {
	if r.Page.FileLoc != "" {
		return r.Page.FileLoc, nil
	}
	return w.part(r).Base.Loc(w.path(r))
}

// hosts returns the part on whose host a URL is, or nil.
func (w *World) hosts(loc string) *part {
	if i, ok := w.facts.Parts.Hosting(loc); ok {
		return &w.parts[i]
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
	return p.key(urlPath), ok
}

// key returns a path below the part's base URL as one below those of all parts.
func (p *part) key(urlPath string) string {
	if p.Dir == "" {
		return urlPath
	}
	return "/" + p.Dir + urlPath
}

// Part returns the pages of one part: 0 is the site itself, i the Options'
// Sites[i-1].
func (r *Result) Part(i int) List {
	l := r.List
	if l.view != nil && len(l.view.parts) == 1 {
		return l
	}
	l.records = nil
	for _, rec := range r.List.records {
		if int(rec.Part) == i {
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
	at, ok := findLoc(r.List.records, home)
	if !ok {
		return Name{}
	}
	rec := r.List.records[at]
	if rec.Rest == nil {
		return Name{Title: siteName(rec.title())}
	}
	return Name{cmp.Or(rec.Rest.Site, siteName(rec.title())), rec.Rest.HTMLLang}
}

// siteName returns the title of a home page where it names the site, and not only
// the page.
func siteName(title string) string {
	switch strings.ToLower(strings.TrimSpace(title)) {
	case "home", "homepage", "home page", "index", "welcome":
		return ""
	}
	return title
}

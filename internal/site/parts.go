package site

import (
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
)

// A Part is a part of the site and how it is served. Its pages are judged together
// with all others, and listed in a sitemap of their own.
type Part struct {
	facts.Part
	Host      *hosting.Site // nil: no host decides anything
	overrides Overrides

	Exists func(file string) bool // whether the folder holds the page file

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

// findParts finds the parts of the site.
func (w *World) findParts() {
	for i, part := range w.o.Parts() {
		p := Part{Part: part, overrides: w.o.Overrides}
		if i == 0 {
			p.Host = w.o.Host
		} else if i <= len(w.o.Hosts) {
			p.Host = w.o.Hosts[i-1]
		}
		p.Exists = w.Exists
		if p.Dir != "" {
			p.Exists = func(file string) bool { return w.Exists(p.Dir + "/" + file) }
		}
		p.endings = [...][]mapping.Ending{p.Host.FileEndings(), p.Host.FolderEndings()}
		w.hosted = w.hosted || p.Host.IsKnown() || p.Host.Ruled()
		w.parts = append(w.parts, p)
	}
}

// Path returns the page's URL path: that of its file, else that of its URL.
func (w *World) Path(r *Page) string {
	if r.Said.File == "" {
		return w.PartOf(r).pathOf(r.Entry.Loc)
	}
	return r.Said.Path
}

// PartOf returns the part that a page belongs to.
func (w *World) PartOf(r *Page) *Part { return &w.parts[r.Said.Part] }

// Mapped returns the URL that the page's file alone gives it.
func (w *World) Mapped(r *Page) (string, error) {
	if r.Said.FileLoc != "" {
		return r.Said.FileLoc, nil
	}
	return w.PartOf(r).Base.Loc(w.Path(r))
}

// Hosting returns the part on whose host a URL is, or nil.
func (w *World) Hosting(loc string) *Part {
	if i, ok := w.facts.Parts.Hosting(loc); ok {
		return &w.parts[i]
	}
	return nil
}

// key is the page's path below the base URLs of all parts together, so that
// another domain changes no key.
func (w *World) key(r *Page) (string, bool) {
	p := w.PartOf(r)
	urlPath, ok := w.Path(r), true
	if r.moved() {
		urlPath, ok = p.Base.Path(r.Entry.Loc)
	}
	return p.key(urlPath), ok
}

// key returns a path below the part's base URL as one below those of all parts.
func (p *Part) key(urlPath string) string {
	if p.Dir == "" {
		return urlPath
	}
	return "/" + p.Dir + urlPath
}

// pathOf returns the URL path of a URL below the base without its query, "/"
// when it has none that a file could have.
func (p *Part) pathOf(loc string) string {
	if i := strings.IndexAny(loc, "?#"); i >= 0 {
		loc = loc[:i]
	}
	if urlPath, ok := p.Base.Path(loc); ok {
		return urlPath
	}
	return "/"
}

// Scope returns the part that may list a URL; the site itself when none may.
func (w *World) Scope(loc string) uint8 {
	for i := range w.parts {
		if strings.HasPrefix(loc, w.parts[i].Base.String()) {
			return uint8(i)
		}
	}
	return 0
}

// Resolve reads a location that the user wrote: absolute, or below the part's
// base URL.
func (p *Part) Resolve(loc string) (string, error) {
	if strings.Contains(loc, "://") || strings.HasPrefix(loc, "//") {
		return p.Base.Resolve(loc, p.Base.String(), "")
	}
	return p.Base.Resolve("./"+strings.TrimPrefix(loc, "/"), p.Base.String(), "")
}

// Owner returns the part of the site that a URL is below, or nil.
func (w *World) Owner(loc string) *Part {
	if p := &w.parts[w.Scope(loc)]; strings.HasPrefix(loc, p.Base.String()) {
		return p
	}
	return nil
}

// Below returns the part of the site that a URL is below, and its path there; false
// Where it is below none, or no file can have that path.
func (w *World) Below(loc string) (p *Part, urlPath string, ok bool) {
	if p = w.Owner(loc); p != nil {
		urlPath, ok = p.Base.Path(loc)
	}
	return p, urlPath, ok
}

package site

import (
	"cmp"
	"strings"

	"github.com/sitewalk/sitewalk/internal/hosting"
)

// findParts finds the parts of the site.
func (w *World) findParts() {
	for i, part := range w.Options.Parts() {
		host := w.Options.Host
		if i > 0 {
			host = w.Options.Hosts[i-1]
		}
		host = cmp.Or(host, hosting.Unknown)
		w.hosted = w.hosted || host.IsKnown() || host.Ruled()
		w.Parts = append(w.Parts, newPart(part, host, w.Options.Overrides, w.Exists))
	}
}

// Path returns the page's URL path: that of its file, else that of its URL.
func (w *World) Path(r *Page) string {
	if r.Said.File == "" {
		return w.PartOf(r).PathOf(r.Entry.Loc)
	}
	return r.Said.Path
}

// PartOf returns the part that a page belongs to.
func (w *World) PartOf(r *Page) *Part { return &w.Parts[r.Said.Part] }

// Mapped returns the URL that the page's file alone gives it.
func (w *World) Mapped(r *Page) (string, error) {
	if r.Said.FileLoc != "" {
		return r.Said.FileLoc, nil
	}
	return w.PartOf(r).Base.Loc(w.Path(r))
}

// Hosting returns the part on whose host a URL is, or nil.
func (w *World) Hosting(loc string) *Part {
	if i, ok := w.Facts.Parts.Hosting(loc); ok {
		return &w.Parts[i]
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
	return keyOf(p, urlPath), ok
}

// keyOf returns a path below the part's base URL as one below those of all parts.
func keyOf(p *Part, urlPath string) string {
	if p.Dir == "" {
		return urlPath
	}
	return "/" + p.Dir + urlPath
}

// Scope returns the part that may list a URL; the site itself when none may.
func (w *World) Scope(loc string) uint8 {
	for i := range w.Parts {
		if strings.HasPrefix(loc, w.Parts[i].Base.String()) {
			return uint8(i)
		}
	}
	return 0
}

// Below returns the part of the site that a URL is below, and its path there; false
// where it is below none, of which the site itself is returned, or no file can have that
// path.
func (w *World) Below(loc string) (p *Part, urlPath string, ok bool) {
	p = &w.Parts[w.Scope(loc)]
	urlPath, ok = p.Base.Path(loc)
	return p, urlPath, ok
}

package site

import (
	"context"
	"fmt"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/parallel"
	"github.com/sitewalk/sitewalk/mapping"
)

// A host may serve one file at several addresses: /a.html and /a, /a/ and
// /a/index.html. Only one of them is listed, the one that the site itself uses.

// An evidence says what decided for one of them, the strongest first.
type evidence uint8

const (
	bySettings evidence = iota
	byGiven
	byCanonical
	byOpenGraph
	byGenerator
	byLinks
	byName
	byHost // the only one that the host answers and robots.txt allows
)

// spell gives every page the address by which the site calls it. A page that has
// it from its file alone is the fact itself, any other one a copy in its place.
func spell(_ context.Context, w *World) error {
	w.readGiven()
	pages := make([]*facts.Page, len(w.pages))
	parallel.Parts(len(pages), func(from, to int) (_ struct{}) {
		r := new(Page)
		for i := from; i < to; i++ {
			*r = Page{Said: w.pages[i], Content: w.contentOf(i)}
			if e, _ := w.ending(r); e != r.Said.Ending || e == mapping.AnyEnding {
				w.respell(r, e)
			}
			pages[i] = r.Said
		}
		return
	})
	w.pages = pages
	return nil
}

// readGiven remembers the URLs that are given: the user wants them
// as they are.
func (w *World) readGiven() {
	if w.o.From == nil {
		return
	}
	w.given = make(map[string]bool, len(w.o.From))
	for _, x := range w.o.From {
		if loc, err := w.givenAt(x); err == nil {
			w.given[loc] = true
		}
	}
}

// respell places a page at the address that ends so; AnyEnding is the one that
// its canonical link spells in its own way.
func (w *World) respell(r *Page, e mapping.Ending) {
	p := w.PartOf(r)
	if e == mapping.AnyEnding {
		loc := p.Base.OwnScheme(r.Said.Rest.Canonical)
		urlPath, _ := p.Base.Path(loc)
		r.Said = r.Said.Moved(urlPath, loc, e)
		return
	}
	file, _ := p.Below(r.Said.File)
	urlPath, loc, err := p.Base.Place(e.Style(), file)
	if err == nil {
		r.Said = r.Said.Moved(urlPath, loc, e)
	}
}

// ending returns how the page's URL ends, and who says so. It is AnyEnding for
// an address that the page's canonical link spells in its own way.
func (w *World) ending(r *Page) (mapping.Ending, evidence) {
	p := w.PartOf(r)
	file, _ := p.Below(r.Said.File)
	usual := p.Style.Ending(file)
	fits := func(e mapping.Ending) bool {
		return e != mapping.AnyEnding && p.allows(file, usual, e) && w.answers(r, file, e, e == usual)
	}
	claims := [...]struct {
		by evidence
		e  mapping.Ending
	}{
		{byGiven, w.givenEnding(p, file)},
		{byCanonical, r.Said.Says},
		{byOpenGraph, r.Said.OG},
		{byGenerator, r.Content.endingOf()},
		{byLinks, p.linkedEnding(file)},
	}
	for _, c := range claims {
		if fits(c.e) {
			return c.e, c.by
		}
		if c.by == byCanonical && w.spelledOddly(r) {
			return mapping.AnyEnding, byCanonical
		}
	}
	by := byName
	if p.overrides.HTML || p.overrides.Slash {
		by = bySettings
	}
	if by == bySettings || w.answers(r, file, usual, true) {
		return usual, by
	}
	for e := mapping.FileName; e <= mapping.Slashed; e++ {
		if e != usual && p.Host.IsKnown() && w.answers(r, file, e, false) {
			return e, byHost
		}
	}
	return usual, byName
}

// allows reports whether an ending is within what the configuration's urls say.
func (p *Part) allows(file string, usual, e mapping.Ending) bool {
	switch {
	case e == usual:
		return true
	case isIndex(file):
		return !p.overrides.Slash
	case p.overrides.HTML && (e == mapping.FileName) != (usual == mapping.FileName):
		return false
	}
	return !p.overrides.Slash || e == mapping.FileName || usual == mapping.FileName
}

// answers reports whether the host answers the address of a file that ends so
// with that file, for crawlers too. An unknown host is taken at the word of the
// site, unless another page is there, and every host serves a file as it shapes
// URLs, unless a rule says otherwise.
func (w *World) answers(r *Page, file string, e mapping.Ending, usual bool) bool {
	p := w.PartOf(r)
	if usual && p.Host == nil {
		return true
	}
	urlPath := w.Path(r)
	if e != r.Said.Ending {
		urlPath = e.Style().URLPath(file)
	}
	return w.open(p, urlPath) && (usual || w.serves(p, file, urlPath))
}

// open reports whether nothing leads away from an address or hides it.
func (w *World) open(p *Part, urlPath string) bool {
	if _, leads := p.Host.Redirect(urlPath, p.Exists); leads {
		return false
	}
	if _, hidden := p.Host.NoIndex(urlPath); hidden {
		return false
	}
	_, no := p.Host.Disallowed(urlPath)
	return !no || !w.o.ObeyRobots
}

// serves reports whether an address is that of a file.
func (w *World) serves(p *Part, file, urlPath string) bool {
	if p.Host.IsKnown() {
		served, ok := p.Host.Serves(urlPath, p.Exists)
		return ok && served == file
	}
	for _, other := range []string{urlPath[1:], urlPath[1:] + "index.html", urlPath[1:] + ".html"} {
		if other != file && p.Exists(other) {
			return false
		}
	}
	return true
}

// spelledOddly reports whether the page's canonical link is the page's own
// address in another spelling than those that a file has: in other letters.
func (w *World) spelledOddly(r *Page) bool {
	if r.Said.Says != mapping.AnyEnding || r.Said.Rest == nil || r.Said.Rest.Canonical == "" {
		return false
	}
	p := w.PartOf(r)
	file, _ := p.Below(r.Said.File)
	urlPath, below := p.Base.Path(p.Base.OwnScheme(r.Said.Rest.Canonical))
	return below && mapping.Spelling(urlPath) == mapping.Spelling(r.Said.Path) && mayEnd(file, urlPath) && !p.overrides.HTML && !p.overrides.Slash &&
		w.open(p, urlPath) && w.serves(p, file, urlPath)
}

// mayEnd reports whether a file can be served at an address that ends so: as what
// a/index.html is, /a.html would be another file.
func mayEnd(file, urlPath string) bool {
	low := strings.ToLower(urlPath)
	if isIndex(file) {
		return !strings.HasSuffix(low, ".html") || isIndex(low[1:])
	}
	return !isIndex(low[1:])
}

// givenEnding returns the ending with which another tool's sitemap lists a file.
func (w *World) givenEnding(p *Part, file string) mapping.Ending {
	if w.given == nil {
		return mapping.AnyEnding
	}
	for e := mapping.FileName; e <= mapping.Slashed; e++ {
		if loc, err := p.Base.Loc(e.Style().URLPath(file)); err == nil && w.given[loc] {
			return e
		}
	}
	return mapping.AnyEnding
}

// Arbitrary reports whether neither the settings nor the site itself says how the
// page's address ends.
func (w *World) Arbitrary(r *Page) bool {
	_, by := w.ending(r)
	return by == byName
}

// endingOf returns how the generator writes the address; src may be nil.
func (src *ContentFile) endingOf() mapping.Ending {
	if src == nil {
		return mapping.AnyEnding
	}
	return src.ending
}

// linkedEnding returns how the site's links end that lead to pages like a file.
func (p *Part) linkedEnding(file string) mapping.Ending {
	k, several := kind(file)
	if !several {
		return mapping.AnyEnding
	}
	return p.linkStyles[k].Ending
}

func isIndex(file string) bool {
	return file == "index.html" || strings.HasSuffix(file, "/index.html")
}

// Canonical returns the address that the page names as its canonical one, ""
// when that is its own as it is listed, or none.
func (w *World) Canonical(r *Page) string {
	if r.Said.Rest != nil && r.Said.Rest.Canonical != "" {
		return r.Said.Rest.Canonical
	}
	if r.Said.Says == mapping.AnyEnding || r.Said.Says == r.Said.Ending {
		return ""
	}
	p := w.PartOf(r)
	file, _ := p.Below(r.Said.File)
	_, loc, _ := p.Base.Place(r.Said.Says.Style(), file)
	return loc
}

// How says in words how the page's URL came about.
func (w *World) How(r *Page) string {
	p := w.PartOf(r)
	switch _, by := w.ending(r); by {
	case bySettings:
		return "from the path " + r.Said.File + ", as urls in the configuration says"
	case byGiven:
		return "spelled as the sitemaps that --from names list it"
	case byCanonical:
		return "spelled as the page's canonical link does"
	case byOpenGraph:
		return "spelled as the page's og:url does"
	case byGenerator:
		return "spelled as the generator writes it for " + w.ContentPos(r).File
	case byLinks:
		file, _ := p.Below(r.Said.File)
		k, _ := kind(file)
		return "spelled as the site's own links are: " + p.linkStyles[k].String()
	case byHost:
		return "from the path " + r.Said.File + "; " + p.hostName() + " answers no other spelling"
	}
	return fmt.Sprintf("from the path %s as %s serves it", r.Said.File, p.hostName())
}

func (p *Part) hostName() string {
	if !p.Host.IsKnown() {
		return "a plain file server"
	}
	return p.Host.Name()
}

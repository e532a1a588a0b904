package site

import (
	"math"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/hosting"
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
	byHost // another one is meant first, but the host leads away from it or hides it, or robots.txt disallows it
)

// A spelledPage is a page, and what decides about its address beside its own file.
type spelledPage struct {
	*facts.Page
	Generated mapping.Ending // that the generator gives the page's address; AnyEnding: it does not say
}

// A addresses is what is known of all addresses of a site.
type addresses struct {
	Parts      []Part
	Given      map[string]int // the URLs that the user wants as they are, with their places in the list; nil: none
	ObeyRobots bool
}

func (s *addresses) partOf(f *facts.Page) *Part { return &s.Parts[f.Part] }

// Spell returns the page at the address by which the site calls it. A page that has
// it from its file alone is the fact itself, any other one a copy.
func (s *addresses) Spell(f spelledPage) *facts.Page {
	p := s.partOf(f.Page)
	e, _ := s.ending(f)
	if e == mapping.AnyEnding { // the canonical link spells it in its own way
		loc := p.Base.OwnScheme(f.Rest.Canonical)
		urlPath, _ := p.Base.Path(loc)
		return f.Moved(urlPath, loc, e)
	}
	if e == f.Ending {
		return f.Page
	}
	file, _ := p.Below(f.File)
	urlPath, loc, err := p.Base.Place(e.Style(), file)
	if err != nil {
		return f.Page
	}
	return f.Moved(urlPath, loc, e)
}

// ending returns how the page's URL ends, and who says so. It is AnyEnding for
// an address that the page's canonical link spells in its own way.
func (s *addresses) ending(f spelledPage) (mapping.Ending, evidence) {
	p := s.partOf(f.Page)
	file, _ := p.Below(f.File)
	usual := p.Style.Ending(file)
	fits := func(e mapping.Ending) bool {
		return e != mapping.AnyEnding && p.allows(file, usual, e) && s.answers(f, file, e, e == usual)
	}
	claims := [...]struct {
		by evidence
		e  mapping.Ending
	}{
		{byGiven, s.givenEnding(p, file, fits)},
		{byCanonical, f.Says},
		{byOpenGraph, f.OG},
		{byGenerator, f.Generated},
		{byLinks, p.linkedEnding(file)},
	}
	for _, c := range claims {
		if fits(c.e) {
			return c.e, c.by
		}
		if c.by == byCanonical && s.spelledOddly(f) {
			return mapping.AnyEnding, byCanonical
		}
	}
	by := byName
	if p.overrides.HTML || p.overrides.Slash {
		by = bySettings
	}
	if by == bySettings || s.answers(f, file, usual, true) {
		return usual, by
	}
	for e := mapping.FileName; e <= mapping.Slashed; e++ {
		if e != usual && p.Host.IsKnown() && s.answers(f, file, e, false) && s.stays(f, file, e) {
			return e, byHost
		}
	}
	return usual, byName
}

// stays reports whether a page whose usual address leads away or is hidden is still meant to
// be found at another one. The index.html of a folder is not, unless the folder leads to it.
func (s *addresses) stays(f spelledPage, file string, e mapping.Ending) bool {
	p := s.partOf(f.Page)
	if !isIndexFile(file) || e != mapping.FileName {
		return true
	}
	usual := p.Style.Ending(file).Style().URLPath(file)
	v, leads := p.Host.Redirect(usual, p.Exists)
	return leads && mapping.Spelling(v.To) == mapping.Spelling(usual)
}

// allows reports whether an ending is within what the configuration's urls say.
func (p *Part) allows(file string, usual, e mapping.Ending) bool {
	switch {
	case e == usual:
		return true
	case isIndexFile(file):
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
func (s *addresses) answers(f spelledPage, file string, e mapping.Ending, usual bool) bool {
	p := s.partOf(f.Page)
	urlPath := f.Path
	if e != f.Ending {
		urlPath = e.Style().URLPath(file)
	}
	return s.open(p, urlPath) && (usual || s.serves(p, file, urlPath))
}

// open reports whether nothing leads away from an address or hides it.
func (s *addresses) open(p *Part, urlPath string) bool {
	_, leads := p.Host.Redirect(urlPath, p.Exists)
	_, hidden := p.Host.NoIndex(urlPath)
	_, disallowed := p.Host.Disallowed(urlPath)
	return !leads && !hidden && !(disallowed && s.ObeyRobots)
}

// closed says in words why an address is not open.
func (p *Part) closed(urlPath string) string {
	at := strings.TrimSuffix(p.Base.Prefix(), "/") + urlPath
	if v, leads := p.Host.Redirect(urlPath, p.Exists); leads {
		return p.rule(v) + " leads away from " + at
	}
	if v, hidden := p.Host.NoIndex(urlPath); hidden {
		return p.rule(v) + " hides " + at
	}
	v, _ := p.Host.Disallowed(urlPath)
	return p.rule(v) + " disallows " + at
}

// rule returns the place of a rule, or the name of the host that has it without one.
func (p *Part) rule(v hosting.Verdict) string {
	if v.Pos.File == "" {
		return p.hostName()
	}
	return v.Pos.String()
}

// serves reports whether an address is that of a file.
func (s *addresses) serves(p *Part, file, urlPath string) bool {
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
func (s *addresses) spelledOddly(f spelledPage) bool {
	if f.Says != mapping.AnyEnding || f.Rest == nil || f.Rest.Canonical == "" {
		return false
	}
	p := s.partOf(f.Page)
	file, _ := p.Below(f.File)
	urlPath, below := p.Base.Path(p.Base.OwnScheme(f.Rest.Canonical))
	return below && mapping.Spelling(urlPath) == mapping.Spelling(f.Path) && mayEnd(file, urlPath) && !p.overrides.HTML && !p.overrides.Slash &&
		s.open(p, urlPath) && s.serves(p, file, urlPath)
}

// mayEnd reports whether a file can be served at an address that ends so: as what
// a/index.html is, /a.html would be another file.
func mayEnd(file, urlPath string) bool {
	low := strings.ToLower(urlPath)
	if isIndexFile(file) {
		return !strings.HasSuffix(low, ".html") || isIndexFile(low[1:])
	}
	return !isIndexFile(low[1:])
}

// givenEnding returns the ending with which another tool's sitemap lists a file first, of
// those that fit.
func (s *addresses) givenEnding(p *Part, file string, fits func(mapping.Ending) bool) (first mapping.Ending) {
	if s.Given == nil {
		return mapping.AnyEnding
	}
	best := math.MaxInt
	for e := mapping.FileName; e <= mapping.Slashed; e++ {
		loc, err := p.Base.Loc(e.Style().URLPath(file))
		if place, ok := s.Given[loc]; ok && err == nil && place < best && fits(e) {
			first, best = e, place
		}
	}
	return first
}

// Arbitrary reports whether neither the settings nor the site itself says how the
// page's address ends.
func (s *addresses) Arbitrary(f spelledPage) bool {
	_, by := s.ending(f)
	return by == byName
}

// linkedEnding returns how the site's links end that lead to pages like a file.
func (p *Part) linkedEnding(file string) mapping.Ending {
	k, several := fileKind(file)
	if !several {
		return mapping.AnyEnding
	}
	return p.linkStyles[k].Ending
}

// How says in words how the page's URL came about, of a page whose content file is source.
func (s *addresses) How(f spelledPage, source string) string {
	p := s.partOf(f.Page)
	file, _ := p.Below(f.File)
	k, _ := fileKind(file)
	_, by := s.ending(f)
	if by == byHost {
		return "from the path " + f.File + "; " + p.closed(p.Style.URLPath(file))
	}
	return [...]string{
		bySettings:  "from the path " + f.File + ", as urls in the configuration says",
		byGiven:     "spelled as the sitemaps that --from names list it",
		byCanonical: "spelled as the page's canonical link does",
		byOpenGraph: "spelled as the page's og:url does",
		byGenerator: "spelled as the generator writes it for " + source,
		byLinks:     "spelled as the site's own links are: " + p.linkStyles[k].String(),
		byName:      "from the path " + f.File + " as " + p.hostName() + " serves it",
	}[by]
}

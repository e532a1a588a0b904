package site

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

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

// spell gives every page the address by which the site calls it.
func (s *Site) spell() {
	s.readGiven()
	var spelling sync.WaitGroup
	for some := range slices.Chunk(s.pages, 1+len(s.pages)/runtime.GOMAXPROCS(0)) {
		spelling.Go(func() {
			for _, r := range some {
				if e, _ := s.ending(r); e != r.ending || e == mapping.AnyEnding {
					s.respell(r, e)
				}
			}
		})
	}
	spelling.Wait()
}

// readGiven remembers the URLs that another tool has listed: the user wants them
// as they are.
func (s *Site) readGiven() {
	if s.o.From == nil || s.given != nil {
		return
	}
	s.given = make(map[string]bool, len(s.o.From))
	for _, x := range s.o.From {
		if loc, err := s.listedAt(x); err == nil {
			s.given[loc] = true
		}
	}
}

// respell places a page at the address that ends so; AnyEnding is the one that
// its canonical link spells in its own way.
func (s *Site) respell(r *record, e mapping.Ending) {
	p := s.part(r)
	if e == mapping.AnyEnding {
		r.loc = p.Base.OwnScheme(r.rest.canonical)
		r.path, _ = p.Base.Path(r.loc)
		r.ending = e
		return
	}
	file, _ := p.below(r.file)
	urlPath, loc, err := p.Base.Place(e.Style(), file)
	if err == nil {
		r.path, r.loc, r.ending = urlPath, loc, e
	}
}

// ending returns how the page's URL ends, and who says so. It is AnyEnding for
// an address that the page's canonical link spells in its own way.
func (s *Site) ending(r *record) (mapping.Ending, evidence) {
	p := s.part(r)
	file, _ := p.below(r.file)
	hosted := p.Style.Ending(file)
	fits := func(e mapping.Ending) bool {
		return e != mapping.AnyEnding && p.allows(file, hosted, e) && s.answers(r, file, e, e == hosted)
	}
	claims := [...]struct {
		by evidence
		e  mapping.Ending
	}{
		{byGiven, s.givenEnding(p, file)},
		{byCanonical, r.says},
		{byOpenGraph, r.og},
		{byGenerator, r.src.endingOf()},
		{byLinks, p.linkedEnding(file, hosted)},
	}
	for _, c := range claims {
		if fits(c.e) {
			return c.e, c.by
		}
		if c.by == byCanonical && s.spelledOddly(r) {
			return mapping.AnyEnding, byCanonical
		}
	}
	by := byName
	if p.Said.HTML || p.Said.Slash {
		by = bySettings
	}
	if by == bySettings || s.answers(r, file, hosted, true) {
		return hosted, by
	}
	for e := mapping.FileName; e <= mapping.Slashed; e++ {
		if e != hosted && p.Host.Known() && s.answers(r, file, e, false) {
			return e, byHost
		}
	}
	return hosted, byName
}

// allows reports whether an ending is within what the configuration's urls say.
func (p *Part) allows(file string, hosted, e mapping.Ending) bool {
	switch {
	case e == hosted:
		return true
	case isIndex(file):
		return !p.Said.Slash
	case p.Said.HTML && (e == mapping.FileName) != (hosted == mapping.FileName):
		return false
	}
	return !p.Said.Slash || e == mapping.FileName || hosted == mapping.FileName
}

// answers reports whether the host answers the address of a file that ends so
// with that file, for crawlers too. An unknown host is taken at the word of the
// site, unless another page is there, and every host serves a file as it shapes
// URLs, unless a rule says otherwise.
func (s *Site) answers(r *record, file string, e mapping.Ending, hosted bool) bool {
	p := s.part(r)
	if hosted && p.Host == nil {
		return true
	}
	urlPath := r.path
	if e != r.ending {
		urlPath = e.Style().URLPath(file)
	}
	return s.open(p, urlPath) && (hosted || s.serves(p, file, urlPath))
}

// open reports whether nothing leads away from an address or hides it.
func (s *Site) open(p *Part, urlPath string) bool {
	if _, leads := p.Host.Redirect(urlPath, p.exists); leads {
		return false
	}
	if _, hidden := p.Host.NoIndex(urlPath); hidden {
		return false
	}
	_, no := p.Host.Disallowed(urlPath)
	return !no || !s.o.ObeyRobots
}

// serves reports whether an address is that of a file.
func (s *Site) serves(p *Part, file, urlPath string) bool {
	if p.Host.Known() {
		served, ok := p.Host.Serves(urlPath, p.exists)
		return ok && served == file
	}
	for _, other := range []string{urlPath[1:], urlPath[1:] + "index.html", urlPath[1:] + ".html"} {
		if other != file && p.exists(other) {
			return false
		}
	}
	return true
}

// spelledOddly reports whether the page's canonical link is the page's own
// address in another spelling than those that a file has: in other letters.
func (s *Site) spelledOddly(r *record) bool {
	if r.says != mapping.AnyEnding || r.rest == nil || r.rest.canonical == "" {
		return false
	}
	p := s.part(r)
	file, _ := p.below(r.file)
	urlPath, below := p.Base.Path(p.Base.OwnScheme(r.rest.canonical))
	return below && mapping.Spelling(urlPath) == mapping.Spelling("/"+file) && !p.Said.HTML && !p.Said.Slash &&
		s.open(p, urlPath) && s.serves(p, file, urlPath)
}

// givenEnding returns the ending with which another tool's sitemap lists a file.
func (s *Site) givenEnding(p *Part, file string) mapping.Ending {
	if s.given == nil {
		return mapping.AnyEnding
	}
	for e := mapping.FileName; e <= mapping.Slashed; e++ {
		if loc, err := p.Base.Loc(e.Style().URLPath(file)); err == nil && s.given[loc] {
			return e
		}
	}
	return mapping.AnyEnding
}

// endingOf returns how the generator writes the address; src may be nil.
func (src *source) endingOf() mapping.Ending {
	if src == nil {
		return mapping.AnyEnding
	}
	return src.ending
}

// linkedEnding returns how the site's links end that lead to pages like a file.
func (p *Part) linkedEnding(file string, hosted mapping.Ending) mapping.Ending {
	if hosted != mapping.FileName || !mayLoseHTML(file) {
		return mapping.AnyEnding
	}
	return p.linked.Ending
}

// mayLoseHTML reports whether a file's URL may be without .html.
func mayLoseHTML(file string) bool { return strings.HasSuffix(file, ".html") && !isIndex(file) }

func isIndex(file string) bool {
	return file == "index.html" || strings.HasSuffix(file, "/index.html")
}

// canonicalOf returns the address that the page names as its canonical one, ""
// when that is its own as it is listed, or none.
func (s *Site) canonicalOf(r *record) string {
	if r.rest != nil && r.rest.canonical != "" {
		return r.rest.canonical
	}
	if r.says == mapping.AnyEnding || r.says == r.ending {
		return ""
	}
	p := s.part(r)
	file, _ := p.below(r.file)
	_, loc, _ := p.Base.Place(r.says.Style(), file)
	return loc
}

// how says in words how the page's URL came about.
func (s *Site) how(r *record) string {
	p := s.part(r)
	switch _, by := s.ending(r); by {
	case bySettings:
		return "from the path " + r.file + ", as urls in the configuration says"
	case byGiven:
		return "spelled as the sitemaps that --from names list it"
	case byCanonical:
		return "spelled as the page's canonical link does"
	case byOpenGraph:
		return "spelled as the page's og:url does"
	case byGenerator:
		return "spelled as the generator writes it for " + s.sourcePos(r).File
	case byLinks:
		return "spelled as the site's own links are: " + p.linked.String()
	case byHost:
		return "from the path " + r.file + "; " + p.hostName() + " answers no other spelling"
	}
	return fmt.Sprintf("from the path %s as %s serves it", r.file, p.hostName())
}

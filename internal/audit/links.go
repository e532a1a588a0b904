package audit

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A linkCollector collects the links of pages while the pages are read. It calls each linked URL a
// target, and assigns a number to it.
type linkCollector struct {
	bases     []mapping.Base // base URLs of all parts, the site itself first
	fragments bool           // also check that the fragment of each link exists in the linked page

	mu    sync.RWMutex
	pages []*pageLinks      // sorted by file once Report begins
	ids   map[string]uint32 // number of each target, by URL or fragment
	locs  []string          // by number: the URL of a target, or "#fragment" for a missing fragment that a page links to in itself
}

// A pageLinks contains the links and the anchors of one page.
type pageLinks struct {
	file    string // path in the publish directory
	links   []link // in the order of the page; links to a fragment of the page itself are last
	anchors        // without names unless fragments are checked
}

// A link is a link in a page. Links to the page itself are stored only if they name a fragment that
// the page does not have.
type link struct {
	target    uint32 // index of the linked URL in linkCollector.locs
	line, col uint32
}

// newLinkCollector returns a collector for the pages of the site with the options s.
func newLinkCollector(fragments bool, s *facts.Options) *linkCollector {
	return &linkCollector{bases: allBases(s), fragments: fragments, ids: map[string]uint32{}}
}

// allBases returns the base URLs of all parts of a site, the site itself first. s contains the
// options of the site.
func allBases(s *facts.Options) []mapping.Base {
	bases := []mapping.Base{s.Base}
	for _, p := range s.Sites {
		bases = append(bases, p.Base)
	}
	return bases
}

// CollectPage stores the links of one page. Of the links from the page to itself, it stores only
// links to a fragment that does not exist in the page.
func (l *linkCollector) CollectPage(b facts.Body) {
	p := &pageLinks{file: b.File}
	own := map[string][]diag.Pos{} // positions of the links from the page to itself, by fragment
	resolver := newResolver(l.bases, b.Loc)
	refs := page.Refs{Anchors: l.fragments}
	refs.Find(b.Src, func(ref page.Ref) {
		switch ref.Kind {
		case page.RefPageURL: // the build checks canonical and alternate links
			return
		case page.RefAnchor:
			p.names = append(p.names, string(ref.Value))
			return
		case page.RefBase:
			resolver.setBaseHref(ref.Value)
			return
		}
		loc, fragment, ok := resolver.resolve(ref.Value)
		if !ok {
			return
		}
		pos, isOwn := refs.Pos(ref.At), string(loc) == b.Loc
		if !isOwn {
			p.addLink(l.targetID(loc), pos)
		}
		switch {
		case !l.fragments || ref.Kind != page.RefLink || !namesElement(fragment):
		case isOwn:
			own[string(fragment)] = append(own[string(fragment)], pos)
		default:
			p.addLink(l.targetID(append(loc, fragment...)), pos)
		}
	})
	slices.Sort(p.names)
	p.hasIncludes, p.hasScript = bytes.Contains(b.Src, []byte("<!--#")), bytes.Contains(b.Src, []byte("<script"))
	for _, fragment := range p.deadFragments(slices.Collect(maps.Keys(own))) {
		for _, pos := range own[fragment] {
			p.addLink(l.targetID([]byte(fragment)), pos)
		}
	}
	p.links = slices.Clone(p.links)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pages = append(l.pages, p)
}

// addLink stores a link to the URL with the number target.
func (p *pageLinks) addLink(target uint32, pos diag.Pos) {
	p.links = append(p.links, link{target, uint32(pos.Line), uint32(pos.Col)})
}

// targetID returns the number of loc, a linked URL, and assigns the next number to a new URL.
// It is safe for concurrent use.
func (l *linkCollector) targetID(loc []byte) uint32 {
	l.mu.RLock()
	id, ok := l.ids[string(loc)]
	l.mu.RUnlock()
	if ok {
		return id
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if id, ok = l.ids[string(loc)]; !ok { // no other goroutine has added it
		id = uint32(len(l.locs))
		l.locs = append(l.locs, string(loc))
		l.ids[l.locs[id]] = id
	}
	return id
}

// pageIndex returns the index in l.pages of the page with the given file, or ok = false.
func (l *linkCollector) pageIndex(file string) (i int, ok bool) {
	return slices.BinarySearchFunc(l.pages, file, func(p *pageLinks, file string) int { return cmp.Compare(p.file, file) })
}

// A resolver resolves the links of one page to URLs in the normal form of the site.
type resolver struct {
	bases []mapping.Base
	loc   string // URL of the page
	from  string // URL that references are relative to; equal to loc if the page has no base element
	url   []byte // buffer for the URL that resolve returns
}

// newResolver returns a resolver for the links of the page at the URL loc. bases contains the base
// URLs of all parts, the site itself first.
func newResolver(bases []mapping.Base, loc string) *resolver {
	return &resolver{bases: bases, loc: loc, from: loc}
}

// setBaseHref sets the URL that references are relative to. href is the attribute of the page's
// base element. An invalid href has no effect.
func (r *resolver) setBaseHref(href []byte) {
	if to, err := r.bases[0].Resolve(string(href), r.loc, ""); err == nil {
		r.from, _, _ = strings.Cut(to, "?")
	}
}

// resolve returns the URL of ref without query and fragment, and the fragment with "#". ok is false
// if ref is invalid or contains template syntax, or if the URL does not belong to this site. loc is
// valid until the next call.
func (r *resolver) resolve(ref []byte) (loc, fragment []byte, ok bool) {
	path := ref
	if i := bytes.IndexByte(path, '#'); i >= 0 {
		path, fragment = path[:i], path[i:]
	}
	path, _, _ = bytes.Cut(path, []byte("?"))
	if len(path) == 0 {
		r.url = append(r.url[:0], r.from...)
		return r.url, fragment, r.from == r.loc || isBelowAny(r.bases, r.url)
	}
	if r.url, ok = r.bases[0].AppendResolved(r.url[:0], path, r.from); !ok {
		to, err := r.bases[0].Resolve(string(path), r.from, "")
		if err != nil || hasTemplateSyntax(path) {
			return nil, nil, false
		}
		r.url = append(r.url[:0], r.bases[0].WithOwnScheme(to)...)
	}
	return r.url, fragment, isBelowAny(r.bases, r.url)
}

// hasTemplateSyntax reports whether ref contains syntax of a template or a script, such as "{{" or
// "${".
func hasTemplateSyntax(ref []byte) bool {
	for _, mark := range []string{"{{", "{%", "${", "<%"} {
		if bytes.Contains(ref, []byte(mark)) {
			return true
		}
	}
	return false
}

// isBelowAny reports whether loc begins with one of the base URLs.
func isBelowAny(bases []mapping.Base, loc []byte) bool {
	return slices.ContainsFunc(bases, func(b mapping.Base) bool {
		return b.String() != "" && bytes.HasPrefix(loc, []byte(b.String()))
	})
}

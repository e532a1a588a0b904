package audit

import (
	"bytes"
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// LinkOptions are the options for the check of links.
type LinkOptions struct {
	Fragments bool // check that the fragment of each link exists in the linked page
	Places    bool // report all positions of a broken link, and not only the first three

	// Ignore reports whether a program on the server answers requests for loc. The check ignores
	// links to such a URL. Ignore may be nil.
	Ignore func(loc string) bool
}

// A LinkCollector collects the links of pages while the pages are read. It calls each linked URL a
// target, and assigns a number to it.
type LinkCollector struct {
	o       LinkOptions
	bases   []mapping.Base // base URLs of the site and its parts
	readers []*linkReader  // one for each goroutine that reads pages
	pages   []*pageLinks   // sorted by file; set by Sort

	mu   sync.Mutex
	ids  map[string]uint32 // number of each target, by URL or fragment
	locs []string          // by number: the URL of a target, or "#fragment" for a missing fragment that a page links to in itself
}

// pageLinks are the links of one page.
type pageLinks struct {
	file  string   // path in the publish directory
	self  uint32   // number of the page's own URL
	moves bool     // the page has a meta refresh
	links []uint32 // numbers of the targets, sorted, without duplicates
}

// newLinkCollector returns a collector for the pages of the site with the options s.
func newLinkCollector(o LinkOptions, s *facts.Options) *LinkCollector {
	c := &LinkCollector{o: o, bases: []mapping.Base{s.Base}, ids: map[string]uint32{}}
	for _, p := range s.Sites {
		c.bases = append(c.bases, p.Base)
	}
	for range walker.NumWorkers(walker.Options{Jobs: s.Jobs}) {
		c.readers = append(c.readers, &linkReader{LinkCollector: c, refs: page.Refs{Anchors: o.Fragments}, known: map[string]uint32{}})
	}
	return c
}

// CollectPage stores the links of one page. worker is the number of the calling goroutine.
// CollectPage can be used as facts.Options.Bodies.
func (l *LinkCollector) CollectPage(worker int, b facts.Body) {
	if b.Loc != "" {
		l.readers[worker].readPage(b)
	}
}

// Sort merges the pages that the goroutines have collected, and sorts the pages by file. Call Sort
// after the last page and before Check.
func (l *LinkCollector) Sort() {
	for _, r := range l.readers {
		l.pages = append(l.pages, r.pages...)
	}
	slices.SortFunc(l.pages, func(a, b *pageLinks) int { return strings.Compare(a.file, b.file) })
}

// addTarget returns the number of loc, a linked URL, and assigns the next number to a new URL. It
// is safe for concurrent use.
func (l *LinkCollector) addTarget(loc string) (id uint32) {
	l.mu.Lock()
	defer l.mu.Unlock()
	id, ok := l.ids[loc]
	if !ok {
		id = uint32(len(l.locs))
		l.ids[loc] = id
		l.locs = append(l.locs, loc)
	}
	return id
}

// A linkReader reads the links of pages. Each goroutine has its own linkReader.
type linkReader struct {
	*LinkCollector
	refs  page.Refs
	known map[string]uint32 // numbers of targets that this reader has used; read without a lock
	pages []*pageLinks
}

// targetID returns the number of loc, a linked URL, and assigns a number to a new URL. Unlike
// addTarget, it needs no lock for a URL that this reader has used before.
func (l *linkReader) targetID(loc []byte) (id uint32) {
	id, ok := l.known[string(loc)]
	if !ok {
		id = l.addTarget(string(loc))
		l.known[string(loc)] = id
	}
	return id
}

// readPage appends the links of one page to l.pages. Of the links from the page to itself, it keeps
// only links to a fragment that does not exist in the page.
func (l *linkReader) readPage(b facts.Body) {
	p := &pageLinks{file: b.File, self: l.targetID([]byte(b.Loc))}
	resolver := newResolver(l.bases, b.Loc)
	anchors := map[string]bool{}
	var own []string // fragments of links from the page to itself
	l.refs.Find(b.Src, func(ref page.Ref) {
		switch ref.Kind {
		case page.RefPageURL: // the build checks canonical and alternate links
			return
		case page.RefAnchor:
			anchors[string(ref.Value)] = true
			return
		case page.RefBase:
			resolver.setBaseHref(ref.Value)
			return
		case page.RefRefresh:
			p.moves = true
		}
		loc, fragment, ok := resolver.resolve(ref.Value)
		if !ok {
			return
		}
		id := l.targetID(loc)
		hasPlace := l.o.Fragments && ref.Kind == page.RefLink && namesElement(fragment)
		switch {
		case id != p.self:
			p.links = append(p.links, id)
			if hasPlace {
				p.links = append(p.links, l.targetID(append(loc, fragment...)))
			}
		case hasPlace:
			own = append(own, string(fragment))
		}
	})
	for _, fragment := range deadFragments(own, anchors, b.Src) {
		p.links = append(p.links, l.targetID([]byte(fragment)))
	}
	slices.Sort(p.links)
	p.links = slices.Clip(slices.Compact(p.links))
	l.pages = append(l.pages, p)
}

// A resolver resolves the links of one page to URLs in the normal form of the site.
type resolver struct {
	bases []mapping.Base
	loc   string // URL of the page
	from  string // URL that references are relative to; loc without a base element
	url   []byte // buffer for the URL that resolve returns
}

// newResolver returns a resolver for the page at the URL loc.
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
// if ref is invalid or contains template syntax, or if the URL is not of this site. loc is valid
// until the next call.
func (r *resolver) resolve(ref []byte) (loc, fragment []byte, ok bool) {
	path := ref
	if i := bytes.IndexByte(path, '#'); i >= 0 {
		path, fragment = path[:i], path[i:]
	}
	path, _, _ = bytes.Cut(path, []byte("?"))
	if hasTemplateSyntax(path) {
		return nil, nil, false
	}
	if len(path) == 0 {
		r.url = append(r.url[:0], r.from...)
		return r.url, fragment, r.from == r.loc || baseIndex(r.bases, r.url) >= 0
	}
	if r.url, ok = r.bases[0].AppendResolved(r.url[:0], path, r.from); !ok {
		to, err := r.bases[0].Resolve(string(path), r.from, "")
		if err != nil {
			return nil, nil, false
		}
		r.url = append(r.url[:0], r.bases[0].WithOwnScheme(to)...)
	}
	return r.url, fragment, baseIndex(r.bases, r.url) >= 0
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

// baseIndex returns the index in bases of the first base URL that loc begins with, or -1.
func baseIndex(bases []mapping.Base, loc []byte) int {
	return slices.IndexFunc(bases, func(b mapping.Base) bool {
		return b.String() != "" && bytes.HasPrefix(loc, []byte(b.String()))
	})
}

// pageIndex returns the index in l.pages of the page with the given file, or noPage.
func (l *LinkCollector) pageIndex(file string) int32 {
	i, ok := slices.BinarySearchFunc(l.pages, file, func(p *pageLinks, file string) int { return cmp.Compare(p.file, file) })
	if !ok {
		return noPage
	}
	return int32(i)
}

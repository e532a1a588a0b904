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

// LinkOptions configure the check of links.
type LinkOptions struct {
	Fragments bool // check that each fragment exists in its page
	Places    bool // report all positions of a broken link instead of the first three

	// Ignore, if not nil, reports whether a server answers a URL without a file.
	Ignore func(loc string) bool
}

// A LinkCollector collects the links of pages while the pages are read.
type LinkCollector struct {
	o       LinkOptions
	bases   []mapping.Base // base URLs of the site and its parts
	readers []*linkReader  // by worker number
	pages   []*pageLinks   // sorted by file; set by Sort

	mu   sync.Mutex
	ids  map[string]uint32 // the number of each target
	locs []string          // the URL of each target, or a fragment that a page links to in itself
}

// pageLinks are the links of one page.
type pageLinks struct {
	file  string
	self  uint32   // target of the page itself
	moves bool     // the page has a meta refresh
	links []uint32 // targets, sorted, without duplicates
}

// newLinkCollector returns a collector for the links of a site.
func newLinkCollector(o LinkOptions, s *facts.Options) *LinkCollector {
	c := &LinkCollector{o: o, bases: []mapping.Base{s.Base}, ids: map[string]uint32{}}
	for _, p := range s.Sites {
		c.bases = append(c.bases, p.Base)
	}
	for range walker.Workers(walker.Options{Jobs: s.Jobs}) {
		c.readers = append(c.readers, &linkReader{LinkCollector: c, refs: page.Refs{Anchors: o.Fragments}, known: map[string]uint32{}})
	}
	return c
}

// Page collects the links of a page. It has the type of facts.Options.Bodies.
func (c *LinkCollector) Page(worker int, b facts.Body) {
	if b.Loc != "" {
		c.readers[worker].readPage(b)
	}
}

// Sort sorts the pages by file. Call Sort after the last page.
func (c *LinkCollector) Sort() {
	for _, r := range c.readers {
		c.pages = append(c.pages, r.pages...)
	}
	slices.SortFunc(c.pages, func(a, b *pageLinks) int { return strings.Compare(a.file, b.file) })
}

// addTarget returns the number of a target. It assigns a new number to an unknown target.
func (c *LinkCollector) addTarget(loc string) uint32 {
	c.mu.Lock()
	defer c.mu.Unlock()
	id, ok := c.ids[loc]
	if !ok {
		id = uint32(len(c.locs))
		c.ids[loc] = id
		c.locs = append(c.locs, loc)
	}
	return id
}

// A linkReader reads the links of pages on one goroutine.
type linkReader struct {
	*LinkCollector
	refs  page.Refs
	known map[string]uint32 // cache of numbers that needs no lock
	pages []*pageLinks
}

// targetID returns the number of a target URL. It assigns a number to a new URL.
func (r *linkReader) targetID(loc []byte) uint32 {
	id, ok := r.known[string(loc)]
	if !ok {
		id = r.addTarget(string(loc))
		r.known[string(loc)] = id
	}
	return id
}

// readPage reads the links of one page.
func (r *linkReader) readPage(b facts.Body) {
	p := &pageLinks{file: b.File, self: r.targetID([]byte(b.Loc))}
	resolver := newResolver(r.bases, b.Loc)
	anchors := map[string]bool{}
	var own []string // fragments that the page links to in itself
	r.refs.Find(b.Src, func(ref page.Ref) {
		switch ref.Kind {
		case page.RefPageURL: // checked as canonical and alternate links
			return
		case page.RefAnchor:
			anchors[string(ref.Value)] = true
			return
		case page.RefBase:
			resolver.setBase(ref.Value)
			return
		case page.RefRefresh:
			p.moves = true
		}
		loc, fragment, ok := resolver.resolve(ref.Value)
		if !ok {
			return
		}
		id := r.targetID(loc)
		isPlace := r.o.Fragments && ref.Kind == page.RefLink && isPlace(fragment)
		switch {
		case id != p.self:
			p.links = append(p.links, id)
			if isPlace {
				p.links = append(p.links, r.targetID(append(loc, fragment...)))
			}
		case isPlace:
			own = append(own, string(fragment))
		}
	})
	for _, fragment := range deadFragments(own, anchors, b.Src) {
		p.links = append(p.links, r.targetID([]byte(fragment)))
	}
	slices.Sort(p.links)
	p.links = slices.Clip(slices.Compact(p.links))
	r.pages = append(r.pages, p)
}

// A resolver resolves the references of one page to URLs in the site's spelling.
type resolver struct {
	bases []mapping.Base
	loc   string // URL of the page
	from  string // base URL for references
	url   []byte // buffer for the last URL
}

func newResolver(bases []mapping.Base, loc string) *resolver {
	return &resolver{bases: bases, loc: loc, from: loc}
}

// setBase applies the base element of the page.
func (r *resolver) setBase(href []byte) {
	if to, err := r.bases[0].Resolve(string(href), r.loc, ""); err == nil {
		r.from, _, _ = strings.Cut(to, "?")
	}
}

// resolve returns the URL of ref without query and fragment, and the fragment with "#". It
// reports false for URLs outside of the site and for placeholders of templates. loc is valid
// until the next call.
func (r *resolver) resolve(ref []byte) (loc, fragment []byte, ok bool) {
	path := ref
	if i := bytes.IndexByte(path, '#'); i >= 0 {
		path, fragment = path[:i], path[i:]
	}
	path, _, _ = bytes.Cut(path, []byte("?"))
	if isPlaceholder(path) {
		return nil, nil, false
	}
	if len(path) == 0 {
		r.url = append(r.url[:0], r.from...)
		return r.url, fragment, r.from == r.loc || baseIndex(r.bases, r.url) >= 0
	}
	if r.url, ok = r.bases[0].AppendJoined(r.url[:0], path, r.from); !ok {
		to, err := r.bases[0].Resolve(string(path), r.from, "")
		if err != nil {
			return nil, nil, false
		}
		r.url = append(r.url[:0], r.bases[0].OwnScheme(to)...)
	}
	return r.url, fragment, baseIndex(r.bases, r.url) >= 0
}

// isPlaceholder reports whether ref contains the syntax of a template or a script.
func isPlaceholder(ref []byte) bool {
	for _, mark := range []string{"{{", "{%", "${", "<%"} {
		if bytes.Contains(ref, []byte(mark)) {
			return true
		}
	}
	return false
}

// baseIndex returns the index of the first base that contains loc, or -1.
func baseIndex(bases []mapping.Base, loc []byte) int {
	return slices.IndexFunc(bases, func(b mapping.Base) bool {
		return b.String() != "" && bytes.HasPrefix(loc, []byte(b.String()))
	})
}

// pageIndex returns the number of the page with the file, or noPage.
func (c *LinkCollector) pageIndex(file string) int32 {
	i, ok := slices.BinarySearchFunc(c.pages, file, func(p *pageLinks, file string) int { return cmp.Compare(p.file, file) })
	if !ok {
		return noPage
	}
	return int32(i)
}

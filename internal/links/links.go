// Package links holds the links within a built site against what its host serves:
// which lead nowhere, which are redirected, which pages none leads to.
//
// It refuses to ask any other site, and to know what scripts do. Of a link it keeps
// a number, whatever its address: a site may have millions.
package links

import (
	"bytes"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/site"
)

// Options say what to look for.
type Options struct {
	Fragments bool // places within pages, too
	Depth     int  // report pages more links away from the home page; 0: none
}

// A Collector gathers the links of the pages that it is given.
type Collector struct {
	o       Options
	bases   []mapping.Base // what lies below them is the site's
	targets targets
	workers []*worker
}

// A visited page, and where its links lead.
type visited struct {
	file, loc string
	links     []link // sorted, each once
}

// A link is the number of a target, and in its last bit whether people follow it.
type link uint32

func linkTo(target uint32, leads bool) link {
	l := link(target << 1)
	if leads {
		l |= 1
	}
	return l
}

func (l link) target() uint32 { return uint32(l >> 1) }
func (l link) leads() bool    { return l&1 != 0 }

// New returns a collector for the links of a site, to be given its pages by so many
// workers.
func New(o Options, s *site.Options, workers int) *Collector {
	c := &Collector{o: o, bases: []mapping.Base{s.Base}, workers: make([]*worker, workers)}
	for _, p := range s.Sites {
		c.bases = append(c.bases, p.Base)
	}
	c.targets.init()
	for i := range c.workers {
		c.workers[i] = &worker{c: c, refs: page.Refs{Anchors: o.Fragments}}
	}
	return c
}

// Page takes in a page; it is for [site.Options].
func (c *Collector) Page(worker int, b site.Body) {
	if b.Loc != "" {
		c.workers[worker].page(b)
	}
}

// A worker takes in pages on one goroutine.
type worker struct {
	c       *Collector
	refs    page.Refs
	visited []visited
	room    []link // for the links of pages to come
	recent  recent

	resolver
	links   []link
	anchors map[string]bool // of the page at hand
	own     []string        // fragments that it links to itself
}

func (w *worker) page(b site.Body) {
	w.begin(b.Loc)
	w.links, w.own = w.links[:0], w.own[:0]
	clear(w.anchors)
	w.refs.Find(b.Src, w.ref)
	for _, f := range w.own {
		if !names(w.anchors, f) {
			w.add(append(append(w.key[:0], b.Loc...), f...), true)
		}
	}
	slices.Sort(w.links)
	w.links = slices.Compact(w.links)
	w.visited = append(w.visited, visited{b.File, b.Loc, w.keep(w.links)})
}

// keep copies the links to where they stay.
func (w *worker) keep(links []link) []link {
	const chunk = 1 << 14
	if cap(w.room)-len(w.room) < len(links) {
		w.room = make([]link, 0, max(chunk, len(links)))
	}
	at := len(w.room)
	w.room = append(w.room, links...)
	return w.room[at:len(w.room):len(w.room)]
}

func (w *worker) ref(r page.Ref) {
	switch r.Kind {
	case page.Anchor:
		if w.anchors == nil {
			w.anchors = map[string]bool{}
		}
		w.anchors[string(r.Value)] = true
		return
	case page.Base:
		w.rebase(w.c.bases[0], r.Value)
		return
	}
	key, fragment, ok := w.resolve(w.c.bases, r.Value)
	if !ok {
		return
	}
	self := string(key) == w.loc
	if w.c.o.Fragments && r.Kind == page.Leads && isPlace(fragment) {
		if self {
			w.own = append(w.own, string(fragment))
			return
		}
		n := len(key)
		w.add(append(key, fragment...), true)
		key = key[:n]
	}
	if !self {
		w.add(key, r.Kind == page.Leads)
	}
}

func (w *worker) add(key []byte, leads bool) {
	w.links = append(w.links, linkTo(w.recent.id(&w.c.targets, key), leads))
}

// A resolver brings the addresses on one page into the spelling of the site's own.
type resolver struct {
	loc   string // of the page
	from  string // what its addresses are relative to
	key   []byte
	empty bool // an address without a path stands for from, not for the page
}

func (r *resolver) begin(loc string) { r.loc, r.from, r.empty = loc, loc, false }

// rebase takes in the base element.
func (r *resolver) rebase(b mapping.Base, href []byte) {
	if to, err := b.Resolve(string(href), r.loc, ""); err == nil {
		r.from, _, _ = strings.Cut(to, "?")
		r.empty = r.from != r.loc
	}
}

// resolve returns the URL that an address stands for, without its query, and its
// fragment with the #. It is false for what is not below one of the bases.
func (r *resolver) resolve(bases []mapping.Base, ref []byte) (key, fragment []byte, ok bool) {
	if i := bytes.IndexByte(ref, '#'); i >= 0 {
		ref, fragment = ref[:i], ref[i:]
	}
	if i := bytes.IndexByte(ref, '?'); i >= 0 {
		ref = ref[:i]
	}
	if len(ref) == 0 {
		r.key = append(r.key[:0], r.from...)
		return r.key, fragment, !r.empty || owner(bases, r.key) >= 0
	}
	if r.key, ok = bases[0].AppendJoined(r.key[:0], ref, r.from); !ok {
		if isForeign(ref) {
			return nil, nil, false
		}
		to, err := bases[0].Resolve(string(ref), r.from, "")
		if err != nil {
			return nil, nil, false
		}
		to = bases[0].OwnScheme(to)
		r.key = append(r.key[:0], to...)
	}
	return r.key, fragment, owner(bases, r.key) >= 0
}

// isForeign reports whether an address plainly is none of a page.
func isForeign(ref []byte) bool {
	for _, scheme := range []string{"mailto:", "tel:", "data:", "javascript:"} {
		if len(ref) >= len(scheme) && strings.EqualFold(string(ref[:len(scheme)]), scheme) {
			return true
		}
	}
	return false
}

// owner returns the base that a URL lies below, or -1.
func owner(bases []mapping.Base, loc []byte) int {
	for i, b := range bases {
		if s := b.String(); s != "" && len(loc) >= len(s) && string(loc[:len(s)]) == s {
			return i
		}
	}
	return -1
}

// pages returns the pages of all workers, sorted by file.
func (c *Collector) pages() []visited {
	var all []visited
	for _, w := range c.workers {
		all = append(all, w.visited...)
		w.visited = nil
	}
	slices.SortFunc(all, func(a, b visited) int { return strings.Compare(a.file, b.file) })
	return all
}

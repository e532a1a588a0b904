// Package links holds the links within a built site against what its host serves:
// which lead nowhere, which are redirected, which pages none leads to.
//
// It refuses to ask any other site, and to know what scripts do. Of a link it keeps
// a number, whatever its address: a site may have millions.
package links

import (
	"bytes"
	"hash/maphash"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/walker"
)

// Options say what to look for.
type Options struct {
	Fragments bool // places within pages, too
	Depth     int  // report pages more links away from the home page; 0: none
	Places    int  // of one target that are told, a page each; 0 is 3, and a negative number every one

	// Ignore, if not nil, reports whether a server answers a URL without a file.
	Ignore func(loc string) bool
}

// A Collector gathers the links of the pages that it is given.
type Collector struct {
	o       Options
	bases   []mapping.Base // what lies below them is the site's
	targets targets
	others  others
	workers []*worker

	pages []*pageLinks // sorted by file
	asked []bool       // of each target: whether a link leads there
}

// pageLinks are the links of one page.
type pageLinks struct {
	file  string
	self  uint32 // the target that it is
	moves bool   // it refreshes to another page, or to itself
	links []link // each once
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

// New returns a collector for the links of a site.
func New(o Options, s *facts.Options) *Collector {
	n := max(fewWorkers, runtime.NumCPU()) // pages are read by more goroutines, which wait for files most of the time
	c := &Collector{o: o, bases: []mapping.Base{s.Base}, workers: make([]*worker, n)}
	for _, p := range s.Sites {
		c.bases = append(c.bases, p.Base)
	}
	c.targets.init(s.Base.Origin())
	c.others = others{seed: maphash.MakeSeed(), met: make([][]uint64, walker.Workers(walker.Options{Jobs: s.Jobs}))}
	for i := range c.workers {
		w := &worker{o: o, refs: page.Refs{Anchors: o.Fragments}, linker: linker{bases: c.bases, targets: &c.targets}}
		w.found, w.unique = w.ref, make([]linked, 1<<8)
		c.workers[i] = w
	}
	return c
}

// fewWorkers cost little, and on a small machine none has to wait for another.
const fewWorkers = 4

// Page takes in a page; it is for [facts.Options].
func (c *Collector) Page(worker int, b facts.Body) {
	if b.Loc != "" {
		w := c.lock(worker)
		defer w.Unlock()
		w.page(b)
	}
}

// lock returns a worker for who has a number, one that is free if there is any.
func (c *Collector) lock(number int) *worker {
	for i := range c.workers {
		if w := c.workers[(number+i)%len(c.workers)]; w.TryLock() {
			return w
		}
	}
	w := c.workers[number%len(c.workers)]
	w.Lock()
	return w
}

// Other takes in a file that is no page; it is for [facts.Options].
func (c *Collector) Other(worker int, file string) { c.others.add(worker, file) }

// A worker takes in pages, one at a time.
type worker struct {
	sync.Mutex
	o     Options
	refs  page.Refs
	pages [][]pageLinks // in pieces that never grow: of what grows, the halves left behind are memory, too
	room  []link        // for the links of pages to come
	linker

	found   func(page.Ref)
	pending []pending
	ids     []uint32 // of what is pending
	links   []link   // of the page at hand, each once
	count   uint32   // links of the pages before it
	unique  []linked // a table of the links, twice as long at least, a power of two
	anchors map[string]bool
	own     []string // fragments that the page links to itself
	moves   bool     // it refreshes to another
}

func (w *worker) page(b facts.Body) {
	w.begin(b.Loc)
	w.links, w.own, w.moves = w.links[:0], w.own[:0], false
	clear(w.anchors)
	w.refs.Find(b.Src, w.found)
	w.settle()
	for _, f := range w.own {
		if !names(w.anchors, f) {
			w.add(w.targets.add(w.targets.short(b.Loc)+f), true)
		}
	}
	w.count += uint32(len(w.links))
	w.put(pageLinks{b.File, w.self, w.moves, w.keep(w.links)})
}

// put keeps a page.
func (w *worker) put(p pageLinks) {
	last := len(w.pages) - 1
	if last < 0 || len(w.pages[last]) == cap(w.pages[last]) {
		w.pages, last = append(w.pages, make([]pageLinks, 0, 128)), last+1
	}
	w.pages[last] = append(w.pages[last], p)
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
	if r.Plain {
		if hash, ok := w.plain(r.Value); ok {
			if w.pending = append(w.pending, pending{hash, r.Kind, r.At, len(r.Value)}); len(w.pending) == mostPending {
				w.settle()
			}
			return
		}
	}
	switch r.Kind {
	case page.Anchor:
		if w.anchors == nil {
			w.anchors = map[string]bool{}
		}
		w.anchors[string(r.Value)] = true
		return
	case page.Base:
		w.settle()
		w.rebase(r.Value)
		return
	case page.Moves:
		w.moves = true
	}
	w.link(r)
}

// link takes in a link whatever its address looks like.
func (w *worker) link(r page.Ref) {
	id, fragment := w.target(r.Value)
	if id == elsewhere {
		return
	}
	if w.o.Fragments && r.Kind == page.Leads && isPlace(fragment) {
		if id == w.self {
			w.own = append(w.own, string(fragment))
			return
		}
		w.add(w.place(r.Value), true)
	}
	if id != w.self {
		w.add(id, r.Kind != page.Loads)
	}
}

// A pending is a link whose target is to be found. It has no pointer, since to write
// as many as a site has links takes long while the garbage collector marks.
type pending struct {
	hash   uint64
	kind   page.RefKind
	at     int // where it stands, as in page.Ref
	length int
}

// mostPending are the links of most pages.
const mostPending = 256

// settle finds the targets of the links that wait. The table of a large site is in
// no processor's cache, and for one link after the other, with reading in between,
// a processor waits for memory each time: here it can ask for many at once.
func (w *worker) settle() {
	w.ids = w.ids[:0]
	for i := range w.pending {
		w.ids = append(w.ids, w.targets.at(w.pending[i].hash))
	}
	for i, id := range w.ids {
		switch p := &w.pending[i]; {
		case id == elsewhere:
			w.link(page.Ref{Kind: p.kind, Value: w.refs.Plain(p.at, p.length), At: p.at})
		case id != w.self:
			w.add(id, p.kind != page.Loads)
		}
	}
	w.pending = w.pending[:0]
}

// A linked is a slot in the table of a page's links, which holds one of the page at
// hand when its number is above those of the pages before. So nothing has to be
// cleared, and the table of most pages stays in the processor's cache.
type linked struct{ id, number uint32 }

// add takes in a link, unless the page has it.
func (w *worker) add(id uint32, leads bool) {
	slot := w.slot(id)
	if slot.number > w.count {
		w.links[slot.number-w.count-1] |= linkTo(0, leads)
		return
	}
	w.links = append(w.links, linkTo(id, leads))
	*slot = linked{id, w.count + uint32(len(w.links))}
	if 2*len(w.links) > len(w.unique) {
		w.unique = make([]linked, 2*len(w.unique))
		for i, l := range w.links {
			*w.slot(l.target()) = linked{l.target(), w.count + uint32(i) + 1}
		}
	}
}

// slot returns the slot of a target, or the one that it would have.
func (w *worker) slot(id uint32) *linked {
	last := uint32(len(w.unique) - 1)
	for i := id & last; ; i = (i + 1) & last {
		if s := &w.unique[i]; s.id == id || s.number <= w.count {
			return s
		}
	}
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
		if isForeign(bases, ref) {
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

// isForeign reports whether an address plainly is none of the site: it has another
// scheme, or another host.
func isForeign(bases []mapping.Base, ref []byte) bool {
	rest, found := bytes.CutPrefix(ref, []byte("//"))
	for _, scheme := range []string{"https://", "http://", "mailto:", "tel:", "data:", "javascript:"} {
		if !found && len(ref) >= len(scheme) && strings.EqualFold(string(ref[:len(scheme)]), scheme) {
			if rest, found = ref[len(scheme):], true; scheme[0] != 'h' {
				return true
			}
		}
	}
	host, _, _ := bytes.Cut(rest, []byte("/"))
	if !found || !isPlainHost(host) {
		return false
	}
	return !slices.ContainsFunc(bases, func(b mapping.Base) bool { return strings.EqualFold(b.Host(), string(host)) })
}

// isPlainHost reports whether a host has neither port nor encodings.
func isPlainHost(host []byte) bool {
	for _, c := range host {
		if c != '-' && c != '.' && (c < '0' || c > '9') && (c|0x20 < 'a' || c|0x20 > 'z') {
			return false
		}
	}
	return len(host) > 0
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

// Sort brings what was taken in into its order. It is for the time in which the
// site is folded, after the last page and before [Collector.Judge].
func (c *Collector) Sort() {
	c.others.sort()
	n := 0
	for _, w := range c.workers {
		for _, piece := range w.pages {
			n += len(piece)
		}
	}
	c.pages = make([]*pageLinks, 0, n)
	for _, w := range c.workers {
		for _, piece := range w.pages {
			for i := range piece {
				c.pages = append(c.pages, &piece[i])
			}
		}
	}
	slices.SortFunc(c.pages, func(a, b *pageLinks) int { return strings.Compare(a.file, b.file) })
	c.asked = make([]bool, c.targets.n)
	for _, p := range c.pages {
		for _, l := range p.links {
			c.asked[l.target()] = true
		}
	}
}

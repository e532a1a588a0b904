package audit

import (
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

// LinkOptions say what to look for.
type LinkOptions struct {
	Fragments bool // places within pages, too
	Depth     int  // report pages more links away from the home page; 0: none
	Places    bool // tell every place of a target that is in trouble, and not only the first three, a page each

	// Ignore, if not nil, reports whether a server answers a URL without a file.
	Ignore func(loc string) bool
}

// A LinkCollector gathers the links of the pages that it is given.
type LinkCollector struct {
	o       LinkOptions
	bases   []mapping.Base // what lies below them is the site's
	targets targets
	others  others
	workers []*worker

	pages []*pageLinks // sorted by file
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

// newLinkCollector returns a collector for the links of a site.
func newLinkCollector(o LinkOptions, s *facts.Options) *LinkCollector {
	n := max(fewWorkers, runtime.NumCPU()) // pages are read by more goroutines, which wait for files most of the time
	c := &LinkCollector{o: o, bases: []mapping.Base{s.Base}, workers: make([]*worker, n)}
	for _, p := range s.Sites {
		c.bases = append(c.bases, p.Base)
	}
	c.targets.init(s.Base.Origin())
	c.others = others{seed: maphash.MakeSeed(), met: make([][]uint64, walker.Workers(walker.Options{Jobs: s.Jobs}))}
	for i := range c.workers {
		w := &worker{o: o, refs: page.Refs{Anchors: o.Fragments}, bases: c.bases, targets: &c.targets, known: map[uint64]uint32{}}
		w.found = w.ref
		c.workers[i] = w
	}
	return c
}

// fewWorkers cost little, and on a small machine none has to wait for another.
const fewWorkers = 4

// Page takes in a page; it is for [facts.Options].
func (c *LinkCollector) Page(worker int, b facts.Body) {
	if b.Loc != "" {
		w := c.lock(worker)
		defer w.Unlock()
		w.page(b)
	}
}

// lock returns a worker for who has a number, one that is free if there is any.
func (c *LinkCollector) lock(number int) *worker {
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
func (c *LinkCollector) Other(worker int, file string) { c.others.add(worker, file) }

// A worker takes in pages, one at a time.
type worker struct {
	sync.Mutex
	o     LinkOptions
	refs  page.Refs
	pages []*pageLinks

	bases   []mapping.Base
	targets *targets
	known   map[uint64]uint32 // targets that it has met, by the hash of their keys: found without a lock
	path    []byte            // of place

	resolver        // of the addresses on the page at hand
	self     uint32 // that page
	found    func(page.Ref)
	links    []link   // of the page at hand, each once
	before   uint32   // links of the pages before
	last     []uint32 // of each target, which of all links led there last, from 1
	anchors  map[string]bool
	own      []string // fragments that the page links to itself
	moves    bool     // it refreshes to another
}

func (w *worker) page(b facts.Body) {
	w.begin(b.Loc)
	w.self = w.number([]byte(short(w.targets, b.Loc)))
	w.links, w.own, w.moves = w.links[:0], w.own[:0], false
	clear(w.anchors)
	w.refs.Find(b.Src, w.found)
	for _, f := range w.own {
		if !names(w.anchors, f) {
			w.add(w.number([]byte(short(w.targets, b.Loc)+f)), true)
		}
	}
	w.before += uint32(len(w.links))
	w.pages = append(w.pages, &pageLinks{b.File, w.self, w.moves, slices.Clone(w.links)})
}

func (w *worker) ref(r page.Ref) {
	switch r.Kind {
	case page.Names: // other findings are about them
		return
	case page.Anchor:
		if w.anchors == nil {
			w.anchors = map[string]bool{}
		}
		w.anchors[string(r.Value)] = true
		return
	case page.Base:
		w.rebase(w.bases[0], r.Value)
		return
	case page.Moves:
		w.moves = true
	}
	w.link(r)
}

// link takes in a link with any address.
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
		w.add(w.place(fragment), true)
	}
	if id != w.self {
		w.add(id, r.Kind != page.Loads)
	}
}

// add takes in a link, unless the page has it.
func (w *worker) add(id uint32, leads bool) {
	for int(id) >= len(w.last) {
		w.last = append(w.last, 0)
	}
	if n := w.last[id]; n > w.before {
		w.links[n-w.before-1] |= linkTo(0, leads)
		return
	}
	w.links = append(w.links, linkTo(id, leads))
	w.last[id] = w.before + uint32(len(w.links))
}

// Sort brings what was taken in into its order. It is for the time in which the
// site is folded, after the last page and before [LinkCollector.Judge].
func (c *LinkCollector) Sort() {
	c.others.sort()
	for _, w := range c.workers {
		c.pages = append(c.pages, w.pages...)
	}
	slices.SortFunc(c.pages, func(a, b *pageLinks) int { return strings.Compare(a.file, b.file) })
}

// asked reports whether a link leads to a target.
func (c *LinkCollector) asked(id int) bool {
	return slices.ContainsFunc(c.workers, func(w *worker) bool { return id < len(w.last) && w.last[id] > 0 })
}

package writer

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// measures are what the cut needs to know of each page: 13 bytes of it, so that
// no page is held while others are looked at.
type measures struct {
	*limits
	entries Entries
	sizes   []uint32 // in bytes, of the written entry
	flags   []uint8  // the extensions that it uses, bare and left
	hashes  []uint64 // of the URL below the base
	runs    []run    // in order
}

// A run is pages in a row that belong to one section; it ends where the next
// begins.
type run struct {
	key  string // see sections.of
	from int
	weight
}

const (
	bare uint8 = 1 << 6 // without its extensions, which no file can hold
	left uint8 = 1 << 7 // out of the sitemap, as no file can hold it
	uses       = bare - 1
)

// stride is how many pages one worker measures at a time.
const stride = 8192

// measure looks once at every page.
func measure(ctx context.Context, entries Entries, f *format, s *sections, l *limits) (*measures, diag.List) {
	n := entries.Len()
	m := &measures{
		limits: l, entries: entries,
		sizes: make([]uint32, n), flags: make([]uint8, n), hashes: make([]uint64, n),
	}
	runs := make([][]run, (n+stride-1)/stride)
	diags := make([]diag.List, len(runs))
	inParallel(len(runs), runtime.GOMAXPROCS(0), func() func(int) {
		g := gauge{measures: m, format: f, sections: s}
		return func(i int) {
			if ctx.Err() == nil {
				runs[i], diags[i] = g.stretch(i*stride, min(n, (i+1)*stride))
			}
		}
	})
	var all diag.List
	for i := range runs {
		m.runs = append(m.runs, runs[i]...)
		all = append(all, diags[i]...)
	}
	return m, all
}

// inParallel calls what worker returns with each number below n, on at most
// workers goroutines, and waits for them. worker is called once for each.
func inParallel(n, workers int, worker func() func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(n, workers) {
		wg.Go(func() {
			do := worker()
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				do(i)
			}
		})
	}
	wg.Wait()
}

// A gauge measures pages, for one goroutine.
type gauge struct {
	*measures
	format   *format
	sections *sections
	e        sitemap.Entry
	buf      []byte
	diags    diag.List
}

// stretch measures the pages from one number up to another.
func (g *gauge) stretch(from, to int) ([]run, diag.List) {
	g.diags = nil
	var runs []run
	for i := from; i < to; i++ {
		g.measure(i)
		key := g.sections.of(g.e.Loc)
		if i == from || key != runs[len(runs)-1].key {
			runs = append(runs, run{key: strings.Clone(key), from: i})
		}
		runs[len(runs)-1].add(g.weight(int32(i)))
	}
	return runs, g.diags
}

func (g *gauge) measure(i int) {
	g.entries.Entry(i, &g.e)
	g.hashes[i] = hash(g.sections.below(g.e.Loc))
	g.flags[i] = 0
	if g.format.extended {
		g.flags[i] = uint8(g.e.Extensions())
	}
	if g.weighs(i) {
		return
	}
	if g.flags[i]&uses != 0 {
		g.flags[i] = bare
		strip(&g.e)
		if g.weighs(i) {
			g.diags.Warnf(diag.Pos{}, "entry-too-large", "give the page fewer images, videos or alternates, or raise output.max_bytes",
				"%s with all it carries is more than a sitemap of %d bytes can hold; it is listed without images, videos, news and alternates", g.e.Loc, g.bytes)
			return
		}
	}
	g.flags[i], g.sizes[i] = left, 0
	g.diags.Errorf(diag.Pos{}, "url-too-large", "raise output.max_bytes",
		"%s alone is more than a sitemap of %d bytes can hold; it is left out", g.e.Loc, g.bytes)
}

// weighs takes the size of the page at i and reports whether a file can hold it.
func (g *gauge) weighs(i int) bool {
	g.buf = g.format.entry(g.buf[:0], &g.e)
	g.sizes[i] = uint32(len(g.buf))
	return g.fits(g.weight(int32(i)))
}

// strip takes from e what only extensions of the protocol can say.
func strip(e *sitemap.Entry) {
	e.URL = sitemap.URL{Loc: e.Loc, LastMod: e.LastMod, ChangeFreq: e.ChangeFreq, Priority: e.Priority}
}

// page fills *e with the page at i as it is to be written.
func (m *measures) page(i int32, e *sitemap.Entry) {
	m.entries.Entry(int(i), e)
	if m.flags[i]&bare != 0 {
		strip(e)
	}
}

// left returns how many pages are left out.
func (m *measures) left() (n int) {
	for _, f := range m.flags {
		if f&left != 0 {
			n++
		}
	}
	return n
}

// nothing is the error when every page is left out: an empty url set would take
// the place of what was there.
func (m *measures) nothing() error {
	return fmt.Errorf("no URL fits into a sitemap of %d bytes; raise output.max_bytes", m.bytes)
}

// weight returns the weight of the page at i, which is zero when it is left out.
func (m *measures) weight(i int32) weight {
	f := m.flags[i]
	if f&left != 0 {
		return weight{}
	}
	w := weight{urls: 1, bytes: int64(m.sizes[i]), uses: sitemap.Extensions(f & uses)}
	if w.uses&sitemap.NewsExt != 0 {
		w.news = 1
	}
	return w
}

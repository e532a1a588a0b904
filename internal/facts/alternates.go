package facts

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/sitewalk/sitewalk/sitemap"
)

// An altPool stores one copy of alternates that several pages share. The pages of a translation
// group have the same alternates. An altPool is safe for concurrent use.
type altPool struct {
	mu    sync.Mutex
	lists map[uint64][]sitemap.Alternate // by hashAlternates; collisions are practically impossible
}

var altSeed = maphash.MakeSeed()

// share returns the list in the pool that equals list. If the pool has none, share adds a copy of
// list. Lists in the pool are immutable.
func (p *altPool) share(list []sitemap.Alternate) []sitemap.Alternate {
	sum := hashAlternates(list)
	p.mu.Lock()
	defer p.mu.Unlock()
	known, ok := p.lists[sum]
	if !ok {
		if p.lists == nil {
			p.lists = map[uint64][]sitemap.Alternate{}
		}
		known = slices.Clone(list)
		p.lists[sum] = known
	}
	return known
}

// SortAlternates sorts alternates by language, with x-default last, and removes duplicates.
// Alternates of one language keep their order. SortAlternates modifies alts.
func SortAlternates(alts []sitemap.Alternate) []sitemap.Alternate {
	slices.SortStableFunc(alts, func(a, b sitemap.Alternate) int {
		last := func(a sitemap.Alternate) int {
			if a.Lang == "x-default" {
				return 1
			}
			return 0
		}
		return cmp.Or(cmp.Compare(last(a), last(b)), cmp.Compare(a.Lang, b.Lang))
	})
	return slices.Compact(alts)
}

// hashAlternates returns the hash of a list in its order.
func hashAlternates(list []sitemap.Alternate) uint64 {
	var h maphash.Hash
	h.SetSeed(altSeed)
	for _, a := range list {
		for _, s := range [...]string{a.Lang, a.Href} {
			_, _ = h.WriteString(s)
			_ = h.WriteByte(0)
		}
	}
	return h.Sum64()
}

// readAlternates copies the alternates of a page, resolved and sorted. Pages with the same
// alternates share one list.
func (l *learner) readAlternates(r *Page, loc string) {
	f := &l.says
	x := r.more()
	x.Lang = f.Lang
	l.alternates = l.alternates[:0]
	for _, a := range f.URL.Alternates {
		href, err := l.resolve(r, a.Href, loc)
		if err != nil {
			l.warn("bad-alternate", "give the absolute address of the page in that language",
				"alternate %q for %s is ignored: %v", a.Href, a.Lang, err)
			continue
		}
		l.alternates = append(l.alternates, sitemap.Alternate{Lang: a.Lang, Href: href})
	}
	if len(l.alternates) > 0 {
		x.Alternates = l.pool.share(SortAlternates(l.alternates))
	}
}

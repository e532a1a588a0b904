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
	lists map[uint64][]sitemap.Alternate // resolved alternates by hashAlternates; collisions are practically impossible
}

var altSeed = maphash.MakeSeed()

// share returns the list in the pool with the hash sum. If the pool has none, share adds list.
// Lists in the pool are immutable.
func (s *altPool) share(sum uint64, list []sitemap.Alternate) []sitemap.Alternate {
	s.mu.Lock()
	defer s.mu.Unlock()
	if known, ok := s.lists[sum]; ok {
		return known
	}
	if s.lists == nil {
		s.lists = map[uint64][]sitemap.Alternate{}
	}
	s.lists[sum] = list
	return list
}

// find returns the list in the pool with the hash sum, or nil. sum is the hash of the
// alternates as a page wrote them.
func (s *altPool) find(sum uint64) []sitemap.Alternate {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lists[sum]
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

// alternates copies the alternates of a page, resolved and sorted. Pages with the same alternates
// share one list.
func (l *learner) alternates(r *Page, loc string) {
	f := &l.says
	x := r.more()
	x.Lang = f.Lang
	if x.Alternates = l.shared.find(hashAlternates(f.URL.Alternates)); x.Alternates != nil {
		return
	}
	list := make([]sitemap.Alternate, 0, len(f.URL.Alternates))
	for _, a := range f.URL.Alternates {
		href, err := l.resolve(r, a.Href, loc)
		if err != nil {
			l.warn("bad-alternate", "give the absolute address of the page in that language",
				"alternate %q for %s is ignored: %v", a.Href, a.Lang, err)
			continue
		}
		list = append(list, sitemap.Alternate{Lang: a.Lang, Href: href})
	}
	if len(list) > 0 {
		x.Alternates = l.shared.share(hashAlternates(list), SortAlternates(list))
	}
}

package facts

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/sitewalk/sitewalk/sitemap"
)

// An altPool keeps one copy of alternates that several pages name: the pages of
// one group name the same ones, and a large site has many groups. It is safe
// for concurrent use.
type altPool struct {
	mu    sync.Mutex
	lists map[uint64][]sitemap.Alternate // by the hash of their text, with addresses resolved; two lists next to never share one
}

var altSeed = maphash.MakeSeed()

// share returns the list from the pool whose hash is sum, or adds this one to the pool.
// Lists in the pool are never modified.
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

// find returns the list of an earlier page that wrote the same, by the hash of what is
// written; nil if there is none. Lists in the pool are resolved.
func (s *altPool) find(sum uint64) []sitemap.Alternate {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lists[sum]
}

// SortAlternates orders alternates by language, x-default last, each once. Two
// of one language stay in the order in which they are written.
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

func (l *learner) alternates(r *Page, loc string) {
	f := &l.says
	x := r.more()
	if x.Lang = f.Lang; l.same != nil {
		x.Alternates = l.same
		return
	}
	l.alts = l.alts[:0]
	for _, a := range f.URL.Alternates {
		href, err := l.resolve(r, a.Href, loc)
		if err != nil {
			l.warn("bad-alternate", "give the absolute address of the page in that language",
				"alternate %q for %s is ignored: %v", a.Href, a.Lang, err)
			continue
		}
		l.alts = append(l.alts, sitemap.Alternate{Lang: a.Lang, Href: href})
	}
	if x.Alternates = f.URL.Alternates; !slices.Equal(l.alts, f.URL.Alternates) {
		l.moved.Set(l.alts)
		x.Alternates, l.sum = l.moved.List(loc), maphash.Bytes(altSeed, l.moved.Text())
	}
	if len(x.Alternates) > 0 {
		x.Alternates = l.shared.share(l.sum, SortAlternates(x.Alternates))
	}
}

package facts

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// An altPool keeps one copy of alternates that several pages name: the pages of
// one group name the same ones, and a large site has many groups. It is safe
// for concurrent use.
type altPool struct {
	seed   maphash.Seed
	shards [64]struct {
		sync.Mutex
		lists map[uint64][]sitemap.Alternate
	}
}

func newAltPool() *altPool { return &altPool{seed: maphash.MakeSeed()} }

// of returns equal alternates. Of those it is given it keeps nothing, but perhaps all
// that was written, if that is the same.
func (s *altPool) of(alts, written []sitemap.Alternate) []sitemap.Alternate {
	var h maphash.Hash
	h.SetSeed(s.seed)
	for i := range alts {
		h.WriteString(alts[i].Lang)
		h.WriteByte(0)
		h.WriteString(alts[i].Href)
		h.WriteByte(0)
	}
	sum := h.Sum64()
	shard := &s.shards[sum%uint64(len(s.shards))]
	shard.Lock()
	defer shard.Unlock()
	known := shard.lists[sum]
	if known != nil && slices.Equal(known, alts) {
		return known
	}
	own := written
	if !slices.Equal(alts, written) || repeats(alts) {
		own = packed(alts)
	}
	if known == nil { // two lists of one hash are next to never
		if shard.lists == nil {
			shard.lists = map[uint64][]sitemap.Alternate{}
		}
		shard.lists[sum] = own
	}
	return own
}

// find returns what of has returned for alternates that are written so, nil when
// there is none. They are resolved, then, and so are those of the page at hand,
// without regard to where they stand.
func (s *altPool) find(written *page.Alternates) []sitemap.Alternate {
	var h maphash.Hash
	h.SetSeed(s.seed)
	for i := range written.Len() {
		lang, href := written.At(i)
		h.Write(lang)
		h.WriteByte(0)
		h.Write(href)
		h.WriteByte(0)
	}
	sum := h.Sum64()
	shard := &s.shards[sum%uint64(len(s.shards))]
	shard.Lock()
	known := shard.lists[sum]
	shard.Unlock()
	if len(known) != written.Len() {
		return nil
	}
	for i, a := range known {
		if lang, href := written.At(i); a.Lang != string(lang) || a.Href != string(href) {
			return nil
		}
	}
	return known
}

// packed returns a copy of alternates whose texts are one piece of memory, that of an
// address which several languages name once.
func packed(some []sitemap.Alternate) []sitemap.Alternate {
	size := 0
	for i := range some {
		size += len(some[i].Lang) + len(some[i].Href) // at most
	}
	var text strings.Builder
	text.Grow(size)
	for i := range some {
		text.WriteString(some[i].Lang)
		if repeated(some, i) < 0 {
			text.WriteString(some[i].Href)
		}
	}
	rest := text.String()
	cut := func(n int) (s string) {
		s, rest = rest[:n], rest[n:]
		return s
	}
	list := make([]sitemap.Alternate, len(some))
	for i := range some {
		list[i].Lang = cut(len(some[i].Lang))
		if j := repeated(some, i); j >= 0 {
			list[i].Href = list[j].Href
		} else {
			list[i].Href = cut(len(some[i].Href))
		}
	}
	return list
}

func repeats(some []sitemap.Alternate) bool {
	return slices.ContainsFunc(some, func(a sitemap.Alternate) bool { return a.Lang == "x-default" })
}

// repeated returns the number of an earlier alternate with the address of the one at
// i, -1 without one. Only x-default is one of the others as a rule.
func repeated(some []sitemap.Alternate, i int) int {
	if some[i].Lang != "x-default" {
		return -1
	}
	return slices.IndexFunc(some[:i], func(a sitemap.Alternate) bool { return a.Href == some[i].Href })
}

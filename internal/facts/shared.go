package facts

import (
	"hash/maphash"
	"slices"
	"strings"
	"sync"

	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A shared keeps alternates once that several pages name: the pages of one group
// name the same ones, and a large site has many groups. It is safe for concurrent
// use.
type shared struct {
	seed   maphash.Seed
	shards [64]struct {
		sync.Mutex
		urls map[uint64]*sitemap.URL
	}
}

func newShared() *shared { return &shared{seed: maphash.MakeSeed()} }

// of returns a URL that has equal alternates and nothing else. Of those it is given
// it keeps nothing, but perhaps all that was written, if that is the same.
func (s *shared) of(alts, written []sitemap.Alternate) *sitemap.URL {
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
	u := shard.urls[sum]
	if u != nil && slices.Equal(u.Alternates, alts) {
		return u
	}
	own := &sitemap.URL{Alternates: written}
	if !slices.Equal(alts, written) {
		own.Alternates = packed(alts)
	}
	if u == nil { // two lists of one hash are next to never
		if shard.urls == nil {
			shard.urls = map[uint64]*sitemap.URL{}
		}
		shard.urls[sum] = own
	}
	return own
}

// find returns what of has returned for alternates that are written so, nil when
// there is none. They are resolved, then, and so are those of the page at hand,
// without regard to where they stand.
func (s *shared) find(written *page.Alternates) *sitemap.URL {
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
	u := shard.urls[sum]
	shard.Unlock()
	if u == nil || len(u.Alternates) != written.Len() {
		return nil
	}
	for i, a := range u.Alternates {
		if lang, href := written.At(i); a.Lang != string(lang) || a.Href != string(href) {
			return nil
		}
	}
	return u
}

// packed returns a copy of alternates whose texts are one piece of memory.
func packed(some []sitemap.Alternate) []sitemap.Alternate {
	n := 0
	for i := range some {
		n += len(some[i].Lang) + len(some[i].Href)
	}
	var text strings.Builder
	text.Grow(n)
	for i := range some {
		text.WriteString(some[i].Lang)
		text.WriteString(some[i].Href)
	}
	rest := text.String()
	cut := func(n int) (s string) {
		s, rest = rest[:n], rest[n:]
		return s
	}
	list := make([]sitemap.Alternate, len(some))
	for i := range some {
		list[i] = sitemap.Alternate{Lang: cut(len(some[i].Lang)), Href: cut(len(some[i].Href))}
	}
	return list
}

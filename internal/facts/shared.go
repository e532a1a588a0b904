package facts

import (
	"hash/maphash"
	"slices"
	"sync"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A shared keeps lists of alternates once that several pages name: the pages of one
// group name the same ones, and a large site has many groups. It is safe for
// concurrent use.
type shared struct {
	seed   maphash.Seed
	shards [64]struct {
		sync.Mutex
		lists map[uint64][]sitemap.Alternate
	}
}

func newShared() *shared { return &shared{seed: maphash.MakeSeed()} }

// list returns alternates that are equal to some, and keeps nothing of those.
func (s *shared) list(some []sitemap.Alternate) []sitemap.Alternate {
	var h maphash.Hash
	h.SetSeed(s.seed)
	for i := range some {
		h.WriteString(some[i].Lang)
		h.WriteByte(0)
		h.WriteString(some[i].Href)
		h.WriteByte(0)
	}
	sum := h.Sum64()
	shard := &s.shards[sum%uint64(len(s.shards))]
	shard.Lock()
	defer shard.Unlock()
	list, there := shard.lists[sum]
	if there && slices.Equal(list, some) {
		return list
	}
	list = packed(some)
	if !there { // lists of one hash are next to never
		if shard.lists == nil {
			shard.lists = map[uint64][]sitemap.Alternate{}
		}
		shard.lists[sum] = list
	}
	return list
}

// packed returns a copy of alternates whose texts are one piece of memory.
func packed(some []sitemap.Alternate) []sitemap.Alternate {
	var text []byte
	for i := range some {
		text = append(append(text, some[i].Lang...), some[i].Href...)
	}
	rest := string(text)
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

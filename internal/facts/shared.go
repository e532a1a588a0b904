package facts

import (
	"hash/maphash"
	"slices"
	"sync"

	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// An altPool keeps one copy of alternates that several pages name: the pages of
// one group name the same ones, and a large site has many groups. It is safe
// for concurrent use.
type altPool struct {
	seed   maphash.Seed
	shards [64]altShard
}

type altShard struct {
	sync.Mutex
	lists map[uint64]*[]sitemap.Alternate // by hash: two lists of one are next to never
}

func newAltPool() *altPool { return &altPool{seed: maphash.MakeSeed()} }

func (s *altPool) shard(sum uint64) *altShard { return &s.shards[sum%uint64(len(s.shards))] }

func (s *altPool) hash(alts *page.Alternates) uint64 {
	var h maphash.Hash
	h.SetSeed(s.seed)
	for i := range alts.Len() {
		lang, href := alts.At(i)
		h.Write(lang)
		h.WriteByte(0)
		h.Write(href)
		h.WriteByte(0)
	}
	return h.Sum64()
}

// share makes a list, whose hash is sum, the one that is known already if they are
// equal; else the list at that place may become others'. It changes no more.
func (s *altPool) share(sum uint64, list *[]sitemap.Alternate) {
	shard := s.shard(sum)
	shard.Lock()
	defer shard.Unlock()
	switch known := shard.lists[sum]; {
	case known == nil:
		if shard.lists == nil {
			shard.lists = map[uint64]*[]sitemap.Alternate{}
		}
		shard.lists[sum] = list
	case slices.Equal(*known, *list):
		*list = *known
	}
}

// find returns the list that is shared and just this, nil when there is none. Its
// alternates are resolved, then, and so are these, without regard to where they stand.
func (s *altPool) find(sum uint64, alts *page.Alternates) []sitemap.Alternate {
	shard := s.shard(sum)
	shard.Lock()
	known := shard.lists[sum]
	shard.Unlock()
	if known == nil || len(*known) != alts.Len() {
		return nil
	}
	for i, a := range *known {
		if lang, href := alts.At(i); a.Lang != string(lang) || a.Href != string(href) {
			return nil
		}
	}
	return *known
}

package links

import (
	"hash/maphash"
	"sync"
)

// targets give each address a number. They are shared by all workers.
type targets struct {
	seed   maphash.Seed
	shards [shards]shard
}

const (
	shardBits = 6
	shards    = 1 << shardBits
)

type shard struct {
	mu   sync.Mutex
	ids  map[string]uint32
	keys []string
}

func (t *targets) init() {
	t.seed = maphash.MakeSeed()
	for i := range t.shards {
		t.shards[i].ids = map[string]uint32{}
	}
}

// id returns the number of an address.
func (t *targets) id(key []byte) uint32 {
	n := maphash.Bytes(t.seed, key) & (shards - 1)
	s := &t.shards[n]
	s.mu.Lock()
	defer s.mu.Unlock()
	if id, ok := s.ids[string(key)]; ok {
		return id
	}
	kept := string(key)
	id := uint32(len(s.keys))<<shardBits | uint32(n)
	s.ids[kept] = id
	s.keys = append(s.keys, kept)
	return id
}

// key returns the address of a number.
func (t *targets) key(id uint32) string { return t.shards[id&(shards-1)].keys[id>>shardBits] }

// find returns the number of an address that has one.
func (t *targets) find(key string) (uint32, bool) {
	s := &t.shards[maphash.String(t.seed, key)&(shards-1)]
	id, ok := s.ids[key]
	return id, ok
}

// max is more than any number.
func (t *targets) max() int {
	n := 0
	for i := range t.shards {
		n = max(n, len(t.shards[i].keys))
	}
	return n << shardBits
}

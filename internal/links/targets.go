package links

import (
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
)

// targets give each address a number, from 0. All workers share them, and most of
// what these ask for is there: to find it takes no lock.
type targets struct {
	origin string // of the site: below it an address is kept as its path, as most pages write it
	seed   maphash.Seed
	slots  atomic.Pointer[[]atomic.Uint64] // a power of two; half a hash, and the number from 1
	keys   [1 << 12]atomic.Pointer[chunk]

	mu sync.Mutex // of what follows, and of all that writes
	n  uint32
}

// A chunk is addresses that never move.
type chunk [1 << chunkBits]string

const chunkBits = 14

// elsewhere is the number of what is not the site's.
const elsewhere = ^uint32(0)

func (t *targets) init(origin string) {
	t.origin, t.seed = origin, maphash.MakeSeed()
	slots := make([]atomic.Uint64, 1<<12)
	t.slots.Store(&slots)
}

// find returns the number of a key, or elsewhere where it has none.
func (t *targets) find(key []byte) uint32 { return t.at(key, maphash.Bytes(t.seed, key)) }

func (t *targets) at(key []byte, hash uint64) uint32 {
	slots := *t.slots.Load()
	last := uint64(len(slots) - 1)
	for i := hash & last; ; i = (i + 1) & last {
		s := slots[i].Load()
		if s == 0 {
			return elsewhere
		}
		if id := uint32(s) - 1; s>>32 == hash>>32 && t.key(id) == string(key) {
			return id
		}
	}
}

// add returns the number of a key, which it has from now on. More than there is
// room for, sixty-seven million, are elsewhere.
func (t *targets) add(key []byte) uint32 {
	hash := maphash.Bytes(t.seed, key)
	t.mu.Lock()
	defer t.mu.Unlock()
	id := t.at(key, hash)
	if id != elsewhere || t.n>>chunkBits == uint32(len(t.keys)) {
		return id
	}
	id = t.n
	t.n++
	in := &t.keys[id>>chunkBits]
	if in.Load() == nil {
		in.Store(new(chunk))
	}
	in.Load()[id&(1<<chunkBits-1)] = string(key)
	if slots := *t.slots.Load(); int(t.n) > len(slots)/2 {
		t.grow(2 * len(slots))
	} else {
		put(slots, hash, id)
	}
	return id
}

// put takes in a number that no slot has.
func put(slots []atomic.Uint64, hash uint64, id uint32) {
	last := uint64(len(slots) - 1)
	i := hash & last
	for slots[i].Load() != 0 {
		i = (i + 1) & last
	}
	slots[i].Store(hash>>32<<32 | uint64(id+1))
}

// grow makes room for more.
func (t *targets) grow(n int) {
	slots := make([]atomic.Uint64, n)
	for id := range t.n {
		put(slots, maphash.String(t.seed, t.key(id)), id)
	}
	t.slots.Store(&slots)
}

// key returns the key of a number.
func (t *targets) key(id uint32) string {
	return t.keys[id>>chunkBits].Load()[id&(1<<chunkBits-1)]
}

// loc returns the address of a number.
func (t *targets) loc(id uint32) string {
	key := t.key(id)
	if key[0] == '/' {
		return t.origin + key
	}
	return key
}

// named returns the number of an address, or elsewhere where it has none.
func (t *targets) named(loc string) uint32 { return t.find([]byte(t.short(loc))) }

// short returns an address as it is kept.
func (t *targets) short(loc string) string {
	if path, ok := strings.CutPrefix(loc, t.origin); ok && strings.HasPrefix(path, "/") {
		return path
	}
	return loc
}

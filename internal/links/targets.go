package links

import (
	"hash/maphash"
	"strings"
	"sync"
	"sync/atomic"
)

// targets give each address a number, from 0. All workers share them, and most of
// what these ask for is there: to find it takes no lock, and reads memory in one
// place. Addresses of one hash are taken for one: of a million, two have one in
// one run of forty million, and the next run has another seed.
type targets struct {
	origin string // of the site: below it an address is kept as its path, as most pages write it
	seed   maphash.Seed
	slots  atomic.Pointer[[]slot] // a power of two
	keys   [1 << 12]atomic.Pointer[chunk]

	mu sync.Mutex // of what follows, and of all that writes
	n  uint32
}

// A slot has the number of an address from when its hash is not 0.
type slot struct {
	hash atomic.Uint64
	id   uint32
}

// A chunk is addresses that never move.
type chunk [1 << chunkBits]string

const chunkBits = 14

// elsewhere is the number of what is not the site's.
const elsewhere = ^uint32(0)

func (t *targets) init(origin string) {
	t.origin, t.seed = origin, maphash.MakeSeed()
	slots := make([]slot, 1<<12)
	t.slots.Store(&slots)
}

// hash returns the hash of a key, which is never 0.
func (t *targets) hash(key []byte) uint64 { return max(1, maphash.Bytes(t.seed, key)) }

// hashString is hash for a string.
func (t *targets) hashString(key string) uint64 { return max(1, maphash.String(t.seed, key)) }

// find returns the number of a key, or elsewhere where it has none.
func (t *targets) find(key []byte) uint32 { return t.at(t.hash(key)) }

func (t *targets) at(hash uint64) uint32 {
	slots := *t.slots.Load()
	last := uint64(len(slots) - 1)
	for i := hash & last; ; i = (i + 1) & last {
		switch slots[i].hash.Load() {
		case hash:
			return slots[i].id
		case 0:
			return elsewhere
		}
	}
}

// add returns the number of a key, which it has from now on, and keeps the key.
// More than there is room for, sixty-seven million, are elsewhere.
func (t *targets) add(key string) uint32 {
	hash := t.hashString(key)
	t.mu.Lock()
	defer t.mu.Unlock()
	id := t.at(hash)
	if id != elsewhere || t.n>>chunkBits == uint32(len(t.keys)) {
		return id
	}
	id = t.n
	t.n++
	in := &t.keys[id>>chunkBits]
	if in.Load() == nil {
		in.Store(new(chunk))
	}
	in.Load()[id&(1<<chunkBits-1)] = key
	if slots := *t.slots.Load(); int(t.n) > len(slots)/2 {
		t.grow(slots)
	}
	put(*t.slots.Load(), hash, id)
	return id
}

// put takes in a number that no slot has.
func put(slots []slot, hash uint64, id uint32) {
	last := uint64(len(slots) - 1)
	i := hash & last
	for slots[i].hash.Load() != 0 {
		i = (i + 1) & last
	}
	slots[i].id = id
	slots[i].hash.Store(hash)
}

// grow makes room for more.
func (t *targets) grow(old []slot) {
	slots := make([]slot, 2*len(old))
	for i := range old {
		if hash := old[i].hash.Load(); hash != 0 {
			put(slots, hash, old[i].id)
		}
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
func (t *targets) named(loc string) uint32 { return t.at(t.hashString(t.short(loc))) }

// short returns an address as it is kept.
func (t *targets) short(loc string) string {
	if path, ok := strings.CutPrefix(loc, t.origin); ok && strings.HasPrefix(path, "/") {
		return path
	}
	return loc
}

// shortBytes is short for bytes.
func (t *targets) shortBytes(loc []byte) []byte {
	if n := len(t.origin); len(loc) > n && string(loc[:n]) == t.origin && loc[n] == '/' {
		return loc[n:]
	}
	return loc
}

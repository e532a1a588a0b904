package audit

import (
	"hash/maphash"
	"sync"
)

// targets give each address a number, from 0, which all workers share.
type targets struct {
	origin string       // of the site: below it an address is kept as its path, as most pages write it
	seed   maphash.Seed // of the hashes of keys, which two of them next to never share

	mu   sync.Mutex        // for add
	ids  map[uint64]uint32 // by the hashes of the keys
	keys []string          // by number
}

// elsewhere is the number of what is not the site's.
const elsewhere = ^uint32(0)

func (t *targets) init(origin string) {
	t.origin, t.ids, t.seed = origin, map[uint64]uint32{}, maphash.MakeSeed()
}

// add returns the number of a key with a hash, which it has from now on.
func (t *targets) add(hash uint64, key []byte) uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	id, ok := t.ids[hash]
	if !ok {
		id = uint32(len(t.keys))
		t.ids[hash] = id
		t.keys = append(t.keys, string(key))
	}
	return id
}

// loc returns the address of a number, once no worker adds any.
func (t *targets) loc(id uint32) string {
	key := t.keys[id]
	if key[0] == '/' {
		return t.origin + key
	}
	return key
}

// named returns the number of an address, or elsewhere where it has none, once no worker
// adds any.
func (t *targets) named(loc string) uint32 {
	if id, ok := t.ids[maphash.String(t.seed, short(t, loc))]; ok {
		return id
	}
	return elsewhere
}

// short returns an address as it is kept.
func short[T string | []byte](t *targets, loc T) T {
	if n := len(t.origin); len(loc) > n && string(loc[:n]) == t.origin && loc[n] == '/' {
		return loc[n:]
	}
	return loc
}

package links

import (
	"strings"
	"sync"
)

// targets give each address a number, from 0, which all workers share.
type targets struct {
	origin string // of the site: below it an address is kept as its path, as most pages write it

	mu   sync.RWMutex
	ids  map[string]uint32
	keys []string // by number
}

// elsewhere is the number of what is not the site's.
const elsewhere = ^uint32(0)

func (t *targets) init(origin string) { t.origin, t.ids = origin, map[string]uint32{} }

// find returns the number of a key, or elsewhere if it has none.
func (t *targets) find(key []byte) uint32 {
	t.mu.RLock()
	defer t.mu.RUnlock()
	if id, ok := t.ids[string(key)]; ok {
		return id
	}
	return elsewhere
}

// add returns the number of a key, which it has from now on.
func (t *targets) add(key string) uint32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	id, ok := t.ids[key]
	if !ok {
		id = uint32(len(t.keys))
		t.ids[key] = id
		t.keys = append(t.keys, key)
	}
	return id
}

// key returns the key of a number, once no worker adds any.
func (t *targets) key(id uint32) string { return t.keys[id] }

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

// shortBytes is short for bytes.
func (t *targets) shortBytes(loc []byte) []byte {
	if n := len(t.origin); len(loc) > n && string(loc[:n]) == t.origin && loc[n] == '/' {
		return loc[n:]
	}
	return loc
}

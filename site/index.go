package site

import (
	"hash/maphash"
	"sync"
)

// An index finds records by a name that can be made of them, and holds no names:
// a site may have a million. It is made when it is asked for the first time, and
// safe for concurrent use.
type index struct {
	name  func(r *record) (name string, ok bool) // ok: it may be found
	once  sync.Once
	seed  maphash.Seed
	slots []slot // open addressing; of one name the last record
	all   []record
}

// A slot is one record, by the hash of its name.
type slot struct{ hash, next uint32 } // next is 1 + the number of the record; 0: empty

func newIndex(all []record, name func(r *record) (string, bool)) *index {
	return &index{name: name, all: all}
}

// find returns the last record of that name, or nil.
func (x *index) find(name string) *record {
	x.once.Do(x.fill)
	if s := x.slot(name); s.next > 0 {
		return &x.all[s.next-1]
	}
	return nil
}

func (x *index) fill() {
	size := 8
	for 3*size < 4*len(x.all) { // three of four slots are taken at most
		size *= 2
	}
	x.seed, x.slots = maphash.MakeSeed(), make([]slot, size)
	for i := range x.all {
		if name, ok := x.name(&x.all[i]); ok {
			s := x.slot(name)
			s.hash, s.next = x.hash(name), uint32(i)+1
		}
	}
}

func (x *index) hash(name string) uint32 { return uint32(maphash.String(x.seed, name)) }

// slot returns that of the name, or the empty one where it belongs.
func (x *index) slot(name string) *slot {
	h := x.hash(name)
	for at := h; ; at++ {
		s := &x.slots[int(at)&(len(x.slots)-1)]
		if s.next == 0 || s.hash == h && x.matches(s, name) {
			return s
		}
	}
}

func (x *index) matches(s *slot, name string) bool {
	own, _ := x.name(&x.all[s.next-1])
	return own == name
}

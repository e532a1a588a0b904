package site

import (
	"hash/maphash"
	"sync"

	"github.com/sitewalk/sitewalk/mapping"
)

// An index finds records by a name that can be made of them, and holds no names:
// a site may have a million. It is made when it is asked for the first time, and
// safe for concurrent use.
type index struct {
	name  func(r *Page) (name string, ok bool) // ok: it may be found
	once  sync.Once
	seed  maphash.Seed
	slots []slot // open addressing; of one name the last record
	all   []Page
}

// A slot is one record, by the hash of its name.
type slot struct{ hash, next uint32 } // next is 1 + the number of the record; 0: empty

func newIndex(all []Page, name func(r *Page) (string, bool)) *index {
	return &index{name: name, all: all}
}

// indexLocs finds pages by the URL that their file alone gives them.
func (w *World) indexLocs(pages []Page) *index {
	return newIndex(pages, func(r *Page) (string, bool) {
		loc, err := w.Mapped(r)
		return loc, err == nil
	})
}

// indexSpellings finds pages by the spelling of their path.
func (w *World) indexSpellings(pages []Page) *index {
	return newIndex(pages, func(r *Page) (string, bool) { return mapping.Spelling(w.Path(r)), true })
}

// find returns the last record of that name, or nil.
func (x *index) find(name string) *Page {
	x.once.Do(x.fill)
	if s := x.slot(x.hash(name), func() string { return name }); s.next > 0 {
		return &x.all[s.next-1]
	}
	return nil
}

// fill makes the names on all processors, which takes most of the time: whoever asks
// first is waited for by all others.
func (x *index) fill() {
	size := 8
	for 3*size < 4*len(x.all) { // three of four slots are taken at most
		size *= 2
	}
	x.seed, x.slots = maphash.MakeSeed(), make([]slot, size)
	hashes := make([]uint32, len(x.all))
	inParts(len(x.all), func(from, to int) (_ struct{}) {
		for i := from; i < to; i++ {
			if name, ok := x.name(&x.all[i]); ok {
				hashes[i] = x.hash(name)
			}
		}
		return
	})
	for i, h := range hashes {
		if h != 0 {
			*x.slot(h, func() string { return x.nameOf(i) }) = slot{h, uint32(i) + 1}
		}
	}
}

// hash returns that of a name, never 0.
func (x *index) hash(name string) uint32 { return uint32(maphash.String(x.seed, name)) | 1 }

// slot returns that of a name with the hash h, or the empty one where it belongs. It
// asks for the name only where there is one of that hash.
func (x *index) slot(h uint32, name func() string) *slot {
	for at := h >> 1; ; at++ {
		s := &x.slots[int(at)&(len(x.slots)-1)]
		if s.next == 0 || s.hash == h && x.nameOf(int(s.next-1)) == name() {
			return s
		}
	}
}

func (x *index) nameOf(i int) string {
	name, _ := x.name(&x.all[i])
	return name
}

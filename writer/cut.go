package writer

import (
	"fmt"
	"math/bits"
)

// A leaf is one file's share of a section.
type leaf struct {
	slot  uint64 // the lowest hash that belongs here, which no other leaf has
	pages []int32
	weight
}

// cut divides a leaf into leaves that fit, and appends them to leaves.
//
// Each leaf holds the pages whose hashes end in the same bits, and is cut in two
// by one more bit when it does not fit. So the cut is a function of the set of
// URLs alone; one page more or less changes one leaf, a full leaf splits in two,
// and the half that keeps the slot keeps its name. depth bits are common to all
// pages of l, and are those of its slot.
func (m *measures) cut(leaves []leaf, l leaf, depth int) ([]leaf, error) {
	if l.urls == 0 {
		return leaves, nil
	}
	if m.fits(l.weight) {
		return append(leaves, l), nil
	}
	if depth == 64 {
		return nil, fmt.Errorf("%d pages have one hash and do not fit into one file", l.urls)
	}
	low, high := m.divide(l, depth)
	leaves, err := m.cut(leaves, low, depth+1)
	if err != nil {
		return nil, err
	}
	return m.cut(leaves, high, depth+1)
}

// divide returns the leaves of the pages without and with the bit in their
// hashes, in the order they were in.
func (m *measures) divide(l leaf, bit int) (low, high leaf) {
	half := len(l.pages)/2 + len(l.pages)/16
	low = leaf{slot: l.slot, pages: make([]int32, 0, half)}
	high = leaf{slot: l.slot | 1<<bit, pages: make([]int32, 0, half)}
	for _, i := range l.pages {
		to := &low
		if m.hashes[i]>>bit&1 == 1 {
			to = &high
		}
		to.pages = append(to.pages, i)
		to.add(m.weight(i))
	}
	return low, high
}

// hash spreads s evenly over 64 bits. Where a sitemap is cut, and which children
// are downloaded again after an update of this program, depends on it: it must
// never change.
func hash(s string) uint64 {
	const p0, p1 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db
	h := uint64(len(s)) * p1
	if len(s) < 8 {
		var w uint64
		for i := range len(s) {
			w |= uint64(s[i]) << (8 * i)
		}
		return mix(mix(h^w, p1), p0)
	}
	last := word(s[len(s)-8:])
	for ; len(s) > 8; s = s[8:] {
		h = mix(h^word(s), p0)
	}
	return mix(mix(h^last, p1), p0)
}

// word returns the first eight bytes of s, the lowest first. Compilers read them
// at once.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

package site

import (
	"cmp"
	"slices"
)

// Find returns the page with a URL, or where it would be.
func (l List) Find(loc string) (i int, ok bool) {
	return findLoc(l.records, loc)
}

// findLoc returns where a URL is in records that are sorted by theirs.
func findLoc(records []*record, loc string) (i int, ok bool) {
	return slices.BinarySearchFunc(records, loc, func(r *record, loc string) int { return cmp.Compare(r.loc, loc) })
}

// FindNear is Find for who looks for URLs mostly in their order: near is the number
// of the page that it expects, any number if it has no idea. Where there is no
// such page, i is where it would be.
func (l List) FindNear(loc string, near int) (i int, ok bool) {
	if near < len(l.records) && l.records[near].loc == loc {
		return near, true
	}
	return l.Find(loc)
}

package audit

import (
	"hash/maphash"
	"slices"
)

// others are the files of the site that are no pages, by the hashes of their paths:
// images, scripts, documents, of which a site may have millions. A path that has
// the hash of another is as rare as for targets.
type others struct {
	seed maphash.Seed
	met  [][]uint64 // by worker
	all  []uint64   // sorted
}

// add takes in a file, from one of several goroutines.
func (o *others) add(worker int, file string) {
	o.met[worker] = append(o.met[worker], maphash.String(o.seed, file))
}

// sort makes has ready.
func (o *others) sort() {
	o.all = slices.Concat(o.met...)
	o.met = nil
	slices.Sort(o.all)
}

// has reports whether a file was taken in.
func (o *others) has(file string) bool {
	_, ok := slices.BinarySearch(o.all, maphash.String(o.seed, file))
	return ok
}

package live

import (
	"bytes"
	"crypto/sha256"
	"maps"
	"slices"
	"strings"
)

// Sample returns n requests of a plan, in its order: from each section of the site, which
// is the first folder of its addresses, as many as from any other as long as it has some.
// The same plan gives the same sample; 0 takes all.
func Sample(plan []Request, n int) []Request {
	if n <= 0 || n >= len(plan) {
		return plan
	}
	// The order of their hashes has nothing to do with their names.
	hashes, order := make([][sha256.Size]byte, len(plan)), make([]int, len(plan))
	for i := range plan {
		hashes[i], order[i] = sha256.Sum256([]byte(plan[i].URL)), i
	}
	slices.SortFunc(order, func(a, b int) int { return bytes.Compare(hashes[a][:], hashes[b][:]) })
	sections := map[string][]int{}
	for _, i := range order {
		s := sectionOf(plan[i].URL)
		sections[s] = append(sections[s], i)
	}
	names := slices.Sorted(maps.Keys(sections))
	var taken []int
	for round := 0; len(taken) < n; round++ {
		for _, name := range names {
			if of := sections[name]; round < len(of) && len(taken) < n {
				taken = append(taken, of[round])
			}
		}
	}
	slices.Sort(taken)
	out := make([]Request, 0, n)
	for _, i := range taken {
		out = append(out, plan[i])
	}
	return out
}

// sectionOf returns an address up to the end of its first folder.
func sectionOf(loc string) string {
	scheme, rest, _ := strings.Cut(loc, "://")
	host, path, _ := strings.Cut(rest, "/")
	folder, _, ok := strings.Cut(path, "/")
	if !ok {
		folder = ""
	}
	return scheme + "://" + host + "/" + folder
}

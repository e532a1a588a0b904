package hosting

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// robots are the rules of robots.txt for all agents, those that decide before
// others first: the longest pattern, and Allow where two are equally long.
//
// A site may have thousands of rules and of pages, so that not each rule can be
// tried on each path. Nearly all patterns have four bytes in a row that stand
// in every path that they match, and are tried on the paths that have them.
type robots struct {
	rules  []robotsRule
	byGram map[gram][]int32 // the rules whose matches have the bytes, in order
	others []int32          // the rules that are tried on every path, in order
}

// A gram is four bytes in a row.
type gram [4]byte

func gramAt(s string, i int) gram { return gram{s[i], s[i+1], s[i+2], s[i+3]} }

// arrange puts the rules in order, once all are read.
func (r *robots) arrange() {
	slices.SortStableFunc(r.rules, func(a, b robotsRule) int {
		return cmp.Or(cmp.Compare(len(b.pattern), len(a.pattern)), cmp.Compare(a.rank(), b.rank()))
	})
	const few = 64 // that are tried faster than a path is taken apart
	count := map[gram]int32{}
	for i := range r.rules {
		r.rules[i].grams(func(g gram) { count[g]++ })
	}
	r.byGram = map[gram][]int32{}
	for i := range r.rules {
		if g, ok := r.rules[i].rarest(count); ok && len(r.rules) > few {
			r.byGram[g] = append(r.byGram[g], int32(i))
		} else {
			r.others = append(r.others, int32(i))
		}
	}
}

// rank orders rules whose patterns are equally long.
func (r *robotsRule) rank() int {
	if r.allow {
		return 0
	}
	return 1
}

// grams calls f for all four bytes in a row that a match has.
func (r *robotsRule) grams(f func(gram)) {
	for _, piece := range r.pieces {
		for i := 0; i+4 <= len(piece); i++ {
			f(gramAt(piece, i))
		}
	}
}

// rarest returns the four bytes that the fewest rules have.
func (r *robotsRule) rarest(count map[gram]int32) (least gram, ok bool) {
	n := int32(math.MaxInt32)
	r.grams(func(g gram) {
		if c := count[g]; c < n {
			least, n, ok = g, c, true
		}
	})
	return least, ok
}

// decides returns the rule that decides about a path, or nil.
func (r *robots) decides(path string) *robotsRule {
	best := int32(len(r.rules))
	try := func(rules []int32) {
		for _, i := range rules {
			if i >= best {
				return
			}
			if r.rules[i].match(path) {
				best = i
			}
		}
	}
	try(r.others)
	if len(r.byGram) > 0 {
		for i := 0; i+4 <= len(path); i++ {
			try(r.byGram[gramAt(path, i)])
		}
	}
	if int(best) == len(r.rules) {
		return nil
	}
	return &r.rules[best]
}

// mayMatch reports whether a path has all pieces of the pattern, in order.
func (r *robotsRule) mayMatch(path string) bool {
	if len(path) < r.least || !strings.HasPrefix(path, r.pieces[0]) {
		return false
	}
	rest := path[len(r.pieces[0]):]
	for _, piece := range r.pieces[1:] {
		i := strings.Index(rest, piece)
		if i < 0 {
			return false
		}
		rest = rest[i+len(piece):]
	}
	return true
}

package live

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
)

// Sample returns n requests of a plan, in the order of the plan. It takes about the same number of
// requests from each section of the site. A section is a first-level folder, such as "/blog/". The
// same plan always gives the same sample. If n is 0, or the plan has at most n requests, Sample
// returns the whole plan.
func Sample(plan []Request, n int) []Request {
	if n <= 0 || n >= len(plan) {
		return plan
	}
	order := rand.New(rand.NewPCG(0, 0)).Perm(len(plan))                  // the same for each plan of this length
	sections, rounds := make([]string, len(plan)), make([]int, len(plan)) // round n takes the n-th request of each section
	next := map[string]int{}
	for _, i := range order {
		s := sectionOf(plan[i].URL)
		sections[i], rounds[i] = s, next[s]
		next[s]++
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(rounds[a], rounds[b]), strings.Compare(sections[a], sections[b]))
	})
	out := make([]Request, 0, n)
	for _, i := range slices.Sorted(slices.Values(order[:n])) {
		out = append(out, plan[i])
	}
	return out
}

// sectionOf returns the URL of the first-level folder of loc: "https://example.com/blog" for
// "https://example.com/blog/a". For a page at the root, it returns "https://example.com".
func sectionOf(loc string) string {
	parts := strings.SplitN(loc, "/", 5) // scheme, empty, host, folder, rest
	return strings.Join(parts[:min(len(parts)-1, 4)], "/")
}

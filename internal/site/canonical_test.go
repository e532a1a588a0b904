package site

import (
	"fmt"
	"testing"
)

// TestCanonicalChains checks that the number of steps for following chains and cycles of canonical
// links is proportional to the number of pages.
func TestCanonicalChains(t *testing.T) {
	const n = 4000
	for name, last := range map[string]int{"chain": n - 1, "ring": 0} {
		pages := map[string]string{}
		for i := range n {
			next := i + 1
			if next == n {
				next = last
			}
			pages[fmt.Sprintf("p%05d.html", i)] = canonical(fmt.Sprintf("https://example.com/p%05d.html", next))
		}
		_, res := build(t, Options{}, pages, nil)
		if got := res.Canonicals.followed; len(res.List) != 1 || got > 4*n {
			t.Errorf("%s: %d pages listed after %d steps, want 1 page and at most %d steps", name, len(res.List), got, 4*n)
		}
	}
}

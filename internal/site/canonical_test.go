package site

import (
	"fmt"
	"slices"
	"testing"
)

// TestLongCanonicalChains follows a chain of canonical links to its end, and breaks a ring at its
// first URL.
func TestLongCanonicalChains(t *testing.T) {
	const n = 2000
	for name, tt := range map[string]struct {
		next   func(i int) int // page that page i names
		listed int
	}{
		"chain": {func(i int) int { return min(i+1, n-1) }, n - 1},
		"ring":  {func(i int) int { return (i + 1) % n }, 0},
	} {
		pages := map[string]string{}
		for i := range n {
			pages[fmt.Sprintf("p%04d.html", i)] = canonical(fmt.Sprintf("https://example.com/p%04d.html", tt.next(i)))
		}
		_, r := build(t, Options{}, pages, nil)
		if got, want := locs(r), fmt.Sprintf("https://example.com/p%04d.html", tt.listed); !slices.Equal(got, []string{want}) {
			t.Errorf("%s: listed %d URLs, want %s", name, len(got), want)
		}
	}
}

package site

import "testing"

// TestZeroResultHasNoPages reads the pages of a zero Result.
func TestZeroResultHasNoPages(t *testing.T) {
	for p := range new(Result).Pages() {
		t.Errorf("a page %+v", p)
	}
}

package site

import "testing"

// TestPagesOfNothing asks a result that no fold made.
func TestPagesOfNothing(t *testing.T) {
	for p := range new(Result).Pages() {
		t.Errorf("a page %+v", p)
	}
}

package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestNearestFragmentIsLinear checks a page with very many dead fragments and names. It would take
// too long if each fragment were compared with each name.
func TestNearestFragmentIsLinear(t *testing.T) {
	testsite.RequireLinear(t, func(size int) []byte {
		var page strings.Builder
		page.WriteString("<!doctype html><title>x</title>")
		for i := range size / 16 {
			fmt.Fprintf(&page, "<a href=#a%d id=b%[1]d>", i)
		}
		return []byte(page.String())
	}, func(src []byte) {
		judged(t, tree(t, map[string]string{"index.html": string(src)}), "https://example.com/", "", true)
	})
}

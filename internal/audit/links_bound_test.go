package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestDeadFragmentCheckIsLinear checks that the time for a page with many dead fragments and many
// IDs grows linearly.
func TestDeadFragmentCheckIsLinear(t *testing.T) {
	testsite.RequireLinear(t, func(size int) []byte {
		var page strings.Builder
		page.WriteString("<!doctype html><title>x</title>")
		for i := range size / 16 {
			fmt.Fprintf(&page, "<a href=#a%d id=b%[1]d>", i)
		}
		return []byte(page.String())
	}, func(src []byte) {
		linkFindings(t, newTree(t, map[string]string{"index.html": string(src)}), "https://example.com/", "", true)
	})
}

package audit

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sitewalk/sitewalk/internal/testsite"
)

// TestLinksCountDeadLinks checks that one more finding counts the dead links beyond maxLinkProblems.
func TestLinksCountDeadLinks(t *testing.T) {
	var page strings.Builder
	page.WriteString("<!doctype html><title>x</title>")
	for i := range maxLinkProblems + 234 {
		fmt.Fprintf(&page, "<img srcset=/%d.png 2x>\n<a href=/%[1]d.png>a</a><a href=#%[1]d>b</a>", i)
	}
	dir := tree(t, map[string]string{"index.html": page.String()})
	found := judged(t, dir, "https://example.com/", "", LinkOptions{})
	if len(found) != maxLinkProblems+1 || !strings.Contains(found[0].Message, " 234 addresses") {
		t.Errorf("%d findings, the first is %v", len(found), found[0])
	}
	if last := found[len(found)-1]; last.Pos.Line != maxLinkProblems {
		t.Errorf("the last is told at %v", last.Pos)
	}
	found = judged(t, dir, "https://example.com/", "", LinkOptions{Fragments: true})
	if len(found) != maxLinkProblems+2 {
		t.Errorf("with fragments %d findings", len(found))
	}
}

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
		judged(t, tree(t, map[string]string{"index.html": string(src)}), "https://example.com/", "", LinkOptions{Fragments: true, Places: true})
	})
}

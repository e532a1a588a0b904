package facts

import (
	"slices"
	"sync"
	"testing"

	"github.com/sitewalk/sitewalk/sitemap"
)

// TestInternAlternates checks that equal lists of alternates become one sorted list, and that the
// caller may reuse its own list.
func TestInternAlternates(t *testing.T) {
	s := new(altPool)
	lists := [][]sitemap.Alternate{
		{{Lang: "en", Href: "https://example.com/"}, {Lang: "de", Href: "https://example.com/de/"}},
		{{Lang: "de", Href: "https://example.com/de/"}, {Lang: "en", Href: "https://example.com/"}},
		{{Lang: "en", Href: "https://example.com/"}},
		{{Lang: "enh", Href: "ttps://example.com/"}},
		{{Lang: "en", Href: "https://example.com/"}, {Lang: "x-default", Href: "https://example.com/"}},
		{{Lang: "x-default", Href: "https://example.com/"}, {Lang: "en", Href: "https://example.com/"}},
		{{}},
	}
	share := func(list []sitemap.Alternate) []sitemap.Alternate {
		return s.internList(SortUniqueAlternates(slices.Clone(list)))
	}
	var first []*sitemap.Alternate
	for _, l := range lists {
		first = append(first, &share(l)[0])
	}
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			for i, l := range lists {
				got := share(l)
				if want := SortUniqueAlternates(slices.Clone(l)); &got[0] != first[i] || !slices.Equal(got, want) {
					t.Errorf("list %d is %v at %p, want %v at %p", i, got, &got[0], want, first[i])
				}
			}
		})
	}
	all.Wait()
}

package facts

import (
	"slices"
	"sync"
	"testing"

	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Equal lists become one, others stay what they are, and what was given may be
// used again.
func TestShared(t *testing.T) {
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
		var said page.Alternates
		said.Set(list)
		sum := s.hash(&said)
		if known := s.find(sum, &said); known != nil {
			return known
		}
		own := said.List("https://example.com/")
		return s.share(sum, own)
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
				if &got[0] != first[i] || !slices.Equal(got, l) {
					t.Errorf("list %d is %v at %p, want %v at %p", i, got, &got[0], l, first[i])
				}
			}
		})
	}
	all.Wait()
}

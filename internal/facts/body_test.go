package facts

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestLinkPaths reads links, the canonical link and translations. Of a page with too many links, it
// reads the first ones.
func TestLinkPaths(t *testing.T) {
	var many strings.Builder
	for i := range 2 * maxPaths {
		fmt.Fprintf(&many, "<a href=/%d>", i)
	}
	e := &editor{pages: fstest.MapFS{
		"a/b.html": {Data: []byte(`<link rel=canonical href=/a/b><link rel=alternate hreflang=de href="/de/b/"><link rel=stylesheet href=/c.css>` +
			`<a href="c?q#d">x</a><a href=../e>y</a><a href="#top">z</a><a href="https://example.org/f">f</a><a href=../e>y</a>`)},
		"many.html": {Data: []byte(many.String())},
	}}
	o := e.options(t)
	o.Content = nil
	set := learned(t, o)
	paths := func(i int) []string {
		got, err := set.LinkPaths(t.Context(), set.Pages[i])
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	if got, want := paths(0), []string{"/a/b", "/a/c", "/de/b/", "/e"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if n := len(paths(1)); n != maxPaths {
		t.Errorf("%d paths", n)
	}
}

package facts

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// TestReplace compares replacing few names with deleting and sorting all.
func TestReplace(t *testing.T) {
	self := func(s string) string { return s }
	rnd := rand.New(rand.NewPCG(1, 2))
	name := func() string {
		parts := make([]string, 1+rnd.IntN(3))
		for i := range parts {
			parts[i] = []string{"a", "a-b", "a0", "a.html", "b"}[rnd.IntN(5)]
		}
		return strings.Join(parts, "/")
	}
	names := func(n int) (out []string) {
		for range n {
			out = append(out, name())
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	for range 2000 {
		old, paths := names(rnd.IntN(40)), names(rnd.IntN(5))
		gone := under(paths)
		again := slices.DeleteFunc(names(rnd.IntN(20)), func(s string) bool { return !gone(s) })
		want := append(slices.DeleteFunc(slices.Clone(old), gone), again...)
		slices.Sort(want)
		want = slices.Compact(want)
		got := replace(slices.Clone(old), again, paths, self)
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("%q without %q, with %q: got %q, want %q", old, paths, again, got, want)
		}
	}
}

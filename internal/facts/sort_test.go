package facts

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSortAll(t *testing.T) {
	for _, n := range []int{0, 1, fewToSort - 1, fewToSort, fewToSort + 1, 5*fewToSort + 3} {
		for _, processors := range []int{1, 2, 3, 8} {
			got := make([]int, n)
			for i := range got {
				got[i] = rand.IntN(n)
			}
			want := slices.Sorted(slices.Values(got))
			sortWith(processors, got, cmp.Compare[int])
			if !slices.Equal(got, want) {
				t.Errorf("%d numbers on %d processors are not sorted", n, processors)
			}
		}
	}
}

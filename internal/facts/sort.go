package facts

import (
	"runtime"
	"slices"
	"sync"
)

// fewToSort is the length from which halves are worth a goroutine.
const fewToSort = 4096

// sortAll sorts as slices.SortFunc does, on all processors. Equal elements may
// change their order.
func sortAll[T any](all []T, compare func(a, b T) int) {
	sortWith(runtime.GOMAXPROCS(0), all, compare)
}

func sortWith[T any](processors int, all []T, compare func(a, b T) int) {
	if processors < 2 || len(all) < fewToSort {
		slices.SortFunc(all, compare)
		return
	}
	mid := len(all) / 2
	var other sync.WaitGroup
	other.Go(func() { sortWith(processors/2, all[:mid], compare) })
	sortWith(processors-processors/2, all[mid:], compare)
	other.Wait()
	merge(all, slices.Clone(all[:mid]), all[mid:], compare)
}

// merge writes the sorted a and b into out, of which b may be the end.
func merge[T any](out, a, b []T, compare func(a, b T) int) {
	for len(a) > 0 && len(b) > 0 {
		if compare(b[0], a[0]) < 0 {
			out[0], b = b[0], b[1:]
		} else {
			out[0], a = a[0], a[1:]
		}
		out = out[1:]
	}
	copy(out, a)
}

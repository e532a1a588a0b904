package files

import (
	"context"
	"runtime"
	"sync"
)

// MinParallel is the minimum number of items for each goroutine. With fewer items, another
// goroutine does not save time.
const MinParallel = 2048

// ParallelParts divides the indexes 0 to n-1 into ranges, and calls do for all ranges in parallel.
// A range has the indexes from <= i < to. ParallelParts returns the results in the order of the
// ranges.
func ParallelParts[T any](n int, do func(from, to int) T) []T {
	parts := max(1, min(runtime.GOMAXPROCS(0), n/MinParallel))
	out := make([]T, parts)
	var all sync.WaitGroup
	for i := range parts {
		all.Go(func() { out[i] = do(n*i/parts, n*(i+1)/parts) })
	}
	all.Wait()
	return out
}

// ParallelEach calls do for each index from 0 to n-1, in no particular order. It uses several
// goroutines if n is at least twice MinParallel.
func ParallelEach(n int, do func(i int)) {
	ParallelParts(n, func(from, to int) (_ struct{}) {
		for i := from; i < to; i++ {
			do(i)
		}
		return
	})
}

// ParallelWorkers processes the items 0 to n-1 in parallel until ctx is done. It starts one
// goroutine for each processor. Each goroutine calls newWorker once, and then calls the result for
// its items i. The result may keep state between items. Neighbouring items go to different
// goroutines, because they often take equally long.
func ParallelWorkers(ctx context.Context, n int, newWorker func() func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var all sync.WaitGroup
	for first := range workers {
		all.Go(func() {
			do := newWorker()
			for i := first; i < n && ctx.Err() == nil; i += workers {
				do(i)
			}
		})
	}
	all.Wait()
}

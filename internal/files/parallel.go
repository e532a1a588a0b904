package files

import (
	"context"
	"runtime"
	"sync"
)

// MinParallel is the minimum number of items for which a second goroutine saves time.
const MinParallel = 2048

// ParallelParts divides n items into ranges, calls do for the ranges in parallel, and
// returns the results in the order of the items.
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

// ParallelEach calls do for each of n items, in parallel if there are many.
func ParallelEach(n int, do func(i int)) {
	ParallelParts(n, func(from, to int) (_ struct{}) {
		for i := from; i < to; i++ {
			do(i)
		}
		return
	})
}

// ParallelWorkers processes n slow items in parallel until ctx is done. It calls worker
// once per processor; the returned function handles one item and may keep state between
// items. Neighbouring items go to different workers, since they often take equally long.
func ParallelWorkers(ctx context.Context, n int, worker func() func(i int)) {
	workers := min(runtime.GOMAXPROCS(0), n)
	var all sync.WaitGroup
	for first := range workers {
		all.Go(func() {
			do := worker()
			for i := first; i < n && ctx.Err() == nil; i += workers {
				do(i)
			}
		})
	}
	all.Wait()
}

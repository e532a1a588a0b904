package files

import (
	"context"
	"runtime"
	"sync"
)

// MinParallel is the minimum number of items for each goroutine. With fewer items, another
// goroutine does not save time.
const MinParallel = 2048

// ParallelParts divides the indexes 0 to n-1 into ranges, and calls f for all ranges in parallel.
// The range of a call has the indexes i with begin <= i < end. ParallelParts returns the results of
// f in the order of the ranges.
func ParallelParts[T any](n int, f func(begin, end int) T) []T {
	parts := max(1, min(runtime.GOMAXPROCS(0), n/MinParallel))
	out := make([]T, parts)
	var all sync.WaitGroup
	for i := range parts {
		all.Go(func() { out[i] = f(n*i/parts, n*(i+1)/parts) })
	}
	all.Wait()
	return out
}

// ParallelRanges is like ParallelParts for an f without a result.
func ParallelRanges(n int, f func(begin, end int)) {
	ParallelParts(n, func(begin, end int) struct{} {
		f(begin, end)
		return struct{}{}
	})
}

// ParallelEach calls f for each index from 0 to n-1, in no particular order. It uses several
// goroutines if n is at least twice MinParallel, so f must be safe for concurrent use.
func ParallelEach(n int, f func(i int)) {
	ParallelRanges(n, func(begin, end int) {
		for i := begin; i < end; i++ {
			f(i)
		}
	})
}

// ParallelWorkers processes the items 0 to n-1 in parallel, and returns when all are processed, or
// soon after ctx ends. It starts one goroutine for each processor, but at most n. Each goroutine
// calls newWorker once, and then calls the returned function with the index of each of its items.
// That function may keep state between items. Neighbouring items go to different goroutines,
// because they often take equally long.
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

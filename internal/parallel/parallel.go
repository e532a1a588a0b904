// Package parallel divides work on numbered things among the processors. It starts no
// goroutine that it does not wait for.
package parallel

import (
	"context"
	"runtime"
	"sync"
)

// Few is the number of things that are worth waking a processor for.
const Few = 2048

// Parts lets all processors do something with n things, each with those from one
// number to another, and returns what they made of them in the order of the things.
func Parts[T any](n int, do func(from, to int) T) []T {
	parts := max(1, min(runtime.GOMAXPROCS(0), n/Few))
	out := make([]T, parts)
	var all sync.WaitGroup
	for i := range parts {
		all.Go(func() { out[i] = do(n*i/parts, n*(i+1)/parts) })
	}
	all.Wait()
	return out
}

// Each lets all processors do something with each of n things.
func Each(n int, do func(i int)) {
	Parts(n, func(from, to int) (_ struct{}) {
		for i := from; i < to; i++ {
			do(i)
		}
		return
	})
}

// Spread lets all processors do something with each of n things that take a while,
// until the context ends. Neighbours, which often take equally long, go to different
// ones. The worker is made once for each processor, and owns what it keeps.
func Spread(ctx context.Context, n int, worker func() func(i int)) {
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

package site

import (
	"runtime"
	"sync"
)

// fewPages is the number of pages that are worth waking a processor for.
const fewPages = 2048

// inParts lets all processors do something with n things, each with those from one
// number to another, and returns what they made of them in the order of the things.
func inParts[T any](n int, do func(from, to int) T) []T {
	parts := max(1, min(runtime.GOMAXPROCS(0), n/fewPages))
	out := make([]T, parts)
	var all sync.WaitGroup
	for i := range parts {
		all.Go(func() { out[i] = do(n*i/parts, n*(i+1)/parts) })
	}
	all.Wait()
	return out
}

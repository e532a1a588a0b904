package testsite

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// RequireLinear fails a test if the run time of read grows faster than its input. It
// compares one input with sixteen inputs of a sixteenth of the size. Each is the best of
// several tries, in thread time where the system reports it, so a busy machine does not
// matter. A quadratic reader needs sixteen times as long for the large input; four times
// as long fails. Under the race detector read runs once, and nothing is measured.
func RequireLinear(tb testing.TB, input func(size int) []byte, read func([]byte)) {
	tb.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // a collection depends on the other objects in memory
	const size, times, most, tries = 4 << 10, 16, 4, 12
	const sure = 200 * time.Microsecond // a quadratic reader needs longer
	small, large := input(size), input(times*size)
	if raceEnabled {
		read(large)
		return
	}
	var few, many time.Duration
	read(small) // warm up
	for i := range tries {
		few = bestTime(few, i, func() {
			for range times {
				read(small)
			}
		})
		many = bestTime(many, i, func() { read(large) })
		if many <= max(most*few, sure) {
			return
		}
	}
	tb.Fatalf("%d bytes take %v; the same amount in parts of %d bytes takes %v", len(large), many, len(small), few)
}

// bestTime returns the shorter of the best time so far and the time of one more try.
func bestTime(best time.Duration, try int, do func()) time.Duration {
	if try > 0 { // slow, and the first try nearly always decides
		runtime.GC()
		growStack(32 << 10)
	}
	start := threadTime()
	do()
	took := threadTime() - start
	if try == 0 {
		return took
	}
	return min(best, took)
}

// growStack grows the stack of the goroutine by some KiB. A collection shrinks the stack,
// and growing it again would be counted for deeply nested input.
//
//go:noinline
func growStack(kib int) byte {
	var frame [1 << 10]byte
	if kib > 0 {
		frame[kib%len(frame)] = growStack(kib - 1)
	}
	return frame[0]
}

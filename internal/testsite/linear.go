package testsite

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// RequireLinear fails the test if the run time of read grows much faster than its input. It
// compares one large input with sixteen inputs of a sixteenth of the size. The large input may take
// four times as long as the sixteen inputs together, or 200 µs if that is longer. A function with
// quadratic run time needs sixteen times as long. RequireLinear uses the best of several
// measurements, on Linux in CPU time of the thread, so other programs hardly affect the result.
// With the race detector, it calls read once and measures nothing.
func RequireLinear(tb testing.TB, input func(size int) []byte, read func([]byte)) {
	tb.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // garbage collection depends on other objects in memory
	const size, times, maxRatio, tries = 4 << 10, 16, 4, 12
	const alwaysPermitted = 200 * time.Microsecond // quadratic functions need longer than this
	small, large := input(size), input(times*size)
	if raceEnabled {
		read(large)
		return
	}
	var few, many time.Duration
	read(small) // warm up
	for i := range tries {
		few = measureBestTime(few, i, func() {
			for range times {
				read(small)
			}
		})
		many = measureBestTime(many, i, func() { read(large) })
		if many <= max(maxRatio*few, alwaysPermitted) {
			return
		}
	}
	tb.Fatalf("%d bytes take %v; the same amount in parts of %d bytes takes %v", len(large), many, len(small), few)
}

// measureBestTime measures the run time of f. It returns the shorter of this time and best, the
// best time of earlier measurements. try is the number of earlier measurements. If try is 0,
// measureBestTime ignores best.
func measureBestTime(best time.Duration, try int, f func()) time.Duration {
	if try > 0 { // slow, and rarely needed because the first try usually decides
		runtime.GC()
		growStack(32 << 10)
	}
	start := threadTime()
	f()
	took := threadTime() - start
	if try == 0 {
		return took
	}
	return min(best, took)
}

// growStack grows the stack of the goroutine by kib KiB. Garbage collection shrinks the stack. A
// measurement must not include the time to grow it again.
//
//go:noinline
func growStack(kib int) byte {
	var frame [1 << 10]byte
	if kib > 0 {
		frame[kib%len(frame)] = growStack(kib - 1)
	}
	return frame[0]
}

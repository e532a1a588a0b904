package thorough

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"
)

// Linear fails a test if the time that read takes grows faster than its input. It
// compares one input with sixteen of a sixteenth of its size, of each the quickest
// of several tries, in the time of its thread where the system tells that, so that a
// slow or busy machine changes nothing: a reader whose time grows with the square of
// the input needs sixteen times as long for the large one, and four times as long
// fails. Other goroutines of read are not measured. The race detector, under which all
// takes many times as long, has read called once, and nothing is measured.
func Linear(tb testing.TB, input func(size int) []byte, read func([]byte)) {
	tb.Helper()
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // its work depends on what else is kept
	const size, times, most, tries = 4 << 10, 16, 4, 12
	const sure = 200 * time.Microsecond // two billion pairs of bytes take longer than that
	small, large := input(size), input(times*size)
	if raced {
		read(large)
		return
	}
	var few, many time.Duration
	read(small) // what is only done once is in neither time
	for i := range tries {
		few = quicker(few, i, func() {
			for range times {
				read(small)
			}
		})
		many = quicker(many, i, func() { read(large) })
		if many <= max(most*few, sure) {
			return
		}
	}
	tb.Fatalf("%d bytes take %v, as often %d bytes only %v", len(large), many, len(small), few)
}

// quicker returns the least of the best time so far and that of one more try.
func quicker(best time.Duration, try int, do func()) time.Duration {
	if try > 0 { // this takes longer than most inputs, of which the first try nearly always decides
		runtime.GC()
		deepen(32 << 10)
	}
	start := threadTime()
	do()
	took := threadTime() - start
	if try == 0 {
		return took
	}
	return min(best, took)
}

// deepen has the goroutine's stack grow by some KiB. Collecting shrinks it, and growing
// it again, with all its pages, would count for an input that nests deeply.
//
//go:noinline
func deepen(kib int) byte {
	var frame [1 << 10]byte
	if kib > 0 {
		frame[kib%len(frame)] = deepen(kib - 1)
	}
	return frame[0]
}

package thorough

import (
	"testing"
	"time"
)

// Linear fails a test if the time that read takes grows faster than its input. It
// compares one input with sixteen of a sixteenth of its size, of each the quickest
// of several tries, so that a slow or busy machine changes nothing: a reader whose
// time grows with the square of the input needs sixteen times as long for the large
// one, and four times as long fails.
func Linear(tb testing.TB, input func(size int) []byte, read func([]byte)) {
	tb.Helper()
	const size, times, most, tries = 4 << 10, 16, 4, 12
	small, large := input(size), input(times*size)
	var few, many time.Duration
	for i := range tries {
		few = quicker(few, i, func() {
			for range times {
				read(small)
			}
		})
		many = quicker(many, i, func() { read(large) })
		if many <= most*few {
			return
		}
	}
	tb.Fatalf("%d bytes take %v, as often %d bytes only %v", len(large), many, len(small), few)
}

// quicker returns the least of the best time so far and that of one more try.
func quicker(best time.Duration, try int, do func()) time.Duration {
	start := time.Now()
	do()
	took := time.Since(start)
	if try == 0 {
		return took
	}
	return min(best, took)
}

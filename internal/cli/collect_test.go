package cli

import (
	"runtime"
	"runtime/metrics"
	"testing"
)

func collectionPercent() uint64 {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// collectUntil collects garbage until the percentage is one that is wanted: what
// follows a collection runs on a goroutine of its own.
func collectUntil(wanted func(percent uint64) bool) {
	for !wanted(collectionPercent()) {
		runtime.GC()
		runtime.Gosched()
	}
}

func TestFirstCollectionEndsTheDelay(t *testing.T) {
	// A build of another test may have left its delay behind.
	collectUntil(func(percent uint64) bool { return percent <= 100 })
	usual := collectionPercent()
	delayCollection(func(string) string { return "50" }, firstCollection)
	if got := collectionPercent(); got != usual {
		t.Errorf("with GOGC set the percentage becomes %d, want %d", got, usual)
	}
	delayCollection(func(string) string { return "" }, firstCollection)
	if got := collectionPercent(); got <= usual {
		t.Errorf("the percentage is %d, want more than %d", got, usual)
	}
	collectUntil(func(percent uint64) bool { return percent == usualPercent })
}

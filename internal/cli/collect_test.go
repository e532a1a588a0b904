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

func TestFirstCollectionEndsTheDelay(t *testing.T) {
	usual := collectionPercent()
	delayCollection(func(string) string { return "50" }, firstCollection)
	if got := collectionPercent(); got != usual {
		t.Errorf("with GOGC set the percentage becomes %d, want %d", got, usual)
	}
	delayCollection(func(string) string { return "" }, firstCollection)
	if got := collectionPercent(); got <= usual {
		t.Errorf("the percentage is %d, want more than %d", got, usual)
	}
	for collectionPercent() != usualPercent {
		runtime.GC()
		runtime.Gosched()
	}
}

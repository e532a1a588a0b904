package walker

import (
	"runtime"
	"testing"
)

// TestMoreThreads counts threads for the calls that wait.
func TestMoreThreads(t *testing.T) {
	before := runtime.GOMAXPROCS(3)
	defer runtime.GOMAXPROCS(before)
	restore := moreThreads(20)
	if got := runtime.GOMAXPROCS(0); got != 20 {
		t.Errorf("%d threads, want 20", got)
	}
	again := moreThreads(2)
	restore()
	if got := runtime.GOMAXPROCS(0); got != 20 {
		t.Errorf("%d threads while another walk is under way, want 20", got)
	}
	again()
	if got := runtime.GOMAXPROCS(0); got != 3 {
		t.Errorf("%d threads are left, want 3", got)
	}
	if got := Workers(Options{}); got != max(DefaultJobs, processors) {
		t.Errorf("%d workers, want %d", got, max(DefaultJobs, processors))
	}
	if got := Workers(Options{Jobs: 7}); got != 7 {
		t.Errorf("%d workers, want 7 as told", got)
	}
}

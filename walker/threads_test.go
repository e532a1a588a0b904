package walker

import (
	"runtime"
	"testing"
)

// TestUsefulWorkers counts the processors that the process may use, also while another
// walk has raised the number of threads.
func TestUsefulWorkers(t *testing.T) {
	before := runtime.GOMAXPROCS(3)
	defer runtime.GOMAXPROCS(before)
	restore := moreThreads(20)
	if got := processors(); got != 3 {
		t.Errorf("%d processors, want 3", got)
	}
	if got := runtime.GOMAXPROCS(0); got != 23 {
		t.Errorf("%d threads, want 20 for those that wait and 3", got)
	}
	restore()
	if got := runtime.GOMAXPROCS(0); got != 3 {
		t.Errorf("%d threads are left, want 3", got)
	}
	if got := useful(Options{}); got != DefaultJobs {
		t.Errorf("%d workers, want %d", got, DefaultJobs)
	}
	if got := useful(Options{Jobs: 7}); got != 7 {
		t.Errorf("%d workers, want 7 as told", got)
	}
}

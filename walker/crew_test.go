package walker

import (
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/fstest"
	"time"
)

// pages returns a folder of n pages.
func pages(n int) Tree {
	fsys := fstest.MapFS{}
	for i := range n {
		fsys[fmt.Sprint("page-", i, ".html")] = &fstest.MapFile{}
	}
	return FS(fsys)
}

// crewAfter walks a tree, in which each system call takes as long as wait and the visit
// of a file as long as work, and returns how many workers there are at the end.
func crewAfter(t *testing.T, few int, wait, work time.Duration) int {
	t.Helper()
	var mu sync.Mutex
	var now time.Duration
	pass := func(d time.Duration) time.Duration {
		mu.Lock()
		defer mu.Unlock()
		now += d
		return now
	}
	w, err := newWalk(t.Context(), pages(4000).source, Options{}, func(_ int, f *File) {
		f.Stat()
		pass(work)
	})
	if err != nil {
		t.Fatal(err)
	}
	w.crew.most = 16
	w.crew.now = func() time.Duration { return pass(wait) }
	if _, err := w.run(t.Context(), few); err != nil {
		t.Fatal(err)
	}
	return w.crew.size()
}

func TestCrewGrowsWhileItsWorkersWait(t *testing.T) {
	if got := crewAfter(t, 1, time.Microsecond, time.Microsecond); got != 1 {
		t.Errorf("workers that wait for nothing are %d, want 1", got)
	}
	if got := crewAfter(t, 1, time.Microsecond, time.Second); got != 1 {
		t.Errorf("workers that work are %d, want 1", got)
	}
	if got := crewAfter(t, 1, time.Second, time.Microsecond); got != 16 {
		t.Errorf("workers that wait are %d, want all 16", got)
	}
	if got := crewAfter(t, 99, time.Microsecond, time.Microsecond); got != 16 {
		t.Errorf("of 99 workers at most 16 are to be, got %d", got)
	}
}

// TestPaceMindsNoInterruption lets a few steps in a row take long, now and then.
func TestPaceMindsNoInterruption(t *testing.T) {
	w, err := newWalk(t.Context(), pages(1).source, Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var p pace
	for i := range 1000 {
		took := time.Duration(0)
		if i%(slowSteps*slowShare) < slowSteps-1 {
			took = time.Second
		}
		p.timed(&w.crew, took)
	}
	if got := w.crew.size(); got != 0 {
		t.Errorf("%d workers have been started", got)
	}
}

// TestCrewBeginsWithProcessors counts those that the process may use, also while
// another walk has raised the number of threads.
func TestCrewBeginsWithProcessors(t *testing.T) {
	before := runtime.GOMAXPROCS(3)
	defer runtime.GOMAXPROCS(before)
	restore := moreThreads()
	atLeastThreads(20)
	if got := fewWorkers(Options{}); got != 3 {
		t.Errorf("%d workers, want 3", got)
	}
	if got := runtime.GOMAXPROCS(0); got != 23 {
		t.Errorf("%d threads, want 20 for those that wait and 3", got)
	}
	restore()
	if got := runtime.GOMAXPROCS(0); got != 3 {
		t.Errorf("%d threads are left, want 3", got)
	}
	if got := fewWorkers(Options{Jobs: 7}); got != 7 {
		t.Errorf("%d workers, want 7 as told", got)
	}
}

package walker

import (
	"runtime"
	"sync"
	"time"
)

// A crew is the workers of a walk. Each costs a thread and buffers, a quarter of
// a MiB, and more of them than processors help only while system calls wait for
// a disk. So a crew begins with few and doubles while its workers wait.
type crew struct {
	walk *walk
	most int
	now  func() time.Time

	all     sync.WaitGroup
	mu      sync.Mutex
	started int
}

// fewWorkers is how many a crew begins with, unless it was told how many it is
// to have.
func fewWorkers(o Options) int {
	if o.Jobs > 0 {
		return o.Jobs
	}
	return 2 * runtime.NumCPU()
}

// grow starts workers until there are n, if the caller was right to believe that
// there are so many.
func (c *crew) grow(believed, n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.started != believed {
		return
	}
	n = min(n, c.most)
	c.walk.shared.hire(n)
	atLeastThreads(n)
	for i := c.started; i < n; i++ {
		c.all.Go(func() { (&worker{walk: c.walk, number: i}).run() })
	}
	c.started = max(c.started, n)
}

// size is how many workers there are.
func (c *crew) size() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.started
}

// A pace tells whether a worker waits rather than works. It times one step of each
// few: the listing of a folder, or the visit of a file.
type pace struct {
	steps int // since the last one that was timed began
	since time.Time
	waits int // counts steps that took long, less those that did not
	of    int // the size of the crew when the first of these ended
}

const (
	timedEach = 3 // steps; folders and files may take turns, so it is odd
	// slowStep is many times what a step takes that waits for nothing, and no
	// more than a disk of the fastest kind takes for one.
	slowStep = 100 * time.Microsecond
	// A worker waits when more than one of slowShare steps are slow, since what a
	// disk has read ahead is quick, and several were, since any may be interrupted.
	slowShare = 5
	slowSteps = 3
)

// step notes that a worker has done one step, and lets the crew grow when too many of
// those that were timed took long.
func (p *pace) step(c *crew) {
	switch p.steps++; p.steps {
	case 1:
		p.since = c.now()
	case 2:
		p.timed(c, c.now().Sub(p.since))
	case timedEach:
		p.steps = 0
	}
}

func (p *pace) timed(c *crew, took time.Duration) {
	if took < slowStep {
		p.waits = max(0, p.waits-1)
		return
	}
	if p.waits == 0 {
		p.of = c.size()
	}
	if p.waits += slowShare - 1; p.waits > (slowShare-1)*(slowSteps-1) {
		p.waits = 0
		c.grow(p.of, 2*p.of)
	}
}

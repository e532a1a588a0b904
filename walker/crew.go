package walker

import (
	"sync"
	"time"
)

// A crew is the workers of a walk. Each costs a thread and buffers, a quarter of
// a MiB, and more of them than processors help only while system calls wait for
// a disk. So a crew begins with few and doubles while its workers wait.
type crew struct {
	walk *walk
	most int
	now  func() time.Duration // since some moment

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
	return processors()
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

// A pace tells whether a worker waits rather than works. It times the system calls of
// one step of each few: the listing of a folder, or the visit of a file. What is done
// with the bytes is no waiting, however long it takes.
type pace struct {
	steps   int           // since the last one that was timed
	since   time.Duration // the call at hand began
	longest time.Duration // of the calls of the step at hand
	waits   int           // counts steps that took long, less those that did not
	of      int           // the size of the crew when the first of these ended
}

const (
	timedEach = 3 // steps; folders and files may take turns, so it is odd
	// slowCall is many times what a call takes that waits for nothing, and no more than
	// a disk of the fastest kind takes for one.
	slowCall = 100 * time.Microsecond
	// A worker waits when more than one of slowShare steps are slow, since what a
	// disk has read ahead is quick, and several were, since any may be interrupted.
	slowShare = 5
	slowSteps = 8
)

// begin and end stand around each system call that may wait for a disk.
func (p *pace) begin(c *crew) {
	if p.steps == 0 {
		p.since = c.now()
	}
}

func (p *pace) end(c *crew) {
	if p.steps == 0 {
		p.longest = max(p.longest, c.now()-p.since)
	}
}

// step notes that a worker has done one step, and lets the crew grow when in too many
// of those that were timed a call took long.
func (p *pace) step(c *crew) {
	if p.steps == 0 {
		p.timed(c, p.longest)
		p.longest = 0
	}
	p.steps = (p.steps + 1) % timedEach
}

func (p *pace) timed(c *crew, took time.Duration) {
	if took < slowCall {
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

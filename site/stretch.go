package site

import (
	"runtime"
	"sync"
)

// fewToJudge is the number of pages that are worth waking a processor for.
const fewToJudge = 2048

// stretches lets all processors do a step of the fold, each for a stretch of
// the pages and with a fold of its own to ask and to note in. What they noted
// is joined in the order of the pages.
func stretches[T any](f *fold, pages []T, do func(f *fold, pages []T)) {
	stretchesOf(f, min(runtime.GOMAXPROCS(0), len(pages)/fewToJudge), pages, do)
}

func stretchesOf[T any](f *fold, n int, pages []T, do func(f *fold, pages []T)) {
	if n < 2 {
		do(f, pages)
		return
	}
	folds := make([]*fold, n)
	room := f.listed[len(f.listed):cap(f.listed)]
	var all sync.WaitGroup
	for i := range folds {
		from, to := len(pages)*i/n, len(pages)*(i+1)/n
		own := f.stretch()
		if len(room) >= to { // what is listed moves up to its place in gather
			own.listed = room[from:from:to]
		}
		folds[i] = own
		all.Go(func() { do(own, pages[from:to]) })
	}
	all.Wait()
	for _, own := range folds {
		f.gather(own)
	}
}

// inParts lets all processors do something with n things, each with those from one
// number to another.
func inParts(n int, do func(from, to int)) {
	var parts sync.WaitGroup
	step := 1 + n/runtime.GOMAXPROCS(0)
	for from := 0; from < n; from += step {
		parts.Go(func() { do(from, min(from+step, n)) })
	}
	parts.Wait()
}

// stretch returns an empty fold over the same world. It shares with f only what
// nobody writes to, or what has a lock of its own.
func (f *fold) stretch() *fold {
	at, own := *f.view, *f
	if f.ledger != nil {
		at.memory = f.ledger.Lookup()
	}
	own.view, own.sets = &at, newRuleSets(f.o.Rules)
	own.listed, own.prints, own.counts = nil, nil, make([]int, len(f.counts))
	own.gaps = gaps{}
	return &own
}

// gather takes in what the fold of a stretch has noted.
func (f *fold) gather(own *fold) {
	f.listed = append(f.listed, own.listed...)
	f.prints = append(f.prints, own.prints...)
	for i, n := range own.sets.hits {
		f.sets.hits[i] += n
	}
	for i, n := range own.counts {
		f.counts[i] += n
	}
	f.gaps.join(&own.gaps)
	f.note(own.next)
}

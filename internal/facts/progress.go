package facts

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sitewalk/sitewalk/walker"
)

// A progress counts the files that the workers have read, and says it in steps.
type progress struct {
	tell  func(files, total int)
	files atomic.Int64
	total atomic.Int64 // 0 until it is known
}

const progressStep = 16

// countAfter is how long a person waits before it is worth to find out how many
// files there are: reading lists each folder just before its files, so that to
// know their number earlier takes a walk of its own.
const countAfter = time.Second

// newProgress returns the progress of a walk, and what ends it.
func (o *Options) newProgress(ctx context.Context, t *Tree, walk walker.Options) (p *progress, end func()) {
	p = &progress{tell: o.Progress}
	ctx, cancel := context.WithCancel(ctx)
	var counting sync.WaitGroup
	counting.Go(func() { p.findTotal(ctx, t, walk) })
	return p, func() { cancel(); counting.Wait() }
}

// findTotal counts the files of a tree, by one worker who opens none of them.
func (p *progress) findTotal(ctx context.Context, t *Tree, o walker.Options) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(countAfter):
	}
	o.Jobs = 1
	n := int64(0)
	if _, err := t.Files.Walk(ctx, o, func(int, *walker.File) { n++ }); err == nil {
		p.total.Store(n)
	}
}

// done counts one file.
func (p *progress) done() {
	if n := p.files.Add(1); n%progressStep == 0 {
		p.tell(int(n), int(p.total.Load()))
	}
}

package facts

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sitewalk/sitewalk/walker"
)

// A progress counts the files read by all workers. It calls tell after every progressStep
// files.
type progress struct {
	tell  func(files, total int)
	files atomic.Int64
	total atomic.Int64 // 0 while unknown
}

const progressStep = 16

// countAfter is the delay before the files are counted. Counting needs a second walk, which is
// not worth the time for a short read.
const countAfter = time.Second

// newProgress returns the progress of a walk, and a function that ends counting.
func (o *Options) newProgress(ctx context.Context, t *Tree, walk walker.Options) (p *progress, end func()) {
	p = &progress{tell: o.Progress}
	ctx, cancel := context.WithCancel(ctx)
	var counting sync.WaitGroup
	counting.Go(func() { p.findTotal(ctx, t, walk) })
	return p, func() { cancel(); counting.Wait() }
}

// findTotal counts the files of a tree with one worker. It does not open the files.
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

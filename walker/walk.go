package walker

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/sitewalk/sitewalk/internal/diag"
)

// A node is a folder that the walk has reached. It stays open as long as a
// task refers to it.
type node struct {
	path   string // as delivered
	real   string // without links; equal to path where none was followed
	linked bool
	keep   bool // its folders are opened relative to it
	open   folder
	refs   atomic.Int32
}

// A task is a folder to list, or files of one folder to visit.
type task struct {
	in    *node    // the folder that holds it; nil for the root
	path  string   // of the folder to list; it ends with its name
	real  string   // of a folder behind a link; "" for all others
	files []target // files to visit
}

// A walk is one run over a tree.
type walk struct {
	source source
	filter *Filter
	visit  func(worker int, f *File)
	others func(worker int, path string)
	before string // each path of a file
	root   *node
	shared pool
	stop   atomic.Bool

	nodes    atomic.Int64 // that are open
	maxNodes int64        // that may wait for their folders; more are opened anew from the root

	mu    sync.Mutex
	diags diag.List
	err   error
}

func newWalk(ctx context.Context, s source, o Options, visit func(int, *File)) (*walk, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	root, err := s.root()
	if err != nil {
		return nil, fmt.Errorf("folder %q: %w", s.title(""), cause(err))
	}
	w := &walk{source: s, filter: o.Filter, visit: visit, others: o.Others, before: o.Before, maxNodes: int64(openLimit() / 2)}
	w.shared.wake.L = &w.shared.mu
	if w.filter == nil {
		w.filter = htmlFilter()
	}
	w.root = &node{open: root, keep: true}
	w.root.refs.Store(1)
	w.nodes.Store(1)
	return w, nil
}

// run walks the whole tree with so many workers.
func (w *walk) run(ctx context.Context, workers int) (diag.List, error) {
	defer moreThreads(workers)()
	defer context.AfterFunc(ctx, func() { w.stop.Store(true) })()
	w.shared.workers = workers
	w.shared.give(task{})
	var all sync.WaitGroup
	for i := range workers {
		all.Go(func() { (&worker{walk: w, number: i}).run() })
	}
	all.Wait()
	return w.result(ctx)
}

func (w *walk) result(ctx context.Context) (diag.List, error) {
	if w.err == nil {
		w.err = ctx.Err()
	}
	return w.diags.Sorted(), w.err
}

// fail ends the walk with the first error.
func (w *walk) fail(err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err == nil {
		w.err = err
	}
	w.stop.Store(true)
}

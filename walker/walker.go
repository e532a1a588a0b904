// Package walker lists the files of a tree that match globs, and opens the files for the
// caller. It never leaves the tree and opens regular files only.
//
// The package may change; only package sitemap promises an API.
package walker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/sitewalk/sitewalk/diag"
)

// A Tree is a folder with everything below it. Paths in a tree are relative to the folder, use
// slashes, and have no leading "./".
type Tree struct {
	source source
	name   string // the path as the user would type it
}

// Options configure a walk. The zero value selects HTMLFiles.
type Options struct {
	Filter *Filter // nil selects HTMLFiles
	Jobs   int     // number of workers; 0 means the larger of DefaultJobs and GOMAXPROCS
	Before string  // prefix of File.Full
}

// DefaultJobs is the minimum number of workers if Options.Jobs is 0. Workers spend nearly all
// of their time in system calls. With cold caches, 8 workers were as fast as 32. With warm
// caches, more workers than processors save no time and cost memory.
const DefaultJobs = 8

// Workers returns the maximum number of goroutines from which a walk calls visit. The result is
// at least 1.
func Workers(o Options) int {
	if o.Jobs > 0 {
		return o.Jobs
	}
	return max(DefaultJobs, runtime.GOMAXPROCS(0))
}

// Walk calls visit for each file that the filter selects, in no order. Up to Workers(o)
// goroutines call visit. Each goroutine passes its own number, from 0.
//
// Walk follows symbolic links to files and folders inside the tree. It does not follow a link
// to a folder that contains the link, nor a folder link inside a linked folder. Walk reports a
// finding for each of these links, for links that leave the tree or are broken, for devices,
// pipes, sockets and unreadable folders, and for folders whose path is longer than MaxPath.
// Walk ignores files that vanish during the walk.
//
// Walk returns an error if the root cannot be read, ctx ends, or the process has no file
// descriptors left.
func (t Tree) Walk(ctx context.Context, o Options, visit func(worker int, f *File)) (diag.List, error) {
	w, err := newWalk(ctx, t, o, visit)
	if err != nil {
		return nil, err
	}
	w.workers = int32(Workers(o))
	w.idle.Store(w.workers)
	defer context.AfterFunc(ctx, func() { w.stop.Store(true) })()
	w.give(task{})
	var all sync.WaitGroup
	for i := range int(w.workers) {
		all.Go(func() { (&worker{walk: w, number: i}).run() })
	}
	all.Wait()
	return w.result(ctx)
}

// Visit calls visit if path is a file that Walk would visit, and reports whether it did. The
// findings are the ones that Walk reports for path and for the folders above path.
func (t Tree) Visit(ctx context.Context, o Options, path string, visit func(f *File)) (found bool, diags diag.List, err error) {
	w, err := newWalk(ctx, t, o, func(_ int, f *File) { found = true; visit(f) })
	if err != nil {
		return false, nil, err
	}
	diags, err = w.one(ctx, path)
	return found, diags, err
}

// A node is a folder that the walk has reached. The folder stays open while a task refers to
// it.
type node struct {
	path   string // path in the tree
	real   string // path without symbolic links
	linked bool
	open   folder
	refs   atomic.Int32
}

// A task is a folder to list, or files of one folder to visit.
type task struct {
	in    *node    // parent folder of the folder to list, or the folder of files; nil for the root
	path  string   // folder to list
	real  string   // target of a folder link; otherwise ""
	files []target // files to visit
}

// A walk is one walk over a tree.
type walk struct {
	Options
	source source
	visit  func(worker int, f *File)
	root   *node
	stop   atomic.Bool

	workers int32
	idle    atomic.Int32 // idle workers minus shared tasks

	mu    sync.Mutex
	wake  sync.Cond
	tasks []task // shared by busy workers
	diags diag.List
	err   error
}

func newWalk(ctx context.Context, t Tree, o Options, visit func(int, *File)) (*walk, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.Filter == nil {
		o.Filter, _ = NewFilter(nil, nil) // HTMLFiles are valid globs
	}
	root, err := t.source.open("")
	if err != nil {
		return nil, fmt.Errorf("folder %q: %w", path.Join(filepath.ToSlash(t.name)), diag.Cause(err))
	}
	w := &walk{Options: o, source: t.source, visit: visit}
	w.wake.L = &w.mu
	w.root = &node{open: root}
	w.root.refs.Store(1)
	return w, nil
}

// give shares tasks with idle workers.
func (w *walk) give(tasks ...task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tasks = append(w.tasks, tasks...)
	w.idle.Add(-int32(len(tasks)))
	for range tasks {
		w.wake.Signal()
	}
}

// take waits for a shared task. ended is the number of tasks that the caller has finished. take
// returns false if no worker has a task left.
func (w *walk) take(ended int32) (task, bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.idle.Add(ended) == w.workers {
		w.wake.Broadcast()
	}
	for len(w.tasks) == 0 {
		if w.idle.Load() == w.workers {
			return task{}, false
		}
		w.wake.Wait()
	}
	t := w.tasks[len(w.tasks)-1]
	w.tasks = w.tasks[:len(w.tasks)-1]
	return t, true
}

func (w *walk) result(ctx context.Context) (diag.List, error) {
	return w.diags.Sorted(), cmp.Or(w.err, ctx.Err())
}

// failBy ends the walk if err means that no file descriptors are left, and reports whether it
// does.
func (w *walk) failBy(err error) bool {
	if !errors.Is(err, syscall.EMFILE) && !errors.Is(err, syscall.ENFILE) {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = fmt.Errorf("the system opens no more files; raise its limit (ulimit -n) or use fewer jobs: %w", diag.Cause(err))
	w.stop.Store(true)
	return true
}

// unreadable reports a folder that cannot be opened, unless the folder vanished.
func (w *walk) unreadable(path string, err error) {
	if !w.failBy(err) && !vanished(err) {
		w.warn(path, "unreadable-folder", "give the user who runs this the right to read it, or exclude it",
			"the folder cannot be read: %v", diag.Cause(err))
	}
}

// warnSpecial reports a device, pipe or socket at a path that the filter selects.
func (w *walk) warnSpecial(path string) {
	if w.Filter.Match(path) {
		w.warn(path, "special-file", "remove it, or exclude it", "not a regular file; it is not opened")
	}
}

func (w *walk) warn(path, code, hint, format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.diags.Warnf(diag.Pos{File: path}, code, hint, format, args...)
}

func (w *walk) note(path, code, hint, format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.diags.Notef(diag.Pos{File: path}, code, hint, format, args...)
}

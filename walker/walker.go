// Package walker lists the files of a tree that match globs, and opens them for
// the caller. It never leaves the tree and opens regular files only.
//
// The package may change; only package sitemap promises an API.
package walker

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"

	"github.com/sitewalk/sitewalk/diag"
)

// A Tree is a folder and all that lies below it. Paths inside it are relative
// to that folder and slash-separated, without a leading "./".
type Tree struct {
	source source
	name   string // that the user would type
}

// portable returns the same tree as Dir, read with package os.
func portable(path string) Tree { return Tree{&pathSource{osDisk(path)}, path} }

// FS returns the tree of fsys. Its symbolic links are followed where fsys is
// an fs.ReadLinkFS; absolute ones lead out of it.
func FS(fsys fs.FS) Tree { return Tree{source: &pathSource{fsDisk{fsys}}} }

// Options say what a walk delivers and how.
type Options struct {
	Filter *Filter // nil: HTMLFiles without excludes
	Jobs   int     // workers; 0: what suits the machine, see DefaultJobs
	Before string  // what File.Full begins with
}

// DefaultJobs is how many workers there are at least when Options.Jobs does not say;
// there are as many as processors if those are more. Each of them spends nearly all
// of its time in system calls. With cold caches the number of calls that wait at once
// decides, and of 8 to 32 workers none are faster than the others; with warm ones
// workers beyond the number of processors save no time and cost memory.
const DefaultJobs = 8

// Workers returns the number of goroutines that a walk with these options may
// call visit from, at least one.
func Workers(o Options) int {
	if o.Jobs > 0 {
		return o.Jobs
	}
	return max(DefaultJobs, runtime.GOMAXPROCS(0))
}

// Walk calls visit for each file of the tree that the filter matches, in no
// order, from up to Workers(o) goroutines, each with its own number from 0.
//
// Symbolic links to files and folders inside the tree are followed, except for
// links to a folder that contains them and folder links inside of linked
// folders; those, links that leave the tree or lead nowhere, devices, pipes,
// sockets and unreadable folders are findings. So are folders whose path is
// longer than MaxPath. What vanishes during the walk was never there.
//
// The error says that the tree cannot be listed: its root cannot be read, the
// context is done, or the process has no file descriptors left.
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

// Visit looks at one path again and calls visit if the path is a file that
// Walk would deliver. Its findings are those that Walk has for the path and
// the folders that lead to it.
func (t Tree) Visit(ctx context.Context, o Options, path string, visit func(f *File)) (found bool, diags diag.List, err error) {
	w, err := newWalk(ctx, t, o, func(_ int, f *File) { found = true; visit(f) })
	if err != nil {
		return false, nil, err
	}
	diags, err = w.one(ctx, path)
	return found, diags, err
}

// A node is a folder that the walk has reached. It stays open as long as a
// task refers to it.
type node struct {
	path   string // as delivered
	real   string // without links; equal to path where none was followed
	linked bool
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
	Options
	source source
	visit  func(worker int, f *File)
	root   *node
	stop   atomic.Bool

	workers int32
	idle    atomic.Int32 // workers without a task, less the tasks that are left for them

	mu    sync.Mutex
	wake  sync.Cond
	tasks []task // that busy workers left for idle ones
	diags diag.List
	err   error
}

func newWalk(ctx context.Context, t Tree, o Options, visit func(int, *File)) (*walk, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if o.Filter == nil {
		o.Filter, _ = NewFilter(nil, nil) // HTMLFiles are right
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

// give leaves tasks for idle workers.
func (w *walk) give(tasks ...task) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tasks = append(w.tasks, tasks...)
	w.idle.Add(-int32(len(tasks)))
	for range tasks {
		w.wake.Signal()
	}
}

// take waits for a task, for a worker that has ended so many. It is false when no
// worker has any, as then nothing is left to do.
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

// failBy ends the walk if an error says that the system opens no more files, and reports
// whether it does.
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

// unreadable says what kept a folder or a link's target from being opened.
func (w *walk) unreadable(path string, err error) {
	if !w.failBy(err) && !vanished(err) {
		w.warn(path, "unreadable-folder", "give the user who runs this the right to read it, or exclude it",
			"the folder cannot be read: %v", diag.Cause(err))
	}
}

// warnSpecial says why what would be wanted as a file is not opened.
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

// Package walker finds the files in a folder that match globs, and opens the files for the caller.
// It opens only regular files. It does not follow symbolic links out of the folder.
//
// The API of this package is not stable; only package sitemap promises a stable API.
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

// A Tree is a folder with all files and folders below. Paths in a tree are relative to the folder,
// and have slashes: "blog/a.html".
type Tree struct {
	source source
	dir    string // operating system path of the folder; "" for FS
}

// Options configure a walk. With the zero value, a walk selects HTMLFiles.
type Options struct {
	Filter *Filter // nil selects HTMLFiles
	Jobs   int     // number of workers; 0 or less means 8, or GOMAXPROCS if that is higher
}

// defaultJobs is the number of workers if Options.Jobs is 0 and GOMAXPROCS is not higher than 8.
// Workers spend nearly all of their time in system calls. With no file in the cache of the
// operating system, 8 workers are as fast as 32. With all files in the cache, more workers than
// processors save no time.
const defaultJobs = 8

// NumWorkers returns the number of goroutines with which Walk calls visit for the options o. It
// returns at least 1.
func NumWorkers(o Options) int {
	if o.Jobs > 0 {
		return o.Jobs
	}
	return max(defaultJobs, runtime.GOMAXPROCS(0))
}

// Walk calls visit for each file that the filter selects, in no particular order. Up to
// NumWorkers(o) goroutines call visit at the same time. worker is the number of the goroutine,
// counted from 0.
//
// Walk follows symbolic links to files and folders in the tree, so it may visit a file under
// several paths. It does not follow a link to a folder that contains the link. In a folder that it
// has reached through a link, it does not follow further links to folders.
//
// Walk returns sorted findings about links that are broken or not followed, devices, pipes,
// sockets, unreadable folders, and folders with a path longer than 3,072 bytes. There is no finding
// about a path that the filter leaves out, or about a folder that is removed during the walk. A
// file that is removed after Walk has listed its folder is still visited. Walk returns an error if
// the root cannot be opened, if ctx ends, or if too many files are open.
func (t Tree) Walk(ctx context.Context, o Options, visit func(worker int, f *File)) (diag.List, error) {
	w, err := newWalk(ctx, t, o, visit)
	if err != nil {
		return nil, err
	}
	defer context.AfterFunc(ctx, func() { w.stop.Store(true) })()
	w.addTasks(task{in: w.root})
	var all sync.WaitGroup
	for i := range NumWorkers(o) {
		all.Go(func() { (&worker{walk: w, number: i}).runTasks() })
	}
	all.Wait()
	return w.result(ctx)
}

// VisitFile calls visit for the file at path if Walk would visit this file. It opens only the
// folders on the path. found reports whether visit was called. diags contains the findings about
// path and the folders above. The errors are those of Walk.
func (t Tree) VisitFile(ctx context.Context, o Options, path string, visit func(f *File)) (found bool, diags diag.List, err error) {
	w, err := newWalk(ctx, t, o, func(_ int, f *File) { found = true; visit(f) })
	if err != nil {
		return false, nil, err
	}
	diags, err = w.visitPath(ctx, path)
	return found, diags, err
}

// A node is a folder that the walk enters. The folder stays open until no task and no worker uses
// the node.
type node struct {
	path   string // path in the tree
	real   string // path in the tree after resolving symbolic links
	linked bool   // path contains a symbolic link
	parent *node  // the folder that contains this one; nil for the root
	open   folder // the open folder; nil before openNode
	// refs is the number of unfinished tasks of the node, and of its subfolders that no worker has
	// opened yet.
	refs atomic.Int32
}

// A task is work for a worker: either a folder to list, or several files of one folder to visit.
type task struct {
	in    *node    // the folder to list, or the folder of the files
	files []target // files to visit; nil to list the folder
}

// A walk is the state of one call of Walk or VisitFile.
type walk struct {
	Options
	tree  Tree
	visit func(worker int, f *File)
	root  *node
	stop  atomic.Bool

	unfinished atomic.Int32 // number of tasks that no worker has finished

	mu    sync.Mutex
	wake  sync.Cond
	tasks []task // tasks that no worker has begun; the last one is next, so that the walk is depth first
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
	root, err := t.source.openFolderAt("")
	if err != nil {
		return nil, fmt.Errorf("folder %q: %w", path.Join(filepath.ToSlash(t.dir)), diag.Cause(err))
	}
	w := &walk{Options: o, tree: t, visit: visit}
	w.wake.L = &w.mu
	w.root = &node{open: root}
	w.root.refs.Store(1)
	return w, nil
}

// addTasks adds tasks, and wakes one idle worker for each task.
func (w *walk) addTasks(tasks ...task) {
	if len(tasks) == 0 {
		return
	}
	w.unfinished.Add(int32(len(tasks)))
	w.mu.Lock()
	defer w.mu.Unlock()
	w.tasks = append(w.tasks, tasks...)
	for range tasks {
		w.wake.Signal()
	}
}

// nextTask returns the next task. If there is none, it waits until another worker adds one. ok is
// false if all tasks are finished.
func (w *walk) nextTask() (t task, ok bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for len(w.tasks) == 0 {
		if w.unfinished.Load() == 0 {
			return task{}, false
		}
		w.wake.Wait()
	}
	last := len(w.tasks) - 1
	t = w.tasks[last]
	w.tasks = w.tasks[:last]
	return t, true
}

// finishTask records that a worker has finished a task. After the last task, it wakes all workers.
func (w *walk) finishTask() {
	if w.unfinished.Add(-1) == 0 {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.wake.Broadcast()
	}
}

// result returns the sorted findings of the walk, and the error that stopped the walk. The error is
// nil if the walk is complete.
func (w *walk) result(ctx context.Context) (diag.List, error) {
	return w.diags.Sorted(), cmp.Or(w.err, ctx.Err())
}

// stopIfTooManyOpenFiles stops the walk with an error, and returns true, if err means that too
// many files are open. Otherwise, it returns false.
func (w *walk) stopIfTooManyOpenFiles(err error) bool {
	if !errors.Is(err, syscall.EMFILE) && !errors.Is(err, syscall.ENFILE) {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.err = fmt.Errorf("the system opens no more files; raise its limit (ulimit -n) or use fewer jobs: %w", diag.Cause(err))
	w.stop.Store(true)
	return true
}

// reportUnreadable adds a finding about the folder at path, which could not be read because of err.
// It adds no finding if the folder was removed during the walk. If too many files are open, it
// stops the walk instead.
func (w *walk) reportUnreadable(path string, err error) {
	if !w.stopIfTooManyOpenFiles(err) && !isVanished(err) {
		w.addWarning(path, "unreadable-folder", "give the user who runs this the right to read it, or exclude it",
			"the folder cannot be read: %v", diag.Cause(err))
	}
}

// warnSpecialFile adds a warning that the file at path is a device, pipe or socket. It adds no
// warning if the filter does not select path.
func (w *walk) warnSpecialFile(path string) {
	if w.Filter.Match(path) {
		w.addWarning(path, "special-file", "remove it, or exclude it", "not a regular file; it is not opened")
	}
}

func (w *walk) addWarning(path, code, hint, format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.diags.Warnf(diag.Pos{File: path}, code, hint, format, args...)
}

func (w *walk) addNote(path, code, hint, format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.diags.Notef(diag.Pos{File: path}, code, hint, format, args...)
}

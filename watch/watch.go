// Package watch reports changed files in batches. A batch ends when no file has changed for a
// moment, but at the latest after [MaxBatchTime].
//
// Each path in a batch may have changed, and the caller should read the file again. The package
// does not report single events, because generators delete, swap and rewrite whole trees. It does
// not open files.
//
// The API of this package is not stable; only package sitemap promises a stable API.
package watch

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/internal/files"
)

const (
	DefaultQuiet = 100 * time.Millisecond // default value of Options.Quiet
	MaxBatchTime = 2 * time.Second        // a batch ends at the latest this long after its first change
)

// Options configure a Watcher.
type Options struct {
	Trees []Tree
	Quiet time.Duration // a batch ends after this time without changes; 0 means DefaultQuiet
	Poll  time.Duration // interval for comparing all files; 0 means to use events of the system

	refuse func(dir string) error // for tests: the error of watching dir; nil to watch
}

// A Tree is a folder to watch, with its subfolders.
type Tree struct {
	Dir  string // operating system path; the folder may be missing and appear later
	Name string // name of the tree in Batch.Paths, unique among the trees
	// Enters reports whether a subfolder of Dir is watched. folder is relative to Dir and has
	// slashes: "blog/2024". If Enters is nil, all subfolders are watched.
	Enters func(folder string) bool
}

// shouldWatchFolder reports whether folder, a path relative to t.Dir, is to be watched; see Enters.
func (t *Tree) shouldWatchFolder(folder string) bool { return t.Enters == nil || t.Enters(folder) }

// isPathWatched reports whether the path p is in a watched folder of the tree, so that events about
// p arrive. p is relative to the tree and has slashes; the file need not exist.
func (t *Tree) isPathWatched(p string) bool {
	parent := path.Dir(p)
	return parent == "." || t.shouldWatchFolder(parent)
}

// resolveDir resolves the symbolic links in t.Dir. It returns the path of the folder and
// information about the folder. If the folder does not exist, dir is "" and root is nil.
func (t *Tree) resolveDir() (dir string, root fs.FileInfo) {
	dir, err := filepath.EvalSymlinks(t.Dir)
	if err != nil {
		return "", nil
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return "", nil
	}
	os.SameFile(info, info) // on Windows, the first call for info reads the identity of the folder, which may change later
	return dir, info
}

// relativePath returns the path of name relative to dir, with slashes. ok is false if name is not
// below dir, or is dir itself.
func relativePath(dir, name string) (p string, ok bool) {
	rel, ok := files.RelBelow(dir, name)
	return filepath.ToSlash(rel), ok && rel != "."
}

// A Batch contains the changes since the previous batch.
type Batch struct {
	Paths  map[string][]string // changed paths by Tree.Name; sorted, relative to the tree, with slashes
	Linked bool                // a changed tree contains symbolic links, so files that are not in Paths may have changed, too
	Rescan bool                // any file may have changed; Paths may be incomplete
	Busy   bool                // the batch ended after MaxBatchTime, although changes continued
	Notes  []string            // messages for the user, such as that the system cannot watch
}

func (b *Batch) isEmpty() bool {
	return !b.Rescan && len(b.Notes) == 0 && len(b.Paths) == 0
}

// A Watcher watches trees until Close. It is not safe for concurrent use.
type Watcher struct {
	o       Options
	source  source
	changes *changes
	notes   []string
}

// A source detects changed files, by events of the system or by polling, and records them in a
// changes value.
type source interface {
	// wait waits for a change and reports whether there was one. If d is positive, wait returns
	// false after the time d without a change. It returns an error if ctx ends, or if the system
	// cannot watch.
	wait(ctx context.Context, d time.Duration) (changed bool, err error)
	// finishBatch is called at the end of a batch. If the system has dropped events, it watches all
	// trees again and marks all files as changed. It returns an error if the system cannot watch.
	finishBatch() error
	close() error
}

// New starts to watch o.Trees. The first batch contains the changes since New returned. If the
// system cannot watch, the Watcher polls the files, and the first batch contains a note about that.
func New(o Options) *Watcher {
	if o.Quiet <= 0 {
		o.Quiet = DefaultQuiet
	}
	w := &Watcher{o: o, changes: new(changes)}
	if o.Poll > 0 {
		w.source = newPoller(o, w.changes)
		return w
	}
	n := newNotifier(o, w.changes)
	w.source = n
	if err := n.watchTrees(); err != nil {
		w.fallBackToPolling(err)
	} else {
		*w.changes = changes{}
	}
	return w
}

// fallBackPoll is the polling interval of a Watcher on a system that cannot watch.
const fallBackPoll = 2 * time.Second

// fallBackToPolling switches w to polling because of err. The next batch has Rescan set, because
// earlier changes may be lost.
func (w *Watcher) fallBackToPolling(err error) {
	_ = w.source.close()
	w.notes = append(w.notes, fmt.Sprintf("the system cannot watch: %v; looking for changes every %v instead", err, fallBackPoll))
	o := w.o
	o.Poll = fallBackPoll
	w.source = newPoller(o, w.changes)
	w.changes.rescan = true
}

// Next waits for a change and then for the end of the batch, and returns the batch. If limit is
// positive and no file changes within limit, Next returns an empty batch. Next returns an error if
// ctx ends.
func (w *Watcher) Next(ctx context.Context, limit time.Duration) (Batch, error) {
	for {
		if len(w.notes) == 0 {
			changed, err := w.wait(ctx, limit)
			if err != nil || !changed {
				return Batch{}, err
			}
		}
		quiet, err := w.waitForQuiet(ctx)
		if err != nil {
			return Batch{}, err
		}
		if err := w.source.finishBatch(); err != nil {
			w.fallBackToPolling(err)
		}
		b := w.changes.takeBatch()
		b.Busy = !quiet
		b.Notes, w.notes = w.notes, nil
		if !b.isEmpty() {
			return b, nil
		}
	}
}

// waitForQuiet waits until no file has changed for the time Options.Quiet. If changes continue for
// MaxBatchTime, it returns quiet = false.
func (w *Watcher) waitForQuiet(ctx context.Context) (quiet bool, err error) {
	for end := time.Now().Add(MaxBatchTime); ; {
		left := time.Until(end)
		if left <= 0 {
			return false, nil
		}
		changed, err := w.wait(ctx, min(w.o.Quiet, left))
		if err != nil || !changed {
			return left >= w.o.Quiet, err
		}
	}
}

// wait waits for a change like source.wait. If the system cannot watch, wait switches to polling
// and returns true.
func (w *Watcher) wait(ctx context.Context, d time.Duration) (changed bool, err error) {
	changed, err = w.source.wait(ctx, d)
	if err == nil || ctx.Err() != nil {
		return changed, err
	}
	w.fallBackToPolling(err)
	return true, nil
}

// Close stops w and releases its watches.
func (w *Watcher) Close() error { return w.source.close() }

// changes collects the changes for the next batch.
type changes struct {
	paths  map[string]map[string]bool // changed paths by the name of the tree
	linked bool                       // see Batch.Linked
	rescan bool                       // see Batch.Rescan
}

// add records that path in the tree t has changed. It does nothing if c.rescan is set, because then
// all files count as changed.
func (c *changes) add(t *Tree, path string) {
	if c.rescan {
		return
	}
	if c.paths == nil {
		c.paths = map[string]map[string]bool{}
	}
	if c.paths[t.Name] == nil {
		c.paths[t.Name] = map[string]bool{}
	}
	c.paths[t.Name][path] = true
}

// takeBatch returns the collected changes as a Batch, and empties c.
func (c *changes) takeBatch() Batch {
	b := Batch{Rescan: c.rescan, Linked: c.linked, Paths: make(map[string][]string, len(c.paths))}
	for tree, set := range c.paths {
		b.Paths[tree] = slices.Sorted(maps.Keys(set))
	}
	*c = changes{}
	return b
}

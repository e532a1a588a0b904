// Package watch reports changed files of some trees in batches, each after a
// quiet moment.
//
// A path in a batch means that the caller should look at it again: generators
// wipe, swap and rewrite whole trees, so a single event proves little. The
// package does not open files.
//
// The package may change; only package sitemap promises an API.
package watch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Quiet and Ceiling are the defaults of Options. A batch is complete after Quiet
// without changes, and at the latest Ceiling after its first change.
const (
	Quiet   = 100 * time.Millisecond
	Ceiling = 2 * time.Second
)

// Options configure a Watcher.
type Options struct {
	Trees   []Tree
	Quiet   time.Duration // 0: Quiet
	Ceiling time.Duration // 0: Ceiling
	Poll    time.Duration // look at all files this often instead of using the system's events; 0: use events

	maxEvents int                    // waiting events before all files count as changed; 0: maxEvents
	refuse    func(dir string) error // fakes a system that cannot watch a folder
}

// A Batch is what changed since the last one.
type Batch struct {
	Paths  map[string][]string // by the tree's name: relative, slash-separated, sorted, unique
	Linked bool                // the trees have symbolic links, so Paths may be visible at other paths too
	Rescan bool                // anything may have changed
	Busy   bool                // changes went on until the ceiling
	Notes  []string            // messages about the watch itself
}

func (b *Batch) empty() bool {
	return !b.Rescan && len(b.Notes) == 0 && len(b.Paths) == 0
}

// A Watcher watches trees until it is closed. Only one goroutine may use it.
type Watcher struct {
	o       Options
	source  source
	changes *changes
	notes   []string
}

// A source finds changes, from the system's events or by polling.
type source interface {
	// wait waits for a change, at most d if d is above 0. An error may belong to
	// an earlier call of settle or add.
	wait(ctx context.Context, d time.Duration) (bool, error)
	// settle is called before the changes are taken.
	settle()
	// add watches one more tree.
	add(t Tree)
	close() error
}

// New starts to watch. The next batch contains the changes from now on. If the
// system cannot watch, the Watcher polls and adds a note to the first batch.
func New(o Options) *Watcher {
	if o.Quiet <= 0 {
		o.Quiet = Quiet
	}
	if o.Ceiling <= 0 {
		o.Ceiling = max(Ceiling, o.Quiet)
	}
	w := &Watcher{o: o, changes: new(changes)}
	if o.Poll > 0 {
		w.source = newPoller(o, w.changes)
		return w
	}
	n := newNotifier(o, w.changes)
	w.source = n
	w.fallBack(n.failed)
	return w
}

// A refusedError reports that the system cannot watch a folder.
type refusedError struct {
	error
	remedy string
}

// fallBackPoll is the polling interval if the system cannot watch.
const fallBackPoll = 2 * time.Second

// fallBack switches to polling if err is a refusedError, and reports whether it is.
// Earlier changes may be unknown, so the next batch asks for a rescan.
func (w *Watcher) fallBack(err error) bool {
	r, ok := errors.AsType[*refusedError](err)
	if !ok {
		return false
	}
	_ = w.source.close()
	note := fmt.Sprintf("the system cannot watch: %v; looking for changes every %v instead", r, fallBackPoll)
	if r.remedy != "" {
		note += "; " + r.remedy
	}
	w.notes = append(w.notes, note)
	o := w.o
	o.Poll = fallBackPoll
	w.source = newPoller(o, w.changes)
	w.changes.rescan = true
	return true
}

// Add watches one more tree. The next batch contains its changes from now on.
func (w *Watcher) Add(t Tree) {
	w.o.Trees = append(w.o.Trees, t)
	w.source.add(t)
}

// Next waits for changes, then for a quiet moment, and returns the changes. If
// limit is above zero, Next returns an empty batch after that time without
// changes. The error is that of ctx.
func (w *Watcher) Next(ctx context.Context, limit time.Duration) (Batch, error) {
	for {
		if len(w.notes) == 0 {
			happened, err := w.wait(ctx, limit)
			if err != nil || !happened {
				return Batch{}, err
			}
		}
		quiet, err := w.waitForQuiet(ctx)
		if err != nil {
			return Batch{}, err
		}
		w.source.settle()
		b := w.changes.take()
		b.Busy = !quiet
		b.Notes, w.notes = w.notes, nil
		if !b.empty() {
			return b, nil
		}
	}
}

// waitForQuiet waits for the quiet period without changes, at most until the
// ceiling.
func (w *Watcher) waitForQuiet(ctx context.Context) (quiet bool, err error) {
	for end := time.Now().Add(w.o.Ceiling); ; {
		left := time.Until(end)
		if left <= 0 {
			return false, nil
		}
		happened, err := w.wait(ctx, min(w.o.Quiet, left))
		if err != nil || !happened {
			return left >= w.o.Quiet, err
		}
	}
}

func (w *Watcher) wait(ctx context.Context, d time.Duration) (bool, error) {
	happened, err := w.source.wait(ctx, d)
	if w.fallBack(err) {
		return true, nil
	}
	return happened, err
}

// Close ends the watch.
func (w *Watcher) Close() error { return w.source.close() }

// changes collects changes until they are taken.
type changes struct {
	paths  map[string]map[string]bool // by tree
	linked bool
	rescan bool
}

// add records a path, unless everything counts as changed.
func (c *changes) add(t *Tree, path string) {
	if c.rescan {
		return
	}
	if c.paths == nil {
		c.paths = map[string]map[string]bool{}
	}
	set := c.paths[t.name()]
	if set == nil {
		set = map[string]bool{}
		c.paths[t.name()] = set
	}
	set[path] = true
}

// forget removes the paths of a tree.
func (c *changes) forget(t *Tree) { delete(c.paths, t.name()) }

// take returns the changes as a batch and clears them. If the batch asks for a
// rescan, its paths are incomplete.
func (c *changes) take() Batch {
	b := Batch{Rescan: c.rescan, Linked: c.linked, Paths: make(map[string][]string, len(c.paths))}
	for tree, set := range c.paths {
		b.Paths[tree] = slices.Sorted(maps.Keys(set))
	}
	*c = changes{}
	return b
}

// Package watch tells which files of some trees changed, in quiet batches.
//
// A path in a batch means "look again" and nothing else: generators wipe, swap
// and rewrite whole trees, and what single events say of that is wrong after
// the first rebuild. The package refuses to open files and to know what they
// mean.
//
// Promised to importers before version 1: names and meanings stay; Options may gain fields.
package watch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"
)

// The quiet period, unless Options say otherwise: what has begun is waited for
// until nothing happened for Quiet, but no longer than Ceiling.
const (
	Quiet   = 100 * time.Millisecond
	Ceiling = 2 * time.Second
)

// A Tree is a folder that is watched.
type Tree struct {
	Dir  string // path of the operating system; it may be missing, and come and go
	Name string // what a Batch calls it, no other tree; "" is Dir
	Flat bool   // only what lies in the folder itself matters
	// Enters reports whether what happens in a folder below matters; nil is
	// true. The path is relative to Dir, slash-separated. It is called by
	// several goroutines.
	Enters func(folder string) bool
	// Wants reports whether what happens to a name in a Flat tree matters; nil
	// is true. It is called by several goroutines, during calls of the Watcher.
	Wants func(name string) bool
}

func (t *Tree) name() string { return cmp.Or(t.Name, t.Dir) }

func (t *Tree) wants(name string) bool { return t.Wants == nil || t.Wants(name) }

// Options say what to watch and how.
type Options struct {
	Trees   []Tree
	Quiet   time.Duration // 0: Quiet
	Ceiling time.Duration // 0: Ceiling
	Poll    time.Duration // look at everything this often instead of asking the system for events; 0: do not
	Queue   uint          // events that wait to be taken before everything is looked at instead; 0: 65,536

	refuse func(dir string) error // stands for a system that does not watch a folder
}

// A Batch is what changed since the last one.
type Batch struct {
	Paths  map[string][]string // by the tree's name, relative to it, slash-separated, sorted, each once
	Linked bool                // there are symbolic links: what Paths name may show elsewhere too
	Rescan bool                // look at everything: what changed is not known
	Busy   bool                // it did not become quiet before the ceiling
	Notes  []string            // what the user should know of the watch itself
}

func (b *Batch) empty() bool {
	return !b.Rescan && len(b.Notes) == 0 && len(b.Paths) == 0
}

// A Watcher watches until it is closed. It is for one goroutine.
type Watcher struct {
	o       Options
	backend backend
	notes   []string
}

// A backend collects changes: from the system's events, or by looking.
type backend interface {
	// wait returns when something happened, when d has passed (0 is never), or when
	// ctx ends. It reports whether anything happened. An error may be that of an
	// earlier call of take or add.
	wait(ctx context.Context, d time.Duration) (bool, error)
	// take returns what changed and forgets it. It may watch again, which ctx ends.
	take(ctx context.Context) Batch
	// add watches one more tree.
	add(t Tree)
	close() error
}

// New begins to watch: what changes from now on is in the next batch. When the
// system refuses, it looks for changes every second instead and says so in the
// first batch's Notes.
func New(o Options) *Watcher {
	if o.Quiet <= 0 {
		o.Quiet = Quiet
	}
	if o.Ceiling <= 0 {
		o.Ceiling = max(Ceiling, o.Quiet)
	}
	w := &Watcher{o: o}
	if o.Poll > 0 {
		w.backend = newPoller(o)
		return w
	}
	n := newNotifier(o)
	w.backend = n
	w.refused(n.failed)
	return w
}

// A refusedError says that the system cannot watch what it is asked to.
type refusedError struct {
	error
	remedy string
}

// fallBackPoll is how often a poller looks that was not asked for; less often where
// that would take more than a tenth of the time.
const fallBackPoll = time.Second

// refused reports whether an error says that the system cannot watch. If it does, the
// watcher polls from now on. What happened until now is not known.
func (w *Watcher) refused(err error) bool {
	r, ok := errors.AsType[*refusedError](err)
	if !ok {
		return false
	}
	_ = w.backend.close()
	note := fmt.Sprintf("the system cannot watch: %v; looking for changes every %v instead", r, fallBackPoll)
	if r.remedy != "" {
		note += "; " + r.remedy
	}
	w.notes = append(w.notes, note)
	o := w.o
	o.Poll = fallBackPoll
	p := newPoller(o)
	p.blind, p.lazy = true, true
	w.backend = p
	return true
}

// Add watches one more tree. What changes in it from now on is in the next batch.
func (w *Watcher) Add(t Tree) {
	w.o.Trees = append(w.o.Trees, t)
	w.backend.add(t)
}

// Next waits for changes, then for quiet, and returns them. With a limit above
// zero it returns an empty batch after that time without changes. The error is
// that of ctx.
func (w *Watcher) Next(ctx context.Context, limit time.Duration) (Batch, error) {
	for {
		happened, err := w.wait(ctx, limit)
		if err != nil {
			return Batch{}, err
		}
		if !happened {
			return Batch{}, nil
		}
		quiet, err := w.waitForQuiet(ctx)
		if err != nil {
			return Batch{}, err
		}
		b := w.backend.take(ctx)
		b.Busy = !quiet
		b.Notes, w.notes = w.notes, nil
		if !b.empty() {
			return b, nil
		}
	}
}

// waitForQuiet waits until nothing happens for the quiet period, at most until the
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

// wait is that of the backend, which is replaced when the system refuses to go
// on.
func (w *Watcher) wait(ctx context.Context, d time.Duration) (bool, error) {
	happened, err := w.backend.wait(ctx, d)
	if w.refused(err) {
		return true, nil
	}
	return happened, err
}

// Close ends the watch.
func (w *Watcher) Close() error { return w.backend.close() }

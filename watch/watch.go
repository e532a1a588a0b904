// Package watch tells which files of some trees changed, in quiet batches.
//
// A path in a batch means "look again" and nothing else: generators wipe, swap
// and rewrite whole trees, and what single events say of that is wrong after
// the first rebuild. The package refuses to open files and to know what they
// mean.
package watch

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// The quiet period, unless Options say otherwise: what has begun is waited for
// until nothing happened for Quiet, but no longer than Ceiling.
const (
	Quiet   = 100 * time.Millisecond
	Ceiling = 2 * time.Second
)

// A Tree is a folder that is watched with all that lies below it.
type Tree struct {
	Dir string // path of the operating system; it may be missing, and come and go
	// Enters reports whether what happens in a folder matters; nil is true. The
	// path is relative to Dir, slash-separated.
	Enters func(folder string) bool
}

// Options say what to watch and how.
type Options struct {
	Trees   []Tree
	Folders []string      // folders whose own files matter, without what lies deeper
	Quiet   time.Duration // 0: Quiet
	Ceiling time.Duration // 0: Ceiling
	Poll    time.Duration // look at everything this often instead of asking the system for events; 0: do not
	Queue   uint          // events that wait to be read; 0: what suits the system
}

// A Batch is what changed since the last one.
type Batch struct {
	Paths  [][]string // per tree, relative to it, slash-separated, sorted, each once
	Files  []string   // of Folders: paths as Folders named them, sorted
	Rescan bool       // look at everything: nobody knows what changed
	Notes  []string   // what the user should know of the watch itself
}

func (b *Batch) empty() bool {
	return !b.Rescan && len(b.Files) == 0 && len(b.Notes) == 0 &&
		!slices.ContainsFunc(b.Paths, func(p []string) bool { return len(p) > 0 })
}

// A Watcher watches until it is closed. It is for one goroutine.
type Watcher struct {
	o       Options
	backend backend
	notes   []string
}

// A backend collects changes: from the system's events, or by looking.
type backend interface {
	// wait returns when something may have changed, has been changing until d
	// from now, or ctx ends. It reports whether anything happened.
	wait(ctx context.Context, d time.Duration) (bool, error)
	// take returns what changed and forgets it.
	take() *Batch
	close() error
}

// New begins to watch. When the system refuses, it looks for changes every
// second instead and says so in the first batch's Notes. What changes from now
// on is in the next batch.
func New(o Options) (*Watcher, error) {
	if o.Quiet <= 0 {
		o.Quiet = Quiet
	}
	if o.Ceiling <= 0 {
		o.Ceiling = max(Ceiling, o.Quiet)
	}
	w := &Watcher{o: o}
	if o.Poll > 0 {
		w.backend = newPoller(o)
		return w, nil
	}
	n, err := newNotifier(o)
	if err != nil {
		w.fallBack(err)
		return w, nil
	}
	w.backend = n
	return w, nil
}

// errRefused says that the system cannot watch what it is asked to.
type errRefused struct {
	cause  error
	remedy string
}

func (e *errRefused) Error() string { return e.cause.Error() }
func (e *errRefused) Unwrap() error { return e.cause }

const fallBackPoll = time.Second

// fallBack polls from now on.
func (w *Watcher) fallBack(err error) {
	note := fmt.Sprintf("the system cannot watch: %v; looking for changes every %v instead", err, fallBackPoll)
	if r := (*errRefused)(nil); errors.As(err, &r) && r.remedy != "" {
		note += "; " + r.remedy
	}
	w.notes = append(w.notes, note)
	o := w.o
	o.Poll = fallBackPoll
	w.backend = newPoller(o)
}

// Next waits for changes, then for quiet, and returns them. With a limit above
// zero it returns an empty batch after that time without changes. The error is
// that of ctx.
func (w *Watcher) Next(ctx context.Context, limit time.Duration) (Batch, error) {
	if len(w.notes) > 0 {
		b := Batch{Notes: w.notes, Paths: make([][]string, len(w.o.Trees)), Rescan: true}
		w.notes = nil
		return b, ctx.Err()
	}
	for {
		happened, err := w.backend.wait(ctx, limit)
		if err := w.refused(err); err != nil {
			return Batch{}, err
		}
		if !happened && limit > 0 {
			return Batch{Paths: make([][]string, len(w.o.Trees))}, ctx.Err()
		}
		if happened {
			if err := w.settle(ctx); err != nil {
				return Batch{}, err
			}
		}
		if b := w.backend.take(); !b.empty() {
			b.Notes = append(b.Notes, w.notes...)
			w.notes = nil
			return *b, ctx.Err()
		}
		if err := ctx.Err(); err != nil {
			return Batch{}, err
		}
	}
}

// settle waits until nothing happens for the quiet period, at most until the
// ceiling.
func (w *Watcher) settle(ctx context.Context) error {
	for end := time.Now().Add(w.o.Ceiling); time.Now().Before(end); {
		happened, err := w.backend.wait(ctx, w.o.Quiet)
		if err := w.refused(err); err != nil {
			return err
		}
		if !happened {
			return nil
		}
	}
	return nil
}

// refused changes to polling when the system refuses to go on.
func (w *Watcher) refused(err error) error {
	r := (*errRefused)(nil)
	if !errors.As(err, &r) {
		return err
	}
	_ = w.backend.close()
	w.fallBack(err)
	w.backend.(*poller).changes.Rescan = true
	return nil
}

// Polls reports whether the watcher looks instead of being told.
func (w *Watcher) Polls() bool { _, ok := w.backend.(*poller); return ok }

// Close ends the watch.
func (w *Watcher) Close() error { return w.backend.close() }

// changes gather what happened until it is taken.
type changes struct {
	Batch
	trees int
	paths []map[string]bool
	files map[string]bool
}

func newChanges(trees int) changes {
	c := changes{trees: trees, paths: make([]map[string]bool, trees), files: map[string]bool{}}
	for i := range c.paths {
		c.paths[i] = map[string]bool{}
	}
	return c
}

func (c *changes) take() *Batch {
	b := c.Batch
	b.Paths = make([][]string, c.trees)
	for i, set := range c.paths {
		b.Paths[i] = sorted(set)
	}
	b.Files = sorted(c.files)
	*c = newChanges(c.trees)
	return &b
}

func sorted(set map[string]bool) []string {
	out := make([]string, 0, len(set))
	for p := range set {
		out = append(out, p)
	}
	slices.Sort(out)
	return out
}

// relative returns the slash-separated path of name below dir.
func relative(dir, name string) (string, bool) {
	rest, ok := strings.CutPrefix(name, dir)
	if !ok || rest == "" || !isSeparator(rest[0]) && !isSeparator(dir[len(dir)-1]) {
		return "", false
	}
	return filepath.ToSlash(strings.TrimLeftFunc(rest, func(r rune) bool { return r < 0x80 && isSeparator(byte(r)) })), true
}

func isSeparator(c byte) bool { return c == '/' || c == filepath.Separator }

func (t *Tree) enters(folder string) bool { return t.Enters == nil || t.Enters(folder) }

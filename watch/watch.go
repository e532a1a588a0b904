// Package watch reports changed files in batches, each after a quiet moment.
//
// A path in a batch may have changed, and the caller should read it again. Generators delete,
// swap and rewrite whole trees, so the package does not report single events. The package does
// not open files.
//
// The package may change; only package sitemap promises an API.
package watch

import (
	"cmp"
	"context"
	"errors"
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

// Quiet and Ceiling are the defaults of Options. A batch is complete after Quiet without
// changes, and at the latest Ceiling after its first change.
const (
	Quiet   = 100 * time.Millisecond
	Ceiling = 2 * time.Second
)

// Options configure a Watcher.
type Options struct {
	Trees   []Tree
	Quiet   time.Duration // 0 means the constant Quiet
	Ceiling time.Duration // 0 means the constant Ceiling, or Quiet if that is longer
	Poll    time.Duration // interval for polling all files; 0 uses events of the system

	refuse func(dir string) error // simulates a system that cannot watch a folder, for tests
}

// A Tree is a folder to watch, with its subfolders.
type Tree struct {
	Dir  string // operating system path; the folder may be missing and reappear
	Name string // unique name in a Batch; "" means Dir
	// Enters reports whether changes in a subfolder matter. nil means that all subfolders
	// matter. The path is relative to Dir and uses slashes.
	Enters func(folder string) bool
}

func (t *Tree) name() string { return cmp.Or(t.Name, t.Dir) }

func (t *Tree) enters(folder string) bool { return t.Enters == nil || t.Enters(folder) }

// contains reports whether a file or folder at path p would be part of the tree.
func (t *Tree) contains(p string) bool {
	parent := path.Dir(p)
	return parent == "." || t.enters(parent)
}

// find returns the path of the tree's folder without symbolic links. root is nil if the folder
// does not exist.
func (t *Tree) find() (dir string, root fs.FileInfo) {
	dir, err := filepath.EvalSymlinks(t.Dir)
	if err != nil {
		return "", nil
	}
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() {
		return "", nil
	}
	os.SameFile(info, info) // on Windows, the first comparison reads the identity of the folder, which must happen now
	return dir, info
}

// join returns the operating system path of p, a path in the tree at dir.
func join(dir, p string) string { return filepath.Join(dir, filepath.FromSlash(p)) }

// relative returns the path of name relative to dir, with slashes. ok is false if name is not
// below dir.
func relative(dir, name string) (p string, ok bool) {
	rel, ok := files.Below(dir, name)
	return filepath.ToSlash(rel), ok && rel != "."
}

// A Batch contains the changes since the last batch.
type Batch struct {
	Paths  map[string][]string // by Tree.Name; relative to the tree, with slashes, sorted, without duplicates
	Linked bool                // the trees contain symbolic links, so changes may affect other paths, too
	Rescan bool                // any file may have changed; Paths is incomplete
	Busy   bool                // changes continued until the ceiling
	Notes  []string            // messages about the watch
}

func (b *Batch) empty() bool {
	return !b.Rescan && len(b.Notes) == 0 && len(b.Paths) == 0
}

// A Watcher watches trees until Close. It is not safe for concurrent use.
type Watcher struct {
	o       Options
	source  source
	changes *changes
	notes   []string
}

// A source finds changes, by system events or by polling.
type source interface {
	// wait waits for a change and reports whether there was one. If d is positive, wait returns
	// false after d. The error may come from an earlier settle.
	wait(ctx context.Context, d time.Duration) (bool, error)
	// settle is called before the caller takes the changes.
	settle()
	close() error
}

// New starts to watch. The first batch contains the changes since the call. If the system
// cannot watch, the Watcher polls, and the first batch contains a note.
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

// fallBack switches to polling if err is a refusedError, and reports whether it did. Earlier
// changes may be lost, so the next batch requests a rescan.
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

// Next waits for a change and then for a quiet moment, and returns a batch. If limit is
// positive and no change arrives within limit, Next returns an empty batch. Next returns an
// error if ctx ends.
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

// waitForQuiet waits for a quiet period, at most until the ceiling. It reports whether there
// was one.
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

// Close stops watching.
func (w *Watcher) Close() error { return w.source.close() }

// changes collects changes between two batches.
type changes struct {
	paths  map[string]map[string]bool // by tree
	linked bool
	rescan bool
}

// add records a path, unless all files already count as changed.
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

// take returns the changes as a batch and clears them. If Rescan is set, Paths is incomplete.
func (c *changes) take() Batch {
	b := Batch{Rescan: c.rescan, Linked: c.linked, Paths: make(map[string][]string, len(c.paths))}
	for tree, set := range c.paths {
		b.Paths[tree] = slices.Sorted(maps.Keys(set))
	}
	*c = changes{}
	return b
}

package watch

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A notifier receives events from the system. It watches folders instead of files, because a
// watch on a file ends when an editor replaces the file.
type notifier struct {
	o       Options
	changes *changes
	trees   []*watchedTree
	fs      *fsnotify.Watcher
	queue   *queue
	folders map[string]bool // watched folders
	lost    bool            // events were lost
	failed  error           // error of arm, until wait returns it
	ticker  *time.Ticker    // interval of checkRoots
}

// A watchedTree is a tree with its current folder.
type watchedTree struct {
	Tree
	dir   string      // path without symbolic links, as in events; "" if the folder is missing
	root  fs.FileInfo // of dir
	links bool        // the tree has symbolic links
}

// rootInterval is the interval between two checks of the roots. No event reports that a folder
// above a root was moved or replaced.
const rootInterval = 300 * time.Millisecond

func newNotifier(o Options, c *changes) *notifier {
	n := &notifier{o: o, changes: c, ticker: time.NewTicker(rootInterval)}
	for _, t := range o.Trees {
		n.trees = append(n.trees, &watchedTree{Tree: t})
	}
	n.failed = n.arm()
	*c = changes{}
	return n
}

// arm watches all trees anew. It opens a new queue: removing the watches from the old queue
// would add one event for each, and may overflow the queue again.
func (n *notifier) arm() error {
	n.changes.rescan, n.lost = true, false
	n.closeQueue()
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return newRefusedError(err)
	}
	n.fs, n.queue, n.folders = w, newQueue(w), map[string]bool{}
	for _, t := range n.trees {
		t.links = false
		if t.dir, t.root = t.find(); t.root == nil {
			continue
		}
		if err := n.follow(t, "."); err != nil {
			return err
		}
	}
	return nil
}

// follow watches a folder and all folders below, and records their files as changed. It watches
// a folder before listing the folder, because files made earlier sent no event.
func (n *notifier) follow(t *watchedTree, folder string) error {
	dir := join(t.dir, folder)
	if err := n.watch(dir); err != nil {
		return err
	}
	entries, _ := os.ReadDir(dir) // a missing or unreadable folder is empty
	for _, e := range entries {
		p := path.Join(folder, e.Name())
		switch {
		case !e.IsDir():
			n.changes.add(&t.Tree, p)
			n.noteLink(t, e.Type())
		case t.enters(p):
			if err := n.follow(t, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (n *notifier) noteLink(t *watchedTree, mode fs.FileMode) {
	if mode&fs.ModeSymlink != 0 {
		t.links, n.changes.linked = true, true
	}
}

// watch starts to receive the events of a folder. It ignores a folder that is missing or
// unreadable.
func (n *notifier) watch(dir string) error {
	err := n.fs.Add(dir)
	if n.o.refuse != nil {
		err = errors.Join(err, n.o.refuse(dir))
	}
	switch {
	case err == nil:
		n.folders[dir] = true
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
	default:
		return newRefusedError(err)
	}
	return nil
}

// newRefusedError returns a refusedError with the remedy for a limit of the system; see
// inotify(7).
func newRefusedError(err error) error {
	r := &refusedError{error: err}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		r.error = errors.New("the limit of watched folders is reached")
		r.remedy = "sudo sysctl fs.inotify.max_user_watches=1048576 raises it"
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		r.error = errors.New("the limit of watchers or open files is reached")
		r.remedy = "sudo sysctl fs.inotify.max_user_instances=1024, or ulimit -n, raises it"
	}
	return r
}

func (n *notifier) wait(ctx context.Context, d time.Duration) (bool, error) {
	if err := n.failed; err != nil {
		n.failed = nil
		return false, err
	}
	var limit <-chan time.Time
	if d > 0 {
		limit = time.After(d)
	}
	for {
		happened, err := false, error(nil)
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-limit:
			return false, nil
		case <-n.ticker.C:
			happened, err = n.checkRoots()
		case <-n.queue.wake:
			happened, err = n.receive()
		}
		if happened || err != nil {
			return happened, err
		}
	}
}

// checkRoots watches all trees anew if the root of a tree was replaced or has other permissions,
// and reports whether it did. An unreadable folder sends no event.
func (n *notifier) checkRoots() (changed bool, err error) {
	for _, t := range n.trees {
		dir, root := t.find()
		if dir != t.dir || root != nil && (!os.SameFile(root, t.root) || root.Mode() != t.root.Mode()) {
			return true, n.arm()
		}
	}
	return false, nil
}

// receive handles the queued events, and reports whether any event matters. If events were
// lost, settle watches all trees anew after a quiet moment, because more losses usually follow.
func (n *notifier) receive() (bool, error) {
	events, err := n.queue.take()
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EMFILE):
		return true, newRefusedError(err)
	case err != nil:
		n.lost = true
	}
	if n.lost {
		return true, nil
	}
	var moved []string // names that were created, removed or replaced
	mattered := false
	for _, name := range slices.Sorted(maps.Keys(events)) {
		op := events[name]
		if op != fsnotify.Write && slices.ContainsFunc(n.trees, func(t *watchedTree) bool { return t.dir == name }) {
			return true, n.arm()
		}
		if !n.record(name) {
			continue
		}
		mattered = true
		if op != fsnotify.Write {
			moved = append(moved, name)
		}
		if op.Has(fsnotify.Chmod) && n.folders[name] {
			n.changes.rescan = true // the files in the folder may have become readable or unreadable
		}
	}
	n.unwatch(moved)
	for _, name := range moved {
		if err := n.watchAgain(name); err != nil {
			return true, err
		}
	}
	return mattered, nil
}

// record records a changed name in each tree that contains the name, and reports whether any
// tree does.
func (n *notifier) record(name string) (mattered bool) {
	for _, t := range n.trees {
		if p, ok := relative(t.dir, name); ok && t.contains(p) {
			n.changes.add(&t.Tree, p)
			n.changes.linked = n.changes.linked || t.links
			mattered = true
		}
	}
	return mattered
}

// unwatch removes the watches of the named folders and of all folders below. The system may
// have removed some of the watches before.
func (n *notifier) unwatch(names []string) {
	gone := map[string]bool{}
	for _, name := range names {
		if n.folders[name] {
			gone[name] = true
		}
	}
	if len(gone) == 0 {
		return
	}
	for dir := range n.folders {
		if isBelow(dir, gone) {
			_ = n.fs.Remove(dir)
			delete(n.folders, dir)
		}
	}
}

// isBelow reports whether set contains dir or a folder above dir.
func isBelow(dir string, set map[string]bool) bool {
	for {
		if set[dir] {
			return true
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return false
		}
		dir = parent
	}
}

// watchAgain watches the folder at name in all trees. It does nothing if name is not a folder.
func (n *notifier) watchAgain(name string) error {
	info, err := os.Lstat(name)
	if err != nil || n.folders[name] { // a parent's follow watches it already
		return nil
	}
	for _, t := range n.trees {
		p, ok := relative(t.dir, name)
		if !ok || !t.contains(p) {
			continue
		}
		n.noteLink(t, info.Mode())
		if info.IsDir() && t.enters(p) {
			if err := n.follow(t, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (n *notifier) settle() {
	if n.lost {
		n.failed = n.arm()
	}
}

func (n *notifier) close() error {
	n.ticker.Stop()
	return n.closeQueue()
}

func (n *notifier) closeQueue() error {
	if n.fs == nil {
		return nil
	}
	err := n.fs.Close()
	<-n.queue.done
	n.fs = nil
	return err
}

// A queue receives events and collects them by name. A goroutine receives the events, because
// on Windows adding a watch blocks until earlier events are received.
type queue struct {
	wake chan struct{} // has a token if events are waiting
	done chan struct{}

	mu     sync.Mutex
	events map[string]fsnotify.Op
	err    error // the last error
}

func newQueue(w *fsnotify.Watcher) *queue {
	q := &queue{wake: make(chan struct{}, 1), done: make(chan struct{}), events: map[string]fsnotify.Op{}}
	go q.run(w)
	return q
}

// run receives events until the fsnotify.Watcher is closed.
func (q *queue) run(w *fsnotify.Watcher) {
	defer close(q.done)
	for {
		select {
		case e, ok := <-w.Events:
			if !ok {
				return
			}
			q.put(e, nil)
		case err, ok := <-w.Errors:
			if !ok {
				return
			}
			q.put(fsnotify.Event{}, err)
		}
	}
}

// put adds an event, or an error after which events are lost.
func (q *queue) put(e fsnotify.Event, err error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err != nil {
		q.err = err
	} else {
		q.events[e.Name] |= e.Op
	}
	select {
	case q.wake <- struct{}{}:
	default:
	}
}

// take returns the events since the last call. An error means that events were lost.
func (q *queue) take() (map[string]fsnotify.Op, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	events, err := q.events, q.err
	q.events, q.err = map[string]fsnotify.Op{}, nil
	return events, err
}

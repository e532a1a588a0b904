package watch

import (
	"context"
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A notifier is a source that receives events about changed files from the operating system. It
// watches folders instead of files, because watching a file ends when an editor replaces the file.
type notifier struct {
	o       Options
	changes *changes
	trees   []*watchedTree
	fs      *fsnotify.Watcher
	queue   *queue
	folders map[string]bool // paths of the folders that n.fs watches or has watched
	lost    bool            // the system has dropped events
}

// A watchedTree is a Tree, together with the folder to which the symbolic links in Tree.Dir
// currently lead.
type watchedTree struct {
	Tree
	dir   string      // path of the folder without symbolic links; "" if the folder is missing
	root  fs.FileInfo // information about the folder; nil if the folder is missing
	links bool        // the tree contains symbolic links
}

// rootInterval is the interval at which wait checks whether the folder of a tree was replaced. The
// system sends no event if a folder above a tree is moved or replaced.
const rootInterval = 300 * time.Millisecond

// newNotifier returns a notifier that records changes in c. It watches nothing until watchTrees is
// called.
func newNotifier(o Options, c *changes) *notifier {
	n := &notifier{o: o, changes: c}
	for _, t := range o.Trees {
		n.trees = append(n.trees, &watchedTree{Tree: t})
	}
	return n
}

// watchTrees removes all watches, watches all trees again, and sets Rescan for the next batch. It
// opens a new fsnotify.Watcher: with the old Watcher, each removal of a watch would add an event to
// the queue, which might overflow again.
func (n *notifier) watchTrees() error {
	n.changes.rescan, n.lost = true, false
	_ = n.close()
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return explainRefusal(err)
	}
	n.fs, n.queue, n.folders = w, newQueue(w), map[string]bool{}
	for _, t := range n.trees {
		t.links = false
		if t.dir, t.root = t.resolveDir(); t.root == nil {
			continue
		}
		if err := n.watchAndRecordSubtree(t, "."); err != nil {
			return err
		}
	}
	return nil
}

// watchAndRecordSubtree watches a folder of a tree and the folders below it, except those that
// Enters excludes, and records all their files as changed. It watches each folder before it lists
// the files, so no file is missed in between.
func (n *notifier) watchAndRecordSubtree(t *watchedTree, folder string) error {
	top := filepath.Join(t.dir, filepath.FromSlash(folder))
	return filepath.WalkDir(top, func(name string, e fs.DirEntry, err error) error {
		p, _ := relativePath(t.dir, name)
		switch {
		case err != nil: // a missing or unreadable folder is empty
			return nil
		case !e.IsDir():
			n.changes.add(&t.Tree, p)
			n.recordLink(t, e.Type())
			return nil
		case name != top && !t.shouldWatchFolder(p):
			return fs.SkipDir
		}
		return n.watchFolderIfReadable(name)
	})
}

// recordLink records that the tree t contains a symbolic link, if mode is the mode of a symbolic
// link.
func (n *notifier) recordLink(t *watchedTree, mode fs.FileMode) {
	if mode&fs.ModeSymlink != 0 {
		t.links, n.changes.linked = true, true
	}
}

// watchFolderIfReadable starts to receive events for the files in dir. It does nothing and returns
// nil if dir is missing, unreadable or not a folder. It returns an error if the system cannot watch
// dir.
func (n *notifier) watchFolderIfReadable(dir string) error {
	err := n.fs.Add(dir)
	if n.o.refuse != nil {
		err = errors.Join(err, n.o.refuse(dir))
	}
	switch {
	case err == nil:
		n.folders[dir] = true
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.ENOTDIR):
	default:
		return explainRefusal(err)
	}
	return nil
}

// explainRefusal adds advice to err, an error of starting a watch. If a limit of the system is
// reached, it returns an error that names the limit and the command that raises it. It returns any
// other err unchanged. See inotify(7).
func explainRefusal(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC):
		return errors.New("the limit of watched folders is reached; sudo sysctl fs.inotify.max_user_watches=1048576 raises it")
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return errors.New("the limit of watchers or open files is reached; sudo sysctl fs.inotify.max_user_instances=1024, or ulimit -n, raises it")
	}
	return err
}

func (n *notifier) wait(ctx context.Context, d time.Duration) (changed bool, err error) {
	roots := time.NewTicker(rootInterval)
	defer roots.Stop()
	var limit <-chan time.Time
	if d > 0 {
		limit = time.After(d)
	}
	for {
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-limit:
			return false, nil
		case <-roots.C:
			changed, err = n.rewatchIfRootsChanged()
		case <-n.queue.wake:
			changed, err = n.receiveEvents()
		}
		if changed || err != nil {
			return changed, err
		}
	}
}

// rewatchIfRootsChanged calls watchTrees and returns changed = true if the folder of a tree
// appeared, disappeared, was replaced or has new permissions. The system may send no event for such
// a change, for example if a folder above the tree was moved.
func (n *notifier) rewatchIfRootsChanged() (changed bool, err error) {
	for _, t := range n.trees {
		dir, root := t.resolveDir()
		if dir != t.dir || root != nil && (!os.SameFile(root, t.root) || root.Mode() != t.root.Mode()) {
			return true, n.watchTrees()
		}
	}
	return false, nil
}

// receiveEvents records the changes of the queued events, and reports whether there are any. It
// watches new folders. If a watched folder was moved, or the folder of a tree itself was created,
// moved, removed or got new permissions, it calls watchTrees. If events were lost, it only sets
// n.lost and returns true. It leaves the call of watchTrees to finishBatch, because more events are
// usually lost soon after.
func (n *notifier) receiveEvents() (changed bool, err error) {
	events, err := n.queue.takeAll()
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EMFILE):
		return true, explainRefusal(err)
	case err != nil:
		n.lost = true
	}
	if n.lost {
		return true, nil
	}
	for _, name := range slices.Sorted(maps.Keys(events)) {
		op := events[name]
		isTop := slices.ContainsFunc(n.trees, func(t *watchedTree) bool { return t.dir == name })
		if isTop && op != fsnotify.Write || n.folders[name] && op.Has(fsnotify.Rename) {
			return true, n.watchTrees() // after a move, the watches below a folder would send events with old paths
		}
		if op.Has(fsnotify.Chmod) && n.folders[name] {
			n.changes.rescan = true // the files in the folder may have become readable or unreadable
		}
		found, err := n.recordEvent(name, op)
		if err != nil {
			return true, err
		}
		changed = changed || found
	}
	return changed, nil
}

// recordEvent records file as changed in each tree that watches the folder of file. found is false
// if there is no such tree. op is the kind of the event. If file is a new folder, recordEvent
// watches it and the folders below it.
func (n *notifier) recordEvent(file string, op fsnotify.Op) (found bool, err error) {
	var info fs.FileInfo
	if op != fsnotify.Write {
		info, _ = os.Lstat(file)
	}
	for _, t := range n.trees {
		p, ok := relativePath(t.dir, file)
		if !ok || !t.isPathWatched(p) {
			continue
		}
		found = true
		n.changes.add(&t.Tree, p)
		n.changes.linked = n.changes.linked || t.links
		if info == nil {
			continue
		}
		n.recordLink(t, info.Mode())
		if info.IsDir() && t.shouldWatchFolder(p) {
			if err := n.watchAndRecordSubtree(t, p); err != nil {
				return true, err
			}
		}
	}
	return found, nil
}

func (n *notifier) finishBatch() error {
	if !n.lost {
		return nil
	}
	return n.watchTrees()
}

func (n *notifier) close() error {
	if n.fs == nil {
		return nil
	}
	err := n.fs.Close()
	<-n.queue.done
	n.fs = nil
	return err
}

// A queue collects the events of an fsnotify.Watcher by path. A goroutine receives the events,
// because on Windows adding a watch blocks until all earlier events are received.
type queue struct {
	wake chan struct{} // contains a value if takeAll may return events or an error
	done chan struct{} // closed when the goroutine ends

	mu     sync.Mutex
	events map[string]fsnotify.Op
	err    error // last error of the fsnotify.Watcher since the last takeAll
}

func newQueue(w *fsnotify.Watcher) *queue {
	q := &queue{wake: make(chan struct{}, 1), done: make(chan struct{}), events: map[string]fsnotify.Op{}}
	go q.receiveUntilClosed(w)
	return q
}

// receiveUntilClosed receives the events and errors of w until w is closed.
func (q *queue) receiveUntilClosed(w *fsnotify.Watcher) {
	defer close(q.done)
	for {
		select {
		case e, ok := <-w.Events:
			if !ok {
				return
			}
			q.add(e, nil)
		case err, ok := <-w.Errors:
			if !ok {
				return
			}
			q.add(fsnotify.Event{}, err)
		}
	}
}

// add adds an event to the queue, or an error if err is not nil.
func (q *queue) add(e fsnotify.Event, err error) {
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

// takeAll returns the queued events by path, and empties the queue. An error means that some events
// were lost, or that the system cannot watch.
func (q *queue) takeAll() (map[string]fsnotify.Op, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	events, err := q.events, q.err
	q.events, q.err = map[string]fsnotify.Op{}, nil
	return events, err
}

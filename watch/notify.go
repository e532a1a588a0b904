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
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A notifier receives events from the system. It watches folders and no files,
// because a watch on a file ends when an editor replaces the file.
type notifier struct {
	o       Options
	changes *changes
	trees   []*watchedTree
	fs      *fsnotify.Watcher
	queue   *queue
	folders map[string]bool // that are watched
	lost    bool            // events were lost
	failed  error           // of arm or add, until wait returns it
	ticker  *time.Ticker    // for checkRoots
}

// A watchedTree is a tree with its folder.
type watchedTree struct {
	Tree
	dir   string      // without links, as the system names it in events; "" while it is missing
	root  fs.FileInfo // of dir
	links bool        // the tree has symbolic links
}

// rootInterval is how often the roots are checked. No watch reports a root that is
// moved away or replaced together with a folder above it.
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

// arm watches all trees anew. It opens a new queue, because removing each watch
// from the old one would add an event for each, and may overflow it again.
func (n *notifier) arm() error {
	n.changes.rescan, n.lost = true, false
	n.closeQueue()
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return newRefusedError(err)
	}
	n.fs, n.queue, n.folders = w, newQueue(w, n.o.maxEvents), map[string]bool{}
	for _, t := range n.trees {
		if err := n.armTree(t); err != nil {
			return err
		}
	}
	return nil
}

func (n *notifier) armTree(t *watchedTree) error {
	t.links = false
	if t.dir, t.root = t.find(); t.root == nil {
		return nil
	}
	return n.follow(t, ".")
}

func (n *notifier) add(t Tree) {
	last := &watchedTree{Tree: t}
	n.trees = append(n.trees, last)
	if n.failed == nil {
		n.failed = n.armTree(last)
	}
	n.changes.forget(&t)
}

// follow watches a folder of a tree and all below, and records their files as
// changed: files that were made before the watch began sent no event. So it
// watches a folder before it lists the folder.
func (n *notifier) follow(t *watchedTree, folder string) error {
	dir := join(t.dir, folder)
	if err := n.watch(dir); err != nil {
		return err
	}
	for _, e := range readDir(dir) {
		p := path.Join(folder, e.Name())
		switch {
		case !t.wants(p):
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
	if mode&fs.ModeSymlink != 0 && !t.Flat {
		t.links, n.changes.linked = true, true
	}
}

// watch starts to receive the events of a folder, if it exists and may be read.
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

// newRefusedError returns an error that names the way out of a limit of the
// system; see inotify(7).
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

// checkRoots watches everything anew if the root of a tree is another folder than before.
func (n *notifier) checkRoots() (changed bool, err error) {
	for _, t := range n.trees {
		dir, root := t.find()
		if dir != t.dir || root != nil && !os.SameFile(root, t.root) {
			return true, n.arm()
		}
	}
	return false, nil
}

// receive handles the events in the queue, and reports whether any matters. If
// events were lost, settle watches everything anew once it is quiet, because more
// losses usually follow.
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
	var moved []string // names that came, went or were replaced
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

// record records a changed name in each tree that contains it, and reports whether any does.
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

// unwatch removes the watches of the folders among names and of all below them. The
// system may have removed some already.
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

// isBelow reports whether dir or a folder above it is in the set.
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

// watchAgain watches the folder at a name, if there is one, in all trees.
func (n *notifier) watchAgain(name string) error {
	info, err := os.Lstat(name)
	if err != nil || n.folders[name] { // watched as part of a folder above it
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

package watch

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"sync"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A notifier is told by the system. It watches folders, never files: editors
// replace files, and a watch on a file ends with it.
type notifier struct {
	o       Options
	fs      *fsnotify.Watcher
	queue   *queue
	trees   []*watchPoint
	changes changes
	lost    bool         // events, so that nothing is known of what is watched
	failed  error        // why watching failed, until wait returns it
	look    *time.Ticker // at the roots, which nothing above them watches
	silent  silent
}

// A watchPoint is what is watched of one tree.
type watchPoint struct {
	Tree
	dir     string      // the tree's folder without links, as the system names it in events; "" while it is not there
	root    fs.FileInfo // of dir
	folders folders
	links   bool // it has symbolic links, so that a change shows in several places
}

// lookEvery is how often roots are looked at: a few calls of stat a second, for
// a root that is moved away and another one put in its place.
const lookEvery = 300 * time.Millisecond

func newNotifier(o Options) *notifier {
	n := &notifier{o: o, look: time.NewTicker(lookEvery)}
	for _, t := range o.Trees {
		n.trees = append(n.trees, &watchPoint{Tree: t})
	}
	n.silent.begin(time.Now())
	n.failed = n.arm(context.Background())
	n.changes = changes{} // what is there at the start is no change
	return n
}

// arm watches everything that is there again, with what was watched before. It asks
// the system for a new queue of events: removing each watch from the old one would
// add an event for each, and more folders than the queue holds would overflow it
// again and again.
func (n *notifier) arm(ctx context.Context) error {
	n.changes.rescan, n.lost = true, false
	if err := n.renew(); err != nil {
		return err
	}
	for _, t := range n.trees {
		if err := n.armTree(ctx, t); err != nil {
			return err
		}
	}
	return nil
}

// renew begins a queue of events that watches nothing.
func (n *notifier) renew() error {
	n.end()
	w, err := fsnotify.NewWatcher()
	if err != nil {
		return refusal(err)
	}
	n.fs, n.queue = w, newQueue(w, n.o.Queue)
	return nil
}

// armTree watches one tree, of which nothing is watched yet.
func (n *notifier) armTree(ctx context.Context, t *watchPoint) error {
	*t = watchPoint{Tree: t.Tree}
	dir, root, ok := t.find()
	if !ok {
		return nil
	}
	t.dir, t.root, t.folders = dir, root, folders{}
	return n.follow(ctx, t, ".")
}

func (n *notifier) add(t Tree) {
	last := &watchPoint{Tree: t}
	n.trees = append(n.trees, last)
	if n.failed == nil { // else there may be no queue, and all trees are to be polled
		n.failed = n.armTree(context.Background(), last)
	}
	n.changes.forget(&t)
}

// follow watches a folder and all below it, and counts everything in it as
// changed: what was made before the watch was there made no event. Hence a
// folder is watched before it is listed.
func (n *notifier) follow(ctx context.Context, t *watchPoint, from string) error {
	if from != "." && !t.enters(from) {
		return nil
	}
	var mu sync.Mutex
	var refused error
	crawl(ctx, &t.Tree, from, func(folder string) []fs.DirEntry {
		dir := at(t.dir, folder)
		err := n.watch(dir)
		var entries []fs.DirEntry
		if err == nil {
			if entries, err = readDir(ctx, dir); err != nil {
				err = refusal(err)
			}
		}
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			refused = err
			return nil
		}
		t.folders.add(folder)
		n.noteEntries(t, folder, entries)
		return entries
	})
	return cmp.Or(refused, ctx.Err())
}

// noteEntries notes what lies in a folder.
func (n *notifier) noteEntries(t *watchPoint, folder string, entries []fs.DirEntry) {
	for _, e := range entries {
		p := path.Join(folder, e.Name())
		if !t.wants(p) {
			continue
		}
		if e.Type()&fs.ModeSymlink != 0 && !t.Flat {
			t.links, n.changes.linked = true, true
		}
		if !e.IsDir() && !n.changes.rescan {
			n.changes.add(&t.Tree, p)
		}
	}
}

// watch asks for the events of one folder. A folder that is not there, or not
// for us, has none.
func (n *notifier) watch(dir string) error {
	err := n.fs.Add(dir)
	if n.o.refuse != nil {
		err = errors.Join(err, n.o.refuse(dir))
	}
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return refusal(err)
}

// refusal names the way out of the system's limits; see inotify(7).
func refusal(err error) error {
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

// drop forgets a folder and all below it. The system may have removed their
// watches already.
func (n *notifier) drop(t *watchPoint, from string) {
	t.folders.cut(from, func(p string) { _ = n.fs.Remove(at(t.dir, p)) })
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
		case <-n.look.C:
			if happened, err = n.roots(ctx); !happened && err == nil {
				happened = n.lookForSilent(ctx, time.Now())
			}
		case <-n.queue.wake:
			happened, err = n.events(ctx)
		}
		if happened || err != nil {
			return happened, err
		}
	}
}

// events notes all that has come. Once events were lost, the others say no more.
func (n *notifier) events(ctx context.Context) (bool, error) {
	events, err := n.queue.take()
	if n.lost {
		return true, nil
	}
	if err != nil {
		return true, n.trouble(err)
	}
	mattered := false
	for _, e := range events {
		happened, err := n.event(ctx, e)
		if err != nil {
			return true, err
		}
		mattered = mattered || happened
	}
	return mattered, nil
}

// trouble takes an error of the watch, such as more events than the queue
// holds, as: anything may have changed. Everything is watched again when it is quiet,
// since an overflow seldom comes alone.
func (n *notifier) trouble(err error) error {
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) {
		return refusal(err)
	}
	n.lost = true
	return nil
}

// roots watches the roots that are other folders than those watched, and reports whether
// there are any.
func (n *notifier) roots(ctx context.Context) (changed bool, err error) {
	for _, t := range n.trees {
		dir, info, there := t.find()
		if !there && t.root == nil || there && dir == t.dir && os.SameFile(info, t.root) {
			continue
		}
		if !t.Flat {
			return true, n.arm(ctx)
		}
		changed = true
		n.drop(t, ".")
		if err := n.armTree(ctx, t); err != nil {
			return true, err
		}
	}
	return changed, nil
}

// event notes what an event is about. It reports whether that can matter.
func (n *notifier) event(ctx context.Context, e fsnotify.Event) (bool, error) {
	mattered := false
	for _, t := range n.trees {
		if e.Name == t.dir && e.Op != fsnotify.Write && !t.Flat {
			return true, n.arm(ctx)
		}
		if p, ok := relative(t.dir, e.Name); ok && n.path(t, p, e.Op) {
			mattered = true
		}
	}
	if !mattered || e.Op == fsnotify.Write {
		return mattered, nil
	}
	return true, n.again(ctx, e.Name)
}

// path notes one path of a tree, and forgets the folder that was there. It
// reports whether it was watched.
func (n *notifier) path(t *watchPoint, p string, op fsnotify.Op) bool {
	parent, _ := split(p)
	was := t.folders.has(p)
	if !was && !t.folders.has(parent) || !t.wants(p) {
		return false
	}
	n.changes.add(&t.Tree, p)
	n.changes.linked = n.changes.linked || t.links
	if was && op != fsnotify.Write {
		n.drop(t, p)
		if op.Has(fsnotify.Chmod) {
			n.changes.rescan = true // what lies in it may be readable now, or no longer
		}
	}
	return true
}

// again watches what is at a path now, in all trees that it belongs to.
func (n *notifier) again(ctx context.Context, name string) error {
	info, err := os.Lstat(name)
	if err != nil {
		return nil
	}
	for _, t := range n.trees {
		p, ok := relative(t.dir, name)
		if parent, _ := split(p); !ok || !t.folders.has(parent) {
			continue
		}
		switch {
		case info.IsDir():
			if err := n.follow(ctx, t, p); err != nil {
				return err
			}
		case info.Mode()&fs.ModeSymlink != 0 && !t.Flat:
			t.links, n.changes.linked = true, true
		}
	}
	return nil
}

func (n *notifier) take(ctx context.Context) Batch {
	if n.lost {
		n.failed = n.arm(ctx)
	}
	b := n.changes.take()
	n.silent.tell(b, time.Now())
	return b
}

func (n *notifier) close() error {
	n.look.Stop()
	return n.end()
}

// end ends the queue of events, if there is one.
func (n *notifier) end() error {
	if n.fs == nil {
		return nil
	}
	err := n.fs.Close()
	<-n.queue.done
	n.fs = nil
	return err
}

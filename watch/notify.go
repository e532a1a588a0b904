package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A notifier is told by the system. It watches folders, never files: editors
// replace files, and a watch on a file ends with it.
type notifier struct {
	o       Options
	fs      *fsnotify.Watcher
	trees   []armed
	changes changes
	look    *time.Ticker // at the roots, which nothing above them watches
}

// An armed is what is watched of one tree.
type armed struct {
	root    fs.FileInfo     // as watched; nil while it is not there
	folders map[string]bool // relative, "." for the root
	links   bool            // it has symbolic links, so that a change shows in several places
}

const lookEvery = 300 * time.Millisecond

func newNotifier(o Options) (*notifier, error) {
	w, err := fsnotify.NewBufferedWatcher(o.Queue)
	if err != nil {
		return nil, refusal(err)
	}
	n := &notifier{o: o, fs: w, trees: make([]armed, len(o.Trees)), changes: newChanges(len(o.Trees)), look: time.NewTicker(lookEvery)}
	err = n.arm()
	n.changes = newChanges(len(o.Trees)) // what is there at the start is no change
	if err != nil {
		_ = n.close()
		return nil, err
	}
	return n, nil
}

// arm watches everything that is there.
func (n *notifier) arm() error {
	for _, dir := range n.o.Folders {
		if err := n.watch(dir); err != nil {
			return err
		}
	}
	for i := range n.trees {
		if err := n.armTree(i); err != nil {
			return err
		}
	}
	return nil
}

// armTree watches a tree anew, whatever was watched of it before.
func (n *notifier) armTree(i int) error {
	n.drop(i, ".")
	n.trees[i] = armed{folders: map[string]bool{}}
	info, err := os.Stat(n.o.Trees[i].Dir)
	if err != nil || !info.IsDir() {
		return nil
	}
	n.trees[i].root = info
	return n.add(i, ".")
}

// add watches a folder and all below it, and counts everything in it as
// changed: what was made before the watch was there made no event.
func (n *notifier) add(i int, folder string) error {
	if folder != "." && !n.o.Trees[i].enters(folder) {
		return nil
	}
	dir := n.at(i, folder)
	if err := n.watch(dir); err != nil {
		return err
	}
	n.trees[i].folders[folder] = true
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil // gone again, or not for us; the walk says which
	}
	for _, e := range entries {
		p := path.Join(folder, e.Name())
		switch {
		case e.IsDir():
			if err := n.add(i, p); err != nil {
				return err
			}
			continue
		case e.Type()&fs.ModeSymlink != 0:
			n.trees[i].links = true
		}
		n.changes.paths[i][p] = true
	}
	return nil
}

func (n *notifier) at(i int, p string) string {
	return filepath.Join(n.o.Trees[i].Dir, filepath.FromSlash(p))
}

// watch asks for the events of one folder. A folder that is not there, or not
// for us, has none.
func (n *notifier) watch(dir string) error {
	err := n.fs.Add(dir)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) || errors.Is(err, syscall.ENOTDIR) {
		return nil
	}
	return refusal(err)
}

// refusal names the way out of the system's limits; see inotify(7).
func refusal(err error) error {
	r := &errRefused{cause: err}
	switch {
	case errors.Is(err, syscall.ENOSPC):
		r.cause = errors.New("the limit of watched folders is reached")
		r.remedy = "sudo sysctl fs.inotify.max_user_watches=1048576 raises it"
	case errors.Is(err, syscall.EMFILE):
		r.cause = errors.New("the limit of watchers or open files is reached")
		r.remedy = "sudo sysctl fs.inotify.max_user_instances=1024, or ulimit -n, raises it"
	}
	return r
}

// drop forgets a folder and all below it.
func (n *notifier) drop(i int, folder string) {
	for f := range n.trees[i].folders {
		if folder == "." || f == folder || strings.HasPrefix(f, folder+"/") {
			_ = n.fs.Remove(n.at(i, f)) // the system may have removed it already
			delete(n.trees[i].folders, f)
		}
	}
}

func (n *notifier) wait(ctx context.Context, d time.Duration) (bool, error) {
	var limit <-chan time.Time
	if d > 0 {
		t := time.NewTimer(d)
		defer t.Stop()
		limit = t.C
	}
	for {
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-limit:
			return false, nil
		case <-n.look.C:
			if happened, err := n.roots(); happened || err != nil {
				return happened, err
			}
		case e := <-n.fs.Events:
			if happened, err := n.event(e); happened || err != nil {
				return happened, err
			}
		case err := <-n.fs.Errors:
			return true, n.trouble(err)
		}
	}
}

// trouble takes an error of the watch as: anything may have changed.
func (n *notifier) trouble(err error) error {
	n.changes.Rescan = true
	if errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EMFILE) {
		return refusal(err)
	}
	return n.arm()
}

// roots finds out whether a root is another folder than the one watched.
func (n *notifier) roots() (bool, error) {
	for i := range n.trees {
		info, err := os.Stat(n.o.Trees[i].Dir)
		there := err == nil && info.IsDir()
		was := n.trees[i].root
		if there == (was != nil) && (!there || os.SameFile(info, was)) {
			continue
		}
		n.changes.Rescan = true
		return true, n.armTree(i)
	}
	return false, nil
}

// event notes what an event is about. It reports whether that can matter.
func (n *notifier) event(e fsnotify.Event) (bool, error) {
	mattered := false
	for i := range n.trees {
		if e.Name == n.o.Trees[i].Dir {
			if e.Has(fsnotify.Remove) || e.Has(fsnotify.Rename) {
				n.changes.Rescan = true
				if err := n.armTree(i); err != nil {
					return true, err
				}
				mattered = true
			}
			continue
		}
		p, ok := relative(n.o.Trees[i].Dir, e.Name)
		if !ok || !n.trees[i].folders[path.Dir(p)] && !n.trees[i].folders[p] {
			continue
		}
		mattered = true
		if err := n.path(i, p, e.Op); err != nil {
			return true, err
		}
	}
	return n.file(e.Name) || mattered, nil
}

// path notes one path of a tree.
func (n *notifier) path(i int, p string, op fsnotify.Op) error {
	t := &n.trees[i]
	n.changes.paths[i][p] = true
	if t.links {
		n.changes.Rescan = true
	}
	if op == fsnotify.Write {
		return nil
	}
	info, err := os.Lstat(n.at(i, p))
	isDir := err == nil && info.IsDir()
	if t.folders[p] {
		n.drop(i, p)
		if op.Has(fsnotify.Chmod) {
			n.changes.Rescan = true // what lies in it may be readable now, or no longer
		}
	}
	switch {
	case isDir:
		return n.add(i, p)
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		t.links = true
		n.changes.Rescan = true
	}
	return nil
}

// file notes a file of one of the watched folders.
func (n *notifier) file(name string) bool {
	for _, dir := range n.o.Folders {
		if filepath.Dir(name) == filepath.Clean(dir) {
			n.changes.files[name] = true
			return true
		}
	}
	return false
}

func (n *notifier) take() *Batch { return n.changes.take() }

func (n *notifier) close() error {
	n.look.Stop()
	return n.fs.Close()
}

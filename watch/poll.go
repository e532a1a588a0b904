package watch

import (
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// A poller is a source that reads the state of all files at intervals, and compares it with the
// previous state.
type poller struct {
	interval time.Duration
	changes  *changes
	trees    []Tree
	states   []treeState // last state of each tree
	next     time.Time   // time of the next comparison
}

// A treeState contains information about the files and folders of a tree, by path. The paths are
// relative to the tree and have slashes; "." is the tree's folder.
type treeState map[string]fs.FileInfo

func newPoller(o Options, c *changes) *poller {
	p := &poller{interval: o.Poll, changes: c, trees: o.Trees}
	for i := range p.trees {
		p.states = append(p.states, p.trees[i].readState(context.Background()))
	}
	p.next = time.Now().Add(p.interval)
	return p
}

// readState returns the state of all files and folders of t. The state is incomplete if ctx ends.
func (t *Tree) readState(ctx context.Context) treeState {
	l := treeState{}
	dir, root := t.resolveDir()
	if root == nil {
		return l
	}
	l["."] = root
	_ = filepath.WalkDir(dir, func(name string, e fs.DirEntry, err error) error {
		p, ok := relativePath(dir, name)
		if err != nil || !ok { // a missing or unreadable folder is empty
			return ctx.Err()
		}
		if info, err := e.Info(); err == nil {
			l[p] = info
		}
		if e.IsDir() && !t.shouldWatchFolder(p) {
			return fs.SkipDir
		}
		return ctx.Err()
	})
	return l
}

// isSame reports whether a file or folder is unchanged between two states. For a folder, it ignores
// size and modification time, because these change with every file in the folder.
func isSame(now, before fs.FileInfo) bool {
	if now.Mode() != before.Mode() || !os.SameFile(now, before) {
		return false
	}
	return now.IsDir() || now.Size() == before.Size() && now.ModTime().Equal(before.ModTime())
}

func (p *poller) wait(ctx context.Context, d time.Duration) (changed bool, err error) {
	for end := time.Now().Add(d); ; {
		pause := time.Until(p.next)
		if d > 0 {
			pause = min(pause, time.Until(end))
		}
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(pause):
		}
		changed = p.recordChanges(ctx)
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if p.next = time.Now().Add(p.interval); changed || d > 0 && !time.Now().Before(end) {
			return changed, nil
		}
	}
}

// recordChanges reads the state of all trees, records the changes since the previous state, and
// reports whether there are any. It returns false if ctx ends.
func (p *poller) recordChanges(ctx context.Context) (changed bool) {
	for i := range p.trees {
		now := p.trees[i].readState(ctx)
		if ctx.Err() != nil {
			return false
		}
		changed = p.recordDifferences(&p.trees[i], p.states[i], now) || changed
		p.states[i] = now
	}
	return changed
}

// recordDifferences records the paths that differ between two states of a tree, and reports whether
// there are any.
func (p *poller) recordDifferences(t *Tree, before, now treeState) (changed bool) {
	links := false
	note := func(name string, rescan bool) {
		changed = true
		p.changes.add(t, name)
		p.changes.rescan = p.changes.rescan || rescan
	}
	for name, info := range now {
		old, ok := before[name]
		links = links || info.Mode()&fs.ModeSymlink != 0
		if !ok || !isSame(info, old) {
			note(name, info.IsDir() && (ok || name == "."))
		}
	}
	for name, info := range before {
		if _, ok := now[name]; !ok {
			links = links || info.Mode()&fs.ModeSymlink != 0
			note(name, name == ".")
		}
	}
	p.changes.linked = p.changes.linked || changed && links
	return changed
}

func (p *poller) finishBatch() error { return nil }

func (p *poller) close() error { return nil }

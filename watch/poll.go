package watch

import (
	"context"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"time"
)

// A poller looks at everything again and again.
type poller struct {
	o       Options
	trees   []map[string]mark
	folders []map[string]mark
	changes changes
	next    time.Time // when to look again, at the earliest
}

// A mark is how a file or folder looked.
type mark struct {
	size  int64
	mtime time.Time
	mode  fs.FileMode
	info  fs.FileInfo // for os.SameFile
}

func newPoller(o Options) *poller {
	p := &poller{o: o, changes: newChanges(len(o.Trees))}
	p.trees, p.folders = p.see()
	p.next = time.Now().Add(o.Poll)
	return p
}

// see looks at everything.
func (p *poller) see() (trees, folders []map[string]mark) {
	for i := range p.o.Trees {
		seen := map[string]mark{}
		if info, err := os.Stat(p.o.Trees[i].Dir); err == nil && info.IsDir() {
			seen["."] = markOf(info)
			p.o.Trees[i].see(".", seen)
		}
		trees = append(trees, seen)
	}
	for _, dir := range p.o.Folders {
		seen := map[string]mark{}
		entries, _ := os.ReadDir(dir)
		for _, e := range entries {
			if info, err := e.Info(); err == nil && !e.IsDir() {
				seen[filepath.Join(dir, e.Name())] = markOf(info)
			}
		}
		folders = append(folders, seen)
	}
	return trees, folders
}

func (t *Tree) see(folder string, seen map[string]mark) {
	entries, _ := os.ReadDir(filepath.Join(t.Dir, filepath.FromSlash(folder)))
	for _, e := range entries {
		p := path.Join(folder, e.Name())
		info, err := e.Info()
		if err != nil {
			continue
		}
		if e.IsDir() && !t.enters(p) {
			continue
		}
		seen[p] = markOf(info)
		if e.IsDir() {
			t.see(p, seen)
		}
	}
}

func markOf(info fs.FileInfo) mark {
	return mark{info.Size(), info.ModTime(), info.Mode(), info}
}

func (m mark) same(o mark) bool {
	if m.mode != o.mode || !os.SameFile(m.info, o.info) {
		return false
	}
	return m.mode.IsDir() || m.size == o.size && m.mtime.Equal(o.mtime)
}

func (p *poller) wait(ctx context.Context, d time.Duration) (bool, error) {
	pause := min(d, p.o.Poll)
	if d == 0 {
		pause = time.Until(p.next)
	}
	if p.changes.Rescan {
		return true, ctx.Err()
	}
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-time.After(pause):
	}
	p.next = time.Now().Add(p.o.Poll)
	return p.compare(), nil
}

// compare looks again and notes what differs.
func (p *poller) compare() bool {
	trees, folders := p.see()
	happened := false
	for i, seen := range trees {
		if differ(p.trees[i], seen, func(name string, m mark) {
			p.changes.paths[i][name] = true
			if m.mode.IsDir() || m.mode&fs.ModeSymlink != 0 {
				p.changes.Rescan = true
			}
		}) {
			happened = true
		}
		for _, m := range seen {
			if happened && m.mode&fs.ModeSymlink != 0 {
				p.changes.Rescan = true
				break
			}
		}
	}
	for i, seen := range folders {
		happened = differ(p.folders[i], seen, func(name string, _ mark) { p.changes.files[name] = true }) || happened
	}
	p.trees, p.folders = trees, folders
	return happened
}

// differ calls found for each name that is not the same on both sides.
func differ(old, seen map[string]mark, found func(name string, m mark)) bool {
	n := 0
	for name, m := range seen {
		if was, ok := old[name]; !ok || !m.same(was) {
			n++
			found(name, m)
		}
	}
	for name, m := range old {
		if _, ok := seen[name]; !ok {
			n++
			found(name, m)
		}
	}
	return n > 0
}

func (p *poller) take() *Batch { return p.changes.take() }

func (p *poller) close() error { return nil }

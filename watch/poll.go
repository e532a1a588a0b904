package watch

import (
	"context"
	"io/fs"
	"os"
	"path"
	"sync"
	"time"
)

// A poller looks at everything again and again.
type poller struct {
	o       Options
	seen    []map[string]mark // per tree
	changes changes
	blind   bool      // what happened before the first look is not known, and not said yet
	next    time.Time // when to look again, at the earliest
}

// A mark is how a file or folder looked.
type mark struct {
	info  fs.FileInfo
	fresh bool // it had just been written, and may be written once more without looking different
}

// granularity is more than the steps in which file systems count time; Linux
// counts in its ticks, of at most 10 ms.
const granularity = 20 * time.Millisecond

func newPoller(o Options) *poller {
	p := &poller{o: o, changes: newChanges(len(o.Trees))}
	p.seen = p.see()
	p.next = time.Now().Add(o.Poll)
	return p
}

// see looks at everything.
func (p *poller) see() []map[string]mark {
	seen := make([]map[string]mark, len(p.o.Trees))
	for i := range p.o.Trees {
		seen[i] = p.o.Trees[i].see()
	}
	return seen
}

func (t *Tree) see() map[string]mark {
	seen := map[string]mark{}
	dir, root, ok := t.root()
	if !ok {
		return seen
	}
	seen["."] = mark{info: root}
	var mu sync.Mutex
	c := crawl{tree: *t, dir: dir, list: func(folder string) []fs.DirEntry {
		entries := readDir(at(dir, folder))
		infos := infosOf(entries)
		mu.Lock()
		defer mu.Unlock()
		for _, info := range infos {
			seen[path.Join(folder, info.Name())] = markOf(info)
		}
		return entries
	}}
	c.run(".")
	return seen
}

func infosOf(entries []fs.DirEntry) []fs.FileInfo {
	infos := make([]fs.FileInfo, 0, len(entries))
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			infos = append(infos, info)
		}
	}
	return infos
}

func markOf(info fs.FileInfo) mark {
	return mark{info, !info.IsDir() && time.Since(info.ModTime()).Abs() < granularity}
}

func (m mark) is(mode fs.FileMode) bool { return m.info.Mode()&mode != 0 }

func (m mark) same(o mark) bool {
	if m.info.Mode() != o.info.Mode() || !os.SameFile(m.info, o.info) {
		return false
	}
	return m.info.IsDir() || m.info.Size() == o.info.Size() && m.info.ModTime().Equal(o.info.ModTime()) &&
		statusTime(m.info) == statusTime(o.info)
}

func (p *poller) wait(ctx context.Context, d time.Duration) (bool, error) {
	if p.blind {
		p.blind, p.changes.rescan = false, true
		return true, ctx.Err()
	}
	pause := max(0, time.Until(p.next))
	if d > 0 {
		pause = min(d, p.o.Poll)
	}
	t := time.NewTimer(pause)
	defer t.Stop()
	select {
	case <-ctx.Done():
		return false, ctx.Err()
	case <-t.C:
	}
	happened := p.compare()
	p.next = time.Now().Add(p.o.Poll)
	return happened, nil
}

// compare looks again and notes what differs.
func (p *poller) compare() bool {
	now := p.see()
	happened := false
	for i := range now {
		if p.differ(i, p.seen[i], now[i]) {
			happened = true
		}
	}
	p.seen = now
	return happened
}

// differ notes each name of a tree that does not look the same.
func (p *poller) differ(i int, old, now map[string]mark) bool {
	happened, links := false, false
	flat := p.o.Trees[i].Flat
	note := func(name string) {
		happened = true
		p.changes.add(i, name)
	}
	for name, m := range now {
		links = links || m.is(fs.ModeSymlink)
		was, known := old[name]
		if known && m.same(was) && !was.fresh {
			continue
		}
		note(name)
		p.changes.rescan = p.changes.rescan || !flat && m.is(fs.ModeDir) && (known || name == ".")
	}
	for name, m := range old {
		if _, ok := now[name]; !ok {
			links = links || m.is(fs.ModeSymlink)
			note(name)
			p.changes.rescan = p.changes.rescan || !flat && name == "."
		}
	}
	p.changes.linked = p.changes.linked || happened && links && !flat
	return happened
}

func (p *poller) add(t Tree) error {
	p.o.Trees, p.seen = append(p.o.Trees, t), append(p.seen, t.see())
	p.changes.grow()
	return nil
}

func (p *poller) take() Batch { return p.changes.take() }

func (p *poller) close() error { return nil }

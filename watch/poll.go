package watch

import (
	"context"
	"io/fs"
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
	lazy    bool      // look less often where a look takes long
}

// A mark is how a file or folder looked. There is one for each file of a site,
// so it holds little.
type mark struct {
	stamp
	size  int64
	mtime int64 // in nanoseconds, as far as they reach: only whether it differs matters
	mode  fs.FileMode
	fresh bool // it had just been written, and may be written once more without looking different
}

// granularity is more than the steps in which file systems count time; Linux
// counts in its ticks, of at most 10 ms.
const granularity = 20 * time.Millisecond

func newPoller(o Options) *poller {
	p := &poller{o: o, changes: newChanges(len(o.Trees))}
	start := time.Now()
	p.seen = p.see()
	p.rest(start)
	return p
}

// laziness is how much longer a lazy poller rests than it looks.
const laziness = 9

// rest says when to look again after a look that has begun at start.
func (p *poller) rest(start time.Time) {
	now := time.Now()
	p.next = now.Add(p.o.Poll)
	if long := laziness * now.Sub(start); p.lazy && long > p.o.Poll {
		p.next = now.Add(long)
	}
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
	seen["."] = markOf(root)
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
	return mark{
		stamp: stampOf(info), size: info.Size(), mtime: info.ModTime().UnixNano(), mode: info.Mode(),
		fresh: !info.IsDir() && time.Since(info.ModTime()).Abs() < granularity,
	}
}

func (m mark) is(mode fs.FileMode) bool { return m.mode&mode != 0 }

func (m mark) same(o mark) bool {
	switch {
	case m.mode != o.mode:
		return false
	case m.mode.IsDir():
		return m.identical(o.stamp)
	}
	return m.stamp.same(o.stamp) && m.size == o.size && m.mtime == o.mtime
}

func (p *poller) wait(ctx context.Context, d time.Duration) (bool, error) {
	if p.blind {
		p.blind, p.changes.rescan = false, true
		return true, ctx.Err()
	}
	for end := time.Now().Add(d); ; {
		pause := time.Until(p.next)
		if left := time.Until(end); d > 0 {
			pause = min(pause, left)
		}
		if err := sleep(ctx, pause); err != nil {
			return false, err
		}
		start := time.Now()
		happened := p.compare()
		p.rest(start)
		if happened || d > 0 && !time.Now().Before(end) {
			return happened, nil
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-ctx.Done():
	case <-t.C:
	}
	return ctx.Err()
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

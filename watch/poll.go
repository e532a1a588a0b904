package watch

import (
	"context"
	"io/fs"
	"strings"
	"sync"
	"time"
)

// A poller looks at everything again and again.
type poller struct {
	o       Options
	sights  []sight // per tree
	looks   uint32  // so far
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
	look  uint32 // the number of the look that saw it last
	fresh bool   // it had just been written, and may be written once more without looking different
}

// A sight is how a tree looked, by path.
type sight map[string]*mark

// granularity is more than the steps in which file systems count time; Linux
// counts in its ticks, of at most 10 ms.
const granularity = 20 * time.Millisecond

func newPoller(o Options) *poller {
	p := &poller{o: o}
	for range o.Trees {
		p.sights = append(p.sights, sight{})
	}
	start := time.Now()
	p.compare(context.Background())
	p.changes = changes{} // what is there at the start is no change
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
		happened := p.compare(ctx)
		p.rest(start)
		if err := ctx.Err(); err != nil {
			return false, err
		}
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
func (p *poller) compare(ctx context.Context) bool {
	p.looks++
	happened := false
	for i := range p.o.Trees {
		if p.differ(ctx, i) {
			happened = true
		}
	}
	return happened
}

// differ looks at a tree, and notes each name that does not look the same.
func (p *poller) differ(ctx context.Context, i int) bool {
	d := difference{poller: p, tree: i, sight: p.sights[i], flat: p.o.Trees[i].Flat}
	dir, root, ok := p.o.Trees[i].root()
	if ok {
		d.see("", ".", markOf(root))
		d.crawl(ctx, dir)
	}
	for name, m := range d.sight {
		if m.look != p.looks && !d.partial && ctx.Err() == nil {
			d.gone(name, m)
		}
	}
	p.changes.linked = p.changes.linked || d.happened && d.links && !d.flat
	return d.happened
}

// A difference is one look at one tree.
type difference struct {
	*poller
	tree     int
	sight    sight
	flat     bool
	links    bool
	happened bool
	partial  bool   // a folder could not be opened for want of files, so nothing is gone for sure
	name     []byte // reused
}

func (d *difference) crawl(ctx context.Context, dir string) {
	var mu sync.Mutex
	c := crawl{ctx: ctx, tree: d.o.Trees[d.tree], dir: dir, list: func(folder string) []fs.DirEntry {
		entries, err := readDir(ctx, at(dir, folder))
		infos := infosOf(ctx, at(dir, folder), entries, false)
		prefix := strings.TrimPrefix(folder+"/", "./")
		mu.Lock()
		defer mu.Unlock()
		d.partial = d.partial || err != nil
		for _, info := range infos {
			if tree := &d.o.Trees[d.tree]; tree.Wants != nil && !tree.Wants(prefix+info.Name()) {
				continue
			}
			d.see(prefix, info.Name(), markOf(info))
		}
		return entries
	}}
	c.run(".")
}

// see compares how a name below a folder looks with how it looked.
func (d *difference) see(prefix, name string, now mark) {
	d.links = d.links || now.is(fs.ModeSymlink)
	now.look = d.looks
	d.name = append(append(d.name[:0], prefix...), name...)
	was, ok := d.sight[string(d.name)]
	if !ok {
		was = new(mark)
		d.sight[string(d.name)] = was
	}
	if !ok || !now.same(*was) || was.fresh {
		d.note(string(d.name))
		d.changes.rescan = d.changes.rescan || !d.flat && now.is(fs.ModeDir) && (ok || name == ".")
	}
	*was = now
}

func (d *difference) gone(name string, m *mark) {
	d.links = d.links || m.is(fs.ModeSymlink)
	d.note(name)
	d.changes.rescan = d.changes.rescan || !d.flat && name == "."
	delete(d.sight, name)
}

func (d *difference) note(name string) {
	d.happened = true
	d.changes.add(&d.o.Trees[d.tree], name)
}

func (p *poller) add(t Tree) error {
	p.o.Trees, p.sights = append(p.o.Trees, t), append(p.sights, sight{})
	last := len(p.sights) - 1
	p.differ(context.Background(), last)
	p.changes.forget(&p.o.Trees[last])
	return nil
}

func (p *poller) take(context.Context) (Batch, error) { return p.changes.take(), nil }

func (p *poller) close() error { return nil }

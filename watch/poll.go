package watch

import (
	"context"
	"io/fs"
	"time"
)

// A poller looks at everything again and again.
type poller struct {
	o       Options
	sights  []*sight
	looks   uint32 // so far
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

// A sight is how a tree looked.
type sight struct {
	Tree
	marks map[string]*mark // by path
}

func newSight(t Tree) *sight { return &sight{t, map[string]*mark{}} }

// granularity is more than the steps in which file systems count time; Linux
// counts in its ticks, of at most 10 ms.
const granularity = 20 * time.Millisecond

func newPoller(o Options) *poller {
	p := &poller{o: o}
	for _, t := range o.Trees {
		p.sights = append(p.sights, newSight(t))
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

// markOf returns how a file or folder looks now. Size and times of a folder change with
// what lies in it, and are no change of its own.
func markOf(info fs.FileInfo) mark {
	m := mark{stamp: stampOf(info), mode: info.Mode()}
	if !info.IsDir() {
		m.size, m.mtime = info.Size(), info.ModTime().UnixNano()
		m.fresh = time.Since(info.ModTime()).Abs() < granularity
	}
	return m
}

func (m mark) is(mode fs.FileMode) bool { return m.mode&mode != 0 }

func (m mark) same(o mark) bool {
	return m.stamp.same(o.stamp) && m.size == o.size && m.mtime == o.mtime && m.mode == o.mode
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
		select {
		case <-ctx.Done():
			return false, ctx.Err()
		case <-time.After(pause):
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

// compare looks again and notes what differs.
func (p *poller) compare(ctx context.Context) bool {
	p.looks++
	happened := false
	for _, s := range p.sights {
		if p.differ(ctx, s) {
			happened = true
		}
	}
	return happened
}

// differ looks at a tree, and notes each name that does not look the same.
func (p *poller) differ(ctx context.Context, s *sight) bool {
	d := difference{poller: p, sight: s}
	var partial error // a folder could not be opened for want of files, so nothing is gone for sure
	if dir, root, ok := s.find(); ok {
		d.see(".", root)
		partial = look(ctx, &s.Tree, dir, false, d.see)
	}
	for name, m := range s.marks {
		if m.look != p.looks && partial == nil && ctx.Err() == nil {
			d.links = d.links || m.is(fs.ModeSymlink)
			d.note(name, name == ".")
			delete(s.marks, name)
		}
	}
	p.changes.linked = p.changes.linked || d.happened && d.links && !s.Flat
	return d.happened
}

// A difference is one look at one tree.
type difference struct {
	*poller
	*sight
	links    bool
	happened bool
}

// see compares how a name looks with how it looked.
func (d *difference) see(name string, info fs.FileInfo) {
	now := markOf(info)
	now.look = d.looks
	d.links = d.links || now.is(fs.ModeSymlink)
	was, ok := d.marks[name]
	if !ok {
		was = new(mark)
		d.marks[name] = was
	}
	if !ok || !now.same(*was) || was.fresh {
		d.note(name, now.is(fs.ModeDir) && (ok || name == "."))
	}
	*was = now
}

// note notes a change, after which everything is to be looked at if rescan says so.
func (d *difference) note(name string, rescan bool) {
	d.happened = true
	d.changes.add(&d.Tree, name)
	d.changes.rescan = d.changes.rescan || rescan && !d.Flat
}

func (p *poller) add(t Tree) {
	s := newSight(t)
	p.sights = append(p.sights, s)
	p.differ(context.Background(), s)
	p.changes.forget(&t)
}

func (p *poller) take(context.Context) Batch { return p.changes.take() }

func (p *poller) close() error { return nil }

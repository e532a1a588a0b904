package watch

import (
	"context"
	"io/fs"
	"os"
	"path"
	"time"

	"github.com/sitewalk/sitewalk/internal/files"
)

// A poller compares the state of all files at intervals.
type poller struct {
	interval time.Duration
	changes  *changes
	trees    []Tree
	looks    []look    // the last state of each tree
	next     time.Time // time of the next comparison
}

// A look is the state of the files and folders of a tree, by path.
type look map[string]mark

// A mark is the state of a file or folder.
type mark struct {
	fs.FileInfo
	fresh bool // the file was written so recently that a second write may leave the same time
}

// granularity is longer than the resolution of file times. On Linux, file times advance in
// steps of at most 10 ms.
const granularity = 20 * time.Millisecond

func newPoller(o Options, c *changes) *poller {
	p := &poller{interval: o.Poll, changes: c}
	for _, t := range o.Trees {
		p.add(t)
	}
	p.next = time.Now().Add(p.interval)
	return p
}

func (p *poller) add(t Tree) {
	p.trees = append(p.trees, t)
	p.looks = append(p.looks, t.look(context.Background()))
}

// look reads the state of a tree. The state is incomplete if ctx ends.
func (t *Tree) look(ctx context.Context) look {
	l := look{}
	dir, root := t.find()
	if root == nil {
		return l
	}
	l["."] = mark{FileInfo: root}
	var enter func(folder string)
	enter = func(folder string) {
		for _, e := range readDir(join(dir, folder)) {
			p := path.Join(folder, e.Name())
			if ctx.Err() != nil || !t.wants(p) {
				continue
			}
			info, err := e.Info()
			if err != nil {
				continue
			}
			l[p] = mark{info, !info.IsDir() && time.Since(info.ModTime()).Abs() < granularity}
			if info.IsDir() && t.enters(p) {
				enter(p)
			}
		}
	}
	enter(".")
	return l
}

// same reports whether a file or folder is unchanged. For folders, same ignores size and times,
// because they change with every file in the folder.
func (m mark) same(before mark) bool {
	if m.Mode() != before.Mode() || !os.SameFile(m.FileInfo, before.FileInfo) {
		return false
	}
	return m.IsDir() || !before.fresh && m.Size() == before.Size() &&
		m.ModTime().Equal(before.ModTime()) && files.Changed(m.FileInfo).Equal(files.Changed(before.FileInfo))
}

func (p *poller) wait(ctx context.Context, d time.Duration) (bool, error) {
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
		happened := p.compare(ctx)
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if p.next = time.Now().Add(p.interval); happened || d > 0 && !time.Now().Before(end) {
			return happened, nil
		}
	}
}

// compare reads the state of all trees, and reports whether anything changed.
func (p *poller) compare(ctx context.Context) (happened bool) {
	for i := range p.trees {
		now := p.trees[i].look(ctx)
		if ctx.Err() != nil {
			return false
		}
		happened = p.record(&p.trees[i], p.looks[i], now) || happened
		p.looks[i] = now
	}
	return happened
}

// record records the differences between two states of a tree, and reports whether there are
// any.
func (p *poller) record(t *Tree, before, now look) (happened bool) {
	links := false
	note := func(name string, rescan bool) {
		happened = true
		p.changes.add(t, name)
		p.changes.rescan = p.changes.rescan || rescan && !t.Flat
	}
	for name, m := range now {
		old, ok := before[name]
		links = links || m.Mode()&fs.ModeSymlink != 0
		if !ok || !m.same(old) {
			note(name, m.IsDir() && (ok || name == "."))
		}
	}
	for name, m := range before {
		if _, ok := now[name]; !ok {
			links = links || m.Mode()&fs.ModeSymlink != 0
			note(name, name == ".")
		}
	}
	p.changes.linked = p.changes.linked || happened && links && !t.Flat
	return happened
}

func (p *poller) settle() {}

func (p *poller) close() error { return nil }

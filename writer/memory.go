package writer

import (
	"io/fs"
	"os"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A Memory is what a run leaves for the next one with the same options and into the
// same folder, so that this measures and encodes only what changed, and trusts a
// file that is as it was left. The zero value remembers nothing. It costs about
// 20 bytes a page, and is for one run at a time.
type Memory struct {
	m     *measures
	files map[string]*remembered // by the name of the child
	same  []int32
}

// Since says what the entries of the next run have in common with those of the last
// one that returned no error: of each the number that it had there, in rising order,
// if nothing of it changed, else -1. Without this call the next run looks at all of
// them.
func (y *Memory) Since(same []int32) { y.same = same }

// remembered is one child as it was written.
type remembered struct {
	pages   []int32
	opening sitemap.Opening
	lastmod sitemap.Date
	drafts  []*draft // finished
}

// begin returns what holds for a run with n entries; nil is nothing.
func (y *Memory) begin(n int) *Memory {
	if y == nil {
		return nil
	}
	now := *y
	if y.same = nil; now.m == nil || len(now.same) != n {
		return nil
	}
	return &now
}

// keep remembers a run that came to its end.
func (y *Memory) keep(r *job) {
	if y == nil || r.m == nil || r.DryRun {
		return
	}
	*y = Memory{m: r.m, files: map[string]*remembered{}}
	y.m.entries = nil
	for i := range r.output {
		s := &r.output[i]
		y.files[s.name] = &remembered{s.pages, r.opening(s.uses), s.lastmod, s.drafts}
	}
}

// recall takes over what was measured of the page at i, and reports whether it is
// the same. What is said of a page that fits in no file is said again.
func (g *gauge) recall(i int) (key string, ok bool) {
	if g.memory == nil || g.memory.same[i] < 0 {
		return "", false
	}
	was, j := g.memory.m, int(g.memory.same[i])
	if was.flags[j]&(bare|left) != 0 {
		return "", false
	}
	for was.end(g.run) <= j {
		g.run++
	}
	g.sizes[i], g.flags[i], g.hashes[i] = was.sizes[j], was.flags[j], was.hashes[j]
	return was.runs[g.run].key, true
}

// recall drafts a shard as it was, where it holds what it held and its files are
// as they were left.
func (p *press) recall(s *shard) bool {
	if p.memory == nil {
		return false
	}
	was := p.memory.files[s.name]
	if was == nil || len(was.pages) != len(s.pages) || was.opening != p.opening(s.uses) {
		return false
	}
	for i, page := range s.pages {
		if p.memory.same[page] != was.pages[i] {
			return false
		}
	}
	for _, d := range was.drafts {
		if info, err := p.dir.stat(d.name); err != nil || info == nil || !AsLeft(info, d.info) {
			return false
		}
	}
	s.lastmod = was.lastmod
	for _, d := range was.drafts {
		s.drafts = append(s.drafts, &draft{dir: p.dir, name: d.name, size: d.size, info: d.info, urls: d.urls})
	}
	return true
}

// AsLeft reports whether a file is still the one that was left so, as far as can
// be told without reading it.
func AsLeft(info, left fs.FileInfo) bool {
	return os.SameFile(info, left) && info.Size() == left.Size() && info.ModTime().Equal(left.ModTime())
}

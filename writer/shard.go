package writer

import (
	"context"
	"runtime"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A shard is a child on disk, in each format that lists all pages.
type shard struct {
	*child
	lastmod sitemap.Date // the newest, when every page has a date
	drafts  []*draft
	err     error
}

// shards drafts the children, several at a time, and holds no more of them in
// memory than a chunk each. On an error no draft is left.
func (r *job) shards(ctx context.Context, m *measures, children []child) ([]shard, error) {
	out := make([]shard, len(children))
	inParallel(len(children), runtime.GOMAXPROCS(0), func() func(int) {
		p := newPress(r, m)
		return func(i int) {
			out[i].child = &children[i]
			if out[i].err = ctx.Err(); out[i].err == nil {
				p.print(&out[i])
			}
		}
	})
	for i := range out {
		r.drafts = append(r.drafts, out[i].drafts...)
	}
	for i := range out {
		if out[i].err != nil {
			return nil, out[i].err
		}
	}
	return out, nil
}

// A press drafts children, for one goroutine.
type press struct {
	*job
	m     *measures
	sinks []*sink // one for each of formats
	e     sitemap.Entry
}

func newPress(r *job, m *measures) *press {
	p := &press{job: r, m: m}
	for range r.whole {
		p.sinks = append(p.sinks, newSink(r.dir, r.Options))
	}
	return p
}

// print drafts a shard in every format.
func (p *press) print(s *shard) {
	defer func() {
		for _, k := range p.sinks {
			k.discard()
		}
	}()
	if s.err = p.open(s); s.err != nil {
		return
	}
	if s.err = p.entries(s); s.err != nil {
		return
	}
	for i, f := range p.whole {
		p.sinks[i].buf = f.close(p.sinks[i].buf)
		drafts, err := p.sinks[i].end(p.MaxBytes)
		for _, d := range drafts {
			d.urls = s.urls
		}
		s.drafts = append(s.drafts, drafts...)
		if err != nil {
			s.err = err
			return
		}
	}
}

func (p *press) open(s *shard) error {
	h := head{Opening: p.opening(s.uses)}
	for i, f := range p.whole {
		if err := p.sinks[i].begin(p.file(s.name, f.name)); err != nil {
			return err
		}
		p.sinks[i].buf = f.open(p.sinks[i].buf, &h)
	}
	return nil
}

// entries appends the pages of s, and finds their newest date.
func (p *press) entries(s *shard) error {
	dated := true
	for _, page := range s.pages {
		p.m.page(page, &p.e)
		for i, f := range p.whole {
			k := p.sinks[i]
			k.buf = f.entry(k.buf, &p.e)
			if err := k.step(); err != nil {
				return err
			}
		}
		dated = dated && !p.e.LastMod.IsZero()
		if dated && s.lastmod.Compare(p.e.LastMod) < 0 {
			s.lastmod = p.e.LastMod
		}
	}
	if !dated {
		s.lastmod = sitemap.Date{}
	}
	return nil
}

package site

import (
	"iter"
	"path"
	"runtime"
	"slices"
	"sync"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// place says where the generator writes each content file, now that all of
// them are known.
func (s *Site) place() {
	s.mapping = s.o.Mapping.With(s.facts())
	var placing sync.WaitGroup
	for some := range slices.Chunk(s.sources, 1+len(s.sources)/runtime.GOMAXPROCS(0)) {
		placing.Go(func() { s.placeAll(some) })
	}
	placing.Wait()
}

func (s *Site) placeAll(sources []*source) {
	m := s.mapping
	var scratch page.Facts
	plain := new(placement)
	for _, src := range sources {
		f := src.said(&scratch)
		var p placement
		src.out, p.note, _ = m.Output(src.file, f)
		src.ending = m.Ending(src.file, src.out, f)
		given := m.Given(src.file)
		p.given, src.says = nonZero(given), nonZero(f.URL.Or(given))
		src.since = m.Since(src.file, f)
		p.lang, src.key = m.Translation(src.file, f)
		if src.placement = plain; p != *plain {
			src.placement = &placement{p.note, p.lang, p.given}
		}
		src.verdict = s.sourceVerdict(m, src.file, f)
	}
}

func (s *Site) facts() iter.Seq2[string, *page.Facts] {
	return func(yield func(string, *page.Facts) bool) {
		var scratch page.Facts
		for _, src := range s.sources {
			if !yield(src.file, src.said(&scratch)) {
				return
			}
		}
	}
}

// nonZero returns nil for a URL that says at most a date.
func nonZero(u sitemap.URL) *sitemap.URL {
	if u.ChangeFreq == 0 && u.Priority == 0 && u.Alternates == nil && u.Images == nil && u.Videos == nil && u.News == nil {
		return nil
	}
	v := u // u itself stays off the heap
	return &v
}

// sourceVerdict says why the content file alone keeps its page out; nil when it
// does not.
func (s *Site) sourceVerdict(m *mapping.Content, file string, f *page.Facts) *Verdict {
	reason, pos, note := f.Skip, f.SkipPos, f.SkipNote
	if reason == page.Listed {
		reason, pos, note = m.Skip(file, f)
	}
	if reason == page.Listed {
		return nil
	}
	if pos.File == "" {
		pos.File = path.Join(s.o.Content.Name, file)
	}
	return &Verdict{Reason: reason, Pos: pos, Text: note}
}

// listSources makes the pages of a site that has no built tree.
func (s *Site) listSources() []*record {
	chunk := make([]record, len(s.sources))
	records := make([]*record, 0, len(s.sources))
	for i, src := range s.sources {
		if src.verdict == nil && !src.isPage() {
			continue
		}
		r := &chunk[i]
		r.src, r.file = src, src.out
		if r.file == "" {
			r.file = src.file
			s.unplaced(src)
		}
		part, below := s.partAt(r.file)
		r.part, r.path, r.ending = part, s.parts[part].Style.URLPath(below), s.parts[part].Style.Ending(below)
		records = append(records, r)
	}
	sortRecords(records)
	return records
}

// isPage reports whether a content file is the source of a page of its own: one
// without front matter is, when its format has no other use.
func (src *source) isPage() bool {
	if src.front {
		return true
	}
	switch path.Ext(src.file) {
	case ".html", ".htm", ".xhtml", ".txt":
		return false
	}
	return true
}

func (s *Site) unplaced(src *source) {
	if src.verdict != nil {
		return
	}
	src.verdict = &Verdict{Reason: page.NotRendered, Text: src.note}
	s.related.Warnf(diag.Pos{File: path.Join(s.o.Content.Name, src.file)}, "unknown-url",
		"name the publish directory too, so that the built page says where it is",
		"the address of its page cannot be known: %s", src.note)
}

// pair tells each page the content file that speaks for it: the one whose page
// the generator writes there. Two content files for one page, or two pages for
// one content file, are no pair.
func (s *Site) pair() {
	if s.o.Pages == nil {
		return
	}
	if len(s.sources) == 0 {
		for _, r := range s.pages {
			r.src = nil
		}
		return
	}
	outs := make([]string, len(s.sources))
	for i, src := range s.sources {
		outs[i] = src.out
	}
	files := make([]string, len(s.pages))
	for i, r := range s.pages {
		files[i] = r.file
	}
	for i, j := range mapping.Pair(files, outs) {
		r := s.pages[i]
		if r.src = nil; j < 0 {
			continue
		}
		r.src = s.sources[j]
		if r.src.out == r.file {
			r.src.out = r.file // one string is enough
		}
	}
}

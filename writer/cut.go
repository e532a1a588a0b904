package writer

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// largeSection is how many URLs a section has at least to get a file of its
// own, where half a file is not less.
const largeSection = 1000

// A weight is what a set of pages takes up in one file.
type weight struct {
	urls, news int
	bytes      int // without the file's opening and closing
	uses       sitemap.Extensions
}

func (w *weight) add(v weight) {
	w.urls += v.urls
	w.news += v.news
	w.bytes += v.bytes
	w.uses |= v.uses
}

func (p *page) weight() weight {
	w := weight{urls: 1, bytes: int(p.bytes), uses: p.uses}
	if p.uses&sitemap.NewsExt != 0 {
		w.news = 1
	}
	return w
}

// A section is pages that belong together.
type section struct {
	key   string // see sections.of
	pages []page
	weight
}

func (s *section) add(p page) {
	s.pages = append(s.pages, p)
	s.weight.add(p.weight())
}

// A cutter divides pages into files.
type cutter struct {
	*job
	overheads map[sitemap.Extensions]int // bytes of opening and closing, by the extensions that a file uses
	buf       []byte
}

func newCutter(r *job) *cutter { return &cutter{job: r, overheads: map[sitemap.Extensions]int{}} }

// cut divides the pages into files by section and, where these do not fit, by hash.
func (r *job) cut(ctx context.Context) ([]child, error) {
	c := newCutter(r)
	secs, err := c.sections(ctx)
	if err != nil {
		return nil, err
	}
	if r.Left > 0 && r.Left == r.entries.Len() { // an empty url set would take the place of what was there
		return nil, fmt.Errorf("no URL fits into a sitemap of %d bytes; raise output.max_bytes", r.MaxBytes)
	}
	var all weight
	for _, s := range secs {
		all.add(s.weight)
	}
	single := c.fits(all)
	if all.urls == 0 && len(r.Index) == 0 || single && len(r.Groups)+len(r.Index) == 0 && r.Split != "section" {
		return []child{{pages: shared(secs, nil).pages, uses: all.uses}}, nil
	}
	return c.name(c.gather(secs, r.Split != "none" && (r.Split == "section" || !single || len(r.Groups) > 0)))
}

// sections returns the sections by their keys, without pages that no file can hold.
func (c *cutter) sections(ctx context.Context) (map[string]*section, error) {
	secs, by := map[string]*section{}, newSections(c.Options)
	var e sitemap.Entry
	for i := range c.entries.Len() {
		if i%stride == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		c.entries.Entry(i, &e)
		p, ok := c.measure(&e)
		if !ok {
			c.Left++
			continue
		}
		p.index, p.hash = int32(i), hash(by.below(e.Loc))
		key := by.of(e.Loc)
		s := secs[key]
		if s == nil {
			s = &section{key: strings.Clone(key)}
			secs[s.key] = s
		}
		s.add(p)
	}
	for _, g := range c.Groups {
		if secs[":"+g.Name] == nil {
			c.Empty = append(c.Empty, g)
		}
	}
	return secs, nil
}

// measure returns what a page takes up, without its extensions if a file cannot hold it
// else, and whether any file can.
func (c *cutter) measure(e *sitemap.Entry) (p page, ok bool) {
	f := c.largest()
	for {
		if f.is == sitemap.FormatURLSet {
			p.uses = e.Extensions()
		}
		c.buf = f.is.AppendEntry(c.buf[:0], e)
		p.bytes = int32(len(c.buf))
		switch {
		case c.fits(p.weight()) && p.bare:
			c.Diags.Warnf(diag.Pos{}, "entry-too-large", "give the page fewer images, videos or alternates, or raise output.max_bytes",
				"%s with its images, videos, news and alternates does not fit into a sitemap of %d bytes; it is listed without them", e.Loc, c.MaxBytes)
			return p, true
		case c.fits(p.weight()):
			return p, true
		case p.uses == 0:
			c.Diags.Errorf(diag.Pos{}, "url-too-large", "raise output.max_bytes",
				"%s alone is more than a sitemap of %d bytes can hold; it is left out", e.Loc, c.MaxBytes)
			return p, false
		}
		strip(e)
		p.bare = true
	}
}

// strip takes from e what only extensions of the protocol can say.
func strip(e *sitemap.Entry) {
	e.URL = sitemap.URL{Loc: e.Loc, LastMod: e.LastMod, ChangeFreq: e.ChangeFreq, Priority: e.Priority}
}

// fits reports whether pages of that weight may stand in one file.
func (c *cutter) fits(w weight) bool {
	overhead, known := c.overheads[w.uses]
	if !known {
		overhead = sitemap.NewWriter(io.Discard, c.largest().is, c.head(w.uses), sitemap.Limits{}).Size()
		c.overheads[w.uses] = overhead
	}
	return w.urls <= c.MaxURLs && w.news <= sitemap.MaxNews && w.bytes+overhead <= c.MaxBytes
}

// large reports whether a section of that weight has files of its own: from
// 1,000 URLs or half a file on. It asks nothing of other sections, so that what
// happens in one moves no page of another.
func (c *cutter) large(w weight) bool {
	return w.urls >= min(largeSection, max(1, c.MaxURLs/2)) ||
		w.bytes >= c.MaxBytes/2 || w.news >= sitemap.MaxNews/2
}

// gather returns what shares a file, and then the groups and, where by says so,
// the large sections, sorted by key.
func (c *cutter) gather(secs map[string]*section, by bool) []*section {
	own := map[string]*section{}
	for key, s := range secs {
		if strings.HasPrefix(key, ":") || key != "" && by && c.large(s.weight) {
			own[key] = s
		}
	}
	all := []*section{shared(secs, own)}
	for _, key := range slices.Sorted(maps.Keys(own)) {
		all = append(all, own[key])
	}
	return all
}

// shared returns the sections that are not own as one, its pages in their order.
func shared(secs, own map[string]*section) *section {
	rest := &section{}
	for key, s := range secs {
		if own[key] == nil {
			rest.pages = append(rest.pages, s.pages...)
			rest.weight.add(s.weight)
		}
	}
	slices.SortFunc(rest.pages, func(a, b page) int { return int(a.index - b.index) })
	return rest
}

// name cuts sections where they do not fit, and gives each file its name.
func (c *cutter) name(secs []*section) ([]child, error) {
	names, owners := namesOf(c.Options), map[string]string{}
	var all []child
	for _, s := range secs {
		name := names.of(s.key)
		if other, ok := owners[name]; ok {
			return nil, fmt.Errorf("sections %q and %q get the same file name; name one of them under output.sitemaps", other, s.key)
		}
		owners[name] = s.key
		from := len(all)
		var err error
		if all, err = c.halve(all, name, s, 0, 0); err != nil {
			return nil, err
		}
		slices.SortFunc(all[from:], func(a, b child) int { return cmp.Compare(a.slot, b.slot) })
	}
	return all, nil
}

// halve appends the files of a section that are named by it and a slot.
//
// Each file holds the pages whose hashes end in the same bits, and is cut in two
// by one more bit when it does not fit. So the cut is a function of the set of
// URLs alone; one page more or less changes one file, a full file splits in two,
// and the half that keeps the slot keeps its name. depth bits are common to all
// pages of s, and are those of the slot.
func (c *cutter) halve(all []child, name string, s *section, slot uint64, depth int) ([]child, error) {
	switch {
	case s.urls == 0:
		return all, nil
	case c.fits(s.weight):
		return append(all, child{name: slotName(name, slot), slot: slot, pages: s.pages, uses: s.uses}), nil
	case depth == 64:
		return nil, fmt.Errorf("%d pages have one hash and do not fit into one file", s.urls)
	}
	var halves [2]section
	for i := range halves {
		halves[i].pages = make([]page, 0, s.urls/2+s.urls/16)
	}
	for _, p := range s.pages {
		halves[p.hash>>depth&1].add(p)
	}
	all, err := c.halve(all, name, &halves[0], slot, depth+1)
	if err != nil {
		return nil, err
	}
	return c.halve(all, name, &halves[1], slot|1<<depth, depth+1)
}

// hash spreads s evenly over 64 bits. Where a sitemap is cut, and which children
// are downloaded again after an update of this program, depends on it: it must
// never change.
func hash(s string) uint64 {
	const p0, p1 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db
	h := uint64(len(s)) * p1
	if len(s) < 8 {
		var w uint64
		for i := range len(s) {
			w |= uint64(s[i]) << (8 * i)
		}
		return mix(mix(h^w, p1), p0)
	}
	last := word(s[len(s)-8:])
	for ; len(s) > 8; s = s[8:] {
		h = mix(h^word(s), p0)
	}
	return mix(mix(h^last, p1), p0)
}

// word returns the first eight bytes of s, the lowest first. Compilers read them
// at once.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

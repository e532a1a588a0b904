package writer

import (
	"cmp"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"math/bits"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/sitemap"
)

// splitOptions configure how the pages are divided into files.
type splitOptions struct {
	Base   string         // the URL whose folders are sections, with a trailing slash
	Limit  sitemap.Limits // of one file
	Format sitemap.Format // format in which entries are measured
	Head   func(uses sitemap.Extensions, isChild bool) sitemap.Head

	Mode   string               // one of Splits
	Groups []string             // names of groups; each group has files of its own
	Group  func(loc string) int // returns the index of the URL's group, or a negative number
	Index  bool                 // an index is required, because it also names other sitemaps
	Taken  []string             // child names of the other sitemaps in the index
}

// A filePlan is the result of splitPages.
type filePlan struct {
	Files []child   // sorted by section; a single one without a name holds the whole site
	Left  int       // pages that are too large for any file
	Empty []int     // indexes of groups without a URL
	Diags diag.List // in no order
}

// A child is one of the files that together list all pages.
type child struct {
	Name  string // between the name of the site's sitemap and the extension
	Pages []pageRef
	Uses  sitemap.Extensions
	Bytes int // approximate size without the file's opening and closing

	lastmod sitemap.Date // newest date, or zero if a page has none; set by encode
	slot    uint64       // the lowest hash that belongs here, which no other file of the section has
}

// A pageRef is a page of a plan.
type pageRef struct {
	index             int32              // of the entry
	bytes             int32              // size in a file
	hash              uint64             // of the URL below the base
	uses              sitemap.Extensions // of the protocol
	withoutExtensions bool               // the page is listed without its extensions, because no file has room for them
}

// fill sets *e to the entry of the page in its file.
func (p *pageRef) fill(entries Entries, e *sitemap.Entry) {
	entries.Entry(int(p.index), e)
	if p.withoutExtensions {
		stripExtensions(e)
	}
}

// stripExtensions removes all extension data from e.
func stripExtensions(e *sitemap.Entry) {
	e.URL = sitemap.URL{Loc: e.Loc, LastMod: e.LastMod, ChangeFreq: e.ChangeFreq, Priority: e.Priority}
}

// splitPages divides the pages into files by section. It divides sections that do not fit into one
// file by hash.
func splitPages(ctx context.Context, entries Entries, o splitOptions) (filePlan, error) {
	c := newCutter(&o)
	files, err := c.cut(ctx, entries)
	c.plan.Files = files
	return c.plan, err
}

// overhead returns the size in bytes of an empty file that uses the given extensions.
func (o *splitOptions) overhead(uses sitemap.Extensions, isChild bool) int {
	return sitemap.NewWriter(io.Discard, o.Format, o.Head(uses, isChild), sitemap.Limits{}).Size()
}

// largeSection is the minimum number of URLs of a section with its own file. If half a file has
// room for fewer URLs, half a file is enough.
const largeSection = 1000

// A weight is the size of a set of pages in one file.
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

func (p *pageRef) weight() weight {
	w := weight{urls: 1, bytes: int(p.bytes), uses: p.uses}
	if p.uses&sitemap.NewsExt != 0 {
		w.news = 1
	}
	return w
}

// A section is a set of pages that share a file if they fit.
type section struct {
	key   string // see cutter.key
	pages []pageRef
	weight
}

func (s *section) add(p pageRef) {
	s.pages = append(s.pages, p)
	s.weight.add(p.weight())
}

// A cutter divides pages into files.
type cutter struct {
	*splitOptions
	plan      filePlan
	groups    []string                   // their keys
	overheads map[sitemap.Extensions]int // bytes of opening and closing, by the extensions that a file uses
	buf       []byte
}

func newCutter(o *splitOptions) *cutter {
	c := &cutter{splitOptions: o, overheads: map[sitemap.Extensions]int{}}
	for _, name := range o.Groups {
		c.groups = append(c.groups, ":"+name)
	}
	return c
}

// cut divides the pages into files.
func (c *cutter) cut(ctx context.Context, entries Entries) ([]child, error) {
	secs, err := c.sections(ctx, entries)
	if err != nil {
		return nil, err
	}
	if c.plan.Left > 0 && c.plan.Left == entries.Len() { // do not replace the old sitemap by an empty one
		return nil, fmt.Errorf("no URL fits into a sitemap of %d bytes; raise output.max_bytes", c.Limit.Bytes)
	}
	var all weight
	for _, s := range secs {
		all.add(s.weight)
	}
	single := c.fitsInto(all, c.overhead(all.uses, false))
	if all.urls == 0 && !c.Index || single && len(c.Groups) == 0 && !c.Index && c.Mode != "section" {
		return []child{{Pages: mergeSections(secs, nil).pages, Uses: all.uses, Bytes: all.bytes}}, nil
	}
	return c.assignFiles(c.gather(secs, c.Mode != "none" && (c.Mode == "section" || !single || len(c.Groups) > 0)))
}

// sections returns the sections by key. It drops the pages that fit into no file.
func (c *cutter) sections(ctx context.Context, entries Entries) (map[string]*section, error) {
	secs := map[string]*section{}
	err := llms.EachEntry(ctx, entries, func(i int, e *sitemap.Entry) {
		p, ok := c.measure(e)
		if !ok {
			c.plan.Left++
			return
		}
		p.index, p.hash = int32(i), hash(strings.TrimPrefix(e.Loc, c.Base)) // independent of the domain
		key := c.key(e.Loc)
		s := secs[key]
		if s == nil {
			s = &section{key: strings.Clone(key)}
			secs[s.key] = s
		}
		s.add(p)
	})
	for i, key := range c.groups {
		if secs[key] == nil {
			c.plan.Empty = append(c.plan.Empty, i)
		}
	}
	return secs, err
}

// key returns the key of the section that loc belongs to: ":name" for a group. Other URLs share
// one section, unless pages are divided by section.
func (c *cutter) key(loc string) string {
	if len(c.groups) > 0 {
		if i := c.Group(loc); i >= 0 {
			return c.groups[i]
		}
	}
	if c.Mode == "none" {
		return ""
	}
	return llms.SectionOf(c.Base, loc)
}

// measure returns the size of a page in a file. If the page does not fit with its extensions,
// measure returns its size without them. ok is false if the page fits into no file.
func (c *cutter) measure(e *sitemap.Entry) (p pageRef, ok bool) {
	for {
		if c.Format == sitemap.FormatURLSet {
			p.uses = e.Extensions()
		}
		c.buf = c.Format.AppendEntry(c.buf[:0], e)
		p.bytes = int32(len(c.buf))
		switch {
		case c.fits(p.weight()) && p.withoutExtensions:
			c.plan.Diags.Warnf(diag.Pos{}, "entry-too-large", "give the page fewer images, videos or alternates, or raise output.max_bytes",
				"%s with its images, videos, news and alternates does not fit into a sitemap of %d bytes; it is listed without them", e.Loc, c.Limit.Bytes)
			return p, true
		case c.fits(p.weight()):
			return p, true
		case p.uses == 0:
			c.plan.Diags.Errorf(diag.Pos{}, "url-too-large", "raise output.max_bytes",
				"%s alone is more than a sitemap of %d bytes can hold; it is left out", e.Loc, c.Limit.Bytes)
			return p, false
		}
		stripExtensions(e)
		p.withoutExtensions = true
	}
}

// fits reports whether pages with this weight fit into one child.
func (c *cutter) fits(w weight) bool {
	overhead, known := c.overheads[w.uses]
	if !known {
		overhead = c.overhead(w.uses, true)
		c.overheads[w.uses] = overhead
	}
	return c.fitsInto(w, overhead)
}

// fitsInto reports whether pages with this weight fit into a file with the given overhead in bytes.
func (c *cutter) fitsInto(w weight, overhead int) bool {
	return w.urls <= c.Limit.URLs && w.news <= sitemap.MaxNews && w.bytes+overhead <= c.Limit.Bytes
}

// isLarge reports whether a section with this weight gets files of its own: from largeSection URLs
// or half a file on. The result depends on this section only, so that a change in one section
// moves no page of another.
func (c *cutter) isLarge(w weight) bool {
	return w.urls >= min(largeSection, max(1, c.Limit.URLs/2)) ||
		w.bytes >= c.Limit.Bytes/2 || w.news >= sitemap.MaxNews/2
}

// gather returns the sections with their own files, sorted by key, after one section with all
// other pages. Groups have their own files. With bySection, large sections have their own files
// too.
func (c *cutter) gather(secs map[string]*section, bySection bool) []*section {
	own := map[string]*section{}
	for key, s := range secs {
		if strings.HasPrefix(key, ":") || key != "" && bySection && c.isLarge(s.weight) {
			own[key] = s
		}
	}
	all := []*section{mergeSections(secs, own)}
	for _, key := range slices.Sorted(maps.Keys(own)) {
		all = append(all, own[key])
	}
	return all
}

// mergeSections merges the sections that are not in own. It keeps the order of the pages.
func mergeSections(secs, own map[string]*section) *section {
	rest := &section{}
	for key, s := range secs {
		if own[key] == nil {
			rest.pages = append(rest.pages, s.pages...)
			rest.weight.add(s.weight)
		}
	}
	slices.SortFunc(rest.pages, func(a, b pageRef) int { return int(a.index - b.index) })
	return rest
}

// assignFiles divides the sections that do not fit into one file, and names all files.
func (c *cutter) assignFiles(secs []*section) ([]child, error) {
	names, owners := newChildNames(c.splitOptions), map[string]string{}
	var all []child
	for _, s := range secs {
		name := names.first(s.key)
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

// halve appends the files of one section.
//
// The pages of a file have hashes that end in the same bits. A file that is too large is halved by
// one more bit. The half that keeps the slot keeps the file name. So the files depend only on the
// set of URLs, and one added page changes one file. depth is the number of bits that all pages of
// s share; the bits are those of slot.
func (c *cutter) halve(all []child, name string, s *section, slot uint64, depth int) ([]child, error) {
	switch {
	case s.urls == 0:
		return all, nil
	case c.fits(s.weight):
		return append(all, child{Name: slotName(name, slot), slot: slot, Pages: s.pages, Uses: s.uses, Bytes: s.bytes}), nil
	case depth == 64:
		return nil, fmt.Errorf("%d pages have one hash and do not fit into one file", s.urls)
	}
	var halves [2]section
	for i := range halves {
		halves[i].pages = make([]pageRef, 0, s.urls/2+s.urls/16)
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

// hash distributes s evenly over 64 bits. hash must never change: it decides how sitemaps are
// split, so a change would make crawlers download all child sitemaps again.
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

// word returns the first eight bytes of s as a little-endian number.
func word(s string) uint64 { return binary.LittleEndian.Uint64([]byte(s[:8])) }

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

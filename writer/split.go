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

	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A splitter divides the pages of a site into files.
type splitter struct {
	Entries Entries
	Base    string         // URL whose folders are sections, with a trailing slash
	Limit   sitemap.Limits // maximum number of URLs and bytes of one file
	Format  sitemap.Format // format in which sizes are measured
	// Frame returns the frame of a file. uses are the extensions that the file declares. isChild is
	// true for all files except the entry file.
	Frame func(uses sitemap.Extensions, isChild bool) sitemap.Frame

	Mode     string                  // one of Splits
	Groups   []string                // keys of the groups, such as ":blog"; each group gets its own files
	GroupKey func(loc string) string // returns the element of Groups for the URL loc, or "" for none
	Index    bool                    // write an index even for a single file, because the index also names other sitemaps

	buf []byte // buffer of measureEntry
}

// A child is one of the files that together list all pages. If there are several, the entry file is
// an index of them. Otherwise, the only child may itself be the entry file, with the name "".
type child struct {
	section
	name    string       // part of the file name that differs, such as "blog" in sitemap-blog.xml; "" for the entry file
	lastmod sitemap.Date // latest date of the pages, or zero if one has no date; set by encodeSitemap
	slot    uint64       // low bits that the hashes of its pages have in common; distinguishes the files of one section
}

// A pageRef refers to a page in Entries, and contains the values that decide which file lists the
// page.
type pageRef struct {
	index int32              // index in Entries
	bytes int32              // size of the entry in the file
	hash  uint64             // hash of the URL without the base
	uses  sitemap.Extensions // extensions of the entry, such as images
}

// largeSection is the minimum number of URLs with which a section gets its own files. If half of
// Limit.URLs is lower, that half is the minimum. See isLarge for sections that are large in bytes.
const largeSection = 1000

// A weight is the size of a set of pages. It is compared with the limits of a file.
type weight struct {
	// urls is the number of pages. news is the number of pages with the news extension.
	urls, news int
	bytes      int                // size without the beginning and end of the file
	uses       sitemap.Extensions // extensions that the pages use, such as images
}

// add adds the weight of other pages to w.
func (w *weight) add(v weight) {
	w.urls += v.urls
	w.news += v.news
	w.bytes += v.bytes
	w.uses |= v.uses
}

// weight returns the weight of a set that contains only the page p.
func (p *pageRef) weight() weight {
	w := weight{urls: 1, bytes: int(p.bytes), uses: p.uses}
	if p.uses&sitemap.NewsExt != 0 {
		w.news = 1
	}
	return w
}

// A section is a set of pages that share one file if they fit into it: all or some of the pages
// with one key, such as "/blog", or the pages of several small sections.
type section struct {
	key   string // see splitter.sectionKey
	pages []pageRef
	weight
}

// add adds the page p and its weight to the section.
func (s *section) add(p pageRef) {
	s.pages = append(s.pages, p)
	s.weight.add(p.weight())
}

// splitPages divides the pages into files, which are sorted by section. If all pages fit into one
// file, it returns only this file, unless c requests groups, an index or the mode "section".
// Otherwise, each group gets its own files. Each large section also gets its own files, unless the
// mode is "none", or c.Index is the only reason for an index. Further files list the remaining
// pages. A group or section that is too large for one file is divided by the hashes of its URLs.
// Without pages, splitPages returns one empty file, unless c requests an index. empty contains the
// indexes in c.Groups of the groups without a page.
func (c *splitter) splitPages(ctx context.Context) (files []child, empty []int, err error) {
	secs, err := c.groupBySection(ctx)
	if err != nil {
		return nil, nil, err
	}
	for i, key := range c.Groups {
		if secs[key] == nil {
			empty = append(empty, i)
		}
	}
	var all weight
	for _, s := range secs {
		all.add(s.weight)
	}
	single := c.fits(all, false)
	if all.urls == 0 && !c.Index || single && len(c.Groups) == 0 && !c.Index && c.Mode != "section" {
		return []child{{section: *mergeOtherSections(secs, nil)}}, empty, nil
	}
	files, err = c.assignFiles(c.selectSections(secs, c.Mode != "none" && (c.Mode == "section" || !single || len(c.Groups) > 0)))
	return files, empty, err
}

// groupBySection divides the pages into sections. The result maps a key, as sectionKey returns it,
// to its section.
func (c *splitter) groupBySection(ctx context.Context) (map[string]*section, error) {
	secs := map[string]*section{}
	err := llms.ForEachEntry(ctx, c.Entries, func(i int, e *sitemap.Entry) {
		p := c.measureEntry(e)
		p.index, p.hash = int32(i), hashString(strings.TrimPrefix(e.Loc, c.Base)) // a move to another domain keeps the hash
		key := c.sectionKey(e.Loc)
		s := secs[key]
		if s == nil {
			s = &section{key: strings.Clone(key)}
			secs[s.key] = s
		}
		s.add(p)
	})
	return secs, err
}

// sectionKey returns the key of the section of the URL loc. The key is ":name" for a group, "/blog"
// for a folder of Base, "" for a page directly below Base, and "//host" for a URL not below Base.
// If Mode is "none", every URL without a group has the key "".
func (c *splitter) sectionKey(loc string) string {
	if key := c.GroupKey(loc); key != "" || c.Mode == "none" {
		return key
	}
	return llms.SectionKey(c.Base, loc)
}

// measureEntry returns a pageRef with the size and the extensions of the entry e. The other fields
// are not set.
func (c *splitter) measureEntry(e *sitemap.Entry) (p pageRef) {
	if c.Format == sitemap.FormatURLSet {
		p.uses = e.Extensions()
	}
	c.buf = c.Format.AppendEntry(c.buf[:0], e)
	p.bytes = int32(len(c.buf))
	return p
}

// fits reports whether pages with the weight w fit into one file. isChild is false for the entry
// file.
func (c *splitter) fits(w weight, isChild bool) bool {
	if w.urls > c.Limit.URLs || w.news > sitemap.MaxNews {
		return false
	}
	withoutEntries := sitemap.NewWriter(io.Discard, c.Format, c.Frame(w.uses, isChild), sitemap.Limits{}).Size()
	return w.bytes+withoutEntries <= c.Limit.Bytes
}

// isLarge reports whether a section with the weight w gets its own files. It does not depend on
// other sections, so a change in one section does not move pages of another.
func (c *splitter) isLarge(w weight) bool {
	return w.urls >= min(largeSection, max(1, c.Limit.URLs/2)) ||
		w.bytes >= c.Limit.Bytes/2 || w.news >= sitemap.MaxNews/2
}

// selectSections returns the sections for which files are written. The first element contains the
// pages of all sections that get no file of their own. The other elements are the groups and, if
// bySection is true, the large sections, all sorted by key.
func (c *splitter) selectSections(secs map[string]*section, bySection bool) []*section {
	own := map[string]*section{}
	for key, s := range secs {
		if strings.HasPrefix(key, ":") || key != "" && bySection && c.isLarge(s.weight) {
			own[key] = s
		}
	}
	all := []*section{mergeOtherSections(secs, own)}
	for _, key := range slices.Sorted(maps.Keys(own)) {
		all = append(all, own[key])
	}
	return all
}

// mergeOtherSections returns one section with the pages of all sections that are in secs and not in
// own. The pages are in the order of Entries.
func mergeOtherSections(secs, own map[string]*section) *section {
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

// assignFiles divides each section into files, and gives each file a name. It returns an error if
// two sections would get the same file name.
func (c *splitter) assignFiles(secs []*section) ([]child, error) {
	names, owners := newChildNames(c.Groups), map[string]string{}
	var all []child
	for _, s := range secs {
		name := names.sectionName(s.key)
		if other, ok := owners[name]; ok {
			return nil, fmt.Errorf("sections %q and %q get the same file name; name one of them under output.sitemaps", other, s.key)
		}
		owners[name] = s.key
		from := len(all)
		var err error
		if all, err = c.splitByHash(all, name, s, 0, 0); err != nil {
			return nil, err
		}
		slices.SortFunc(all[from:], func(a, b child) int { return cmp.Compare(a.slot, b.slot) })
	}
	return all, nil
}

// splitByHash appends the files of section s to all. If the pages fit into one file, it appends one
// child. Otherwise, it divides the pages by the next bit of their hashes, and continues with each
// half. The half with the bit 0 keeps the file name.
//
// The files do not depend on earlier runs, and an added page usually changes only one file. name is
// the name of the section. depth is the number of low bits that the hashes of all pages in s have
// in common, and slot contains these bits. splitByHash returns an error if a page is too large for
// any file.
func (c *splitter) splitByHash(all []child, name string, s *section, slot uint64, depth int) ([]child, error) {
	switch {
	case s.urls == 0:
		return all, nil
	case c.fits(s.weight, true):
		return append(all, child{section: *s, name: childName(name, slot), slot: slot}), nil
	case s.urls == 1 || depth == 64: // 64 bits are the whole hash
		var e sitemap.Entry
		c.Entries.Entry(int(s.pages[0].index), &e)
		return nil, fmt.Errorf("the entry of %s does not fit into a sitemap of %d bytes; raise output.max_bytes", e.Loc, c.Limit.Bytes)
	}
	var halves [2]section
	for i := range halves {
		halves[i].pages = make([]pageRef, 0, s.urls/2+s.urls/16)
	}
	for _, p := range s.pages {
		halves[p.hash>>depth&1].add(p)
	}
	all, err := c.splitByHash(all, name, &halves[0], slot, depth+1)
	if err != nil {
		return nil, err
	}
	return c.splitByHash(all, name, &halves[1], slot|1<<depth, depth+1)
}

// hashString returns a hash of s whose bits are evenly distributed. The hash decides which file a
// page is in, so the function must never change: crawlers would have to download all sitemaps
// again.
func hashString(s string) uint64 {
	const p0, p1 = 0xa0761d6478bd642f, 0xe7037ed1a0b428db
	h := uint64(len(s)) * p1
	if len(s) < 8 {
		var w uint64
		for i := range len(s) {
			w |= uint64(s[i]) << (8 * i)
		}
		return multiplyAndFold(multiplyAndFold(h^w, p1), p0)
	}
	last := loadUint64(s[len(s)-8:])
	for ; len(s) > 8; s = s[8:] {
		h = multiplyAndFold(h^loadUint64(s), p0)
	}
	return multiplyAndFold(multiplyAndFold(h^last, p1), p0)
}

// loadUint64 returns the first eight bytes of s as a little-endian number.
func loadUint64(s string) uint64 { return binary.LittleEndian.Uint64([]byte(s[:8])) }

// multiplyAndFold returns the XOR of the two halves of the 128-bit product of a and b.
func multiplyAndFold(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a, b)
	return hi ^ lo
}

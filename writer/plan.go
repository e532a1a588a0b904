package writer

import (
	"context"
	"io"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// splitOptions set what fits into a file, and which pages belong together.
type splitOptions struct {
	Base  string         // the URL whose folders are sections, with a trailing slash
	Limit sitemap.Limits // of one file
	Form  sitemap.Format // in which a page takes the most room
	Head  func(sitemap.Extensions) sitemap.Head

	By     string               // of Splits
	Groups []string             // names of files of their own, before sections
	Group  func(loc string) int // the index of the group that takes a URL, or a negative number
	Index  bool                 // an index names other sitemaps, so that no file may stand in its place
	Taken  []string             // names of files that others have
}

// A filePlan assigns the pages to files.
type filePlan struct {
	Files []child   // sorted by section; a single one without a name holds the whole site
	Left  int       // pages that are too large for any file
	Empty []int     // groups that no URL is in
	Diags diag.List // in no order
}

// A child is one of the files that together hold all pages.
type child struct {
	Name  string // between the name of the site's sitemap and the extension
	Pages []pageRef
	Uses  sitemap.Extensions
	Bytes int // about, without the file's opening and closing

	lastmod sitemap.Date // the newest, if each page has a date; set when the file is encoded
	slot    uint64       // the lowest hash that belongs here, which no other file of the section has
}

// A pageRef is a page in a plan.
type pageRef struct {
	index int32              // of the entry
	bytes int32              // that it takes in a file
	hash  uint64             // of the URL below the base
	of    int32              // the number of its section
	uses  sitemap.Extensions // of the protocol
	bare  bool               // without its extensions, which no file can hold
}

// fill fills *e with the page as its file lists it.
func (p *pageRef) fill(entries Entries, e *sitemap.Entry) {
	entries.Entry(int(p.index), e)
	if p.bare {
		stripExtensions(e)
	}
}

// stripExtensions removes from e all data of extensions of the protocol.
func stripExtensions(e *sitemap.Entry) {
	e.URL = sitemap.URL{Loc: e.Loc, LastMod: e.LastMod, ChangeFreq: e.ChangeFreq, Priority: e.Priority}
}

// splitPages divides the pages into files.
func splitPages(ctx context.Context, entries Entries, o splitOptions) (filePlan, error) {
	if len(o.Groups) == 0 && !o.Index && o.By != "section" {
		if all, ok := planSingleFile(entries, &o); ok {
			return filePlan{Files: []child{all}}, ctx.Err()
		}
	}
	c := newCutter(&o)
	files, err := c.cut(ctx, entries)
	c.plan.Files = files
	return c.plan, err
}

// The size in bytes of a page without extensions, apart from its URL, and of a character
// of the URL that XML escapes, such as &apos;.
const (
	maxPlainBytes   = 144
	usualPlainBytes = 72 // with a date to the second
	maxEscapeBytes  = 6
	escaped         = `&<>"'`
)

// planSingleFile returns all pages as one file. It returns ok = false if the pages may not
// fit, and overestimates their size.
func planSingleFile(entries Entries, o *splitOptions) (all child, ok bool) {
	n := entries.Len()
	if n > o.Limit.URLs {
		return all, false
	}
	all.Pages = make([]pageRef, n)
	room, news := o.Limit.Bytes-o.overhead(sitemap.AllExtensions), sitemap.MaxNews
	var e sitemap.Entry
	var buf []byte
	for i := range all.Pages {
		entries.Entry(i, &e)
		uses := e.Extensions()
		all.Pages[i].index = int32(i)
		all.Uses |= uses
		if uses == 0 {
			all.Bytes += len(e.Loc) + usualPlainBytes
			room -= len(e.Loc) + maxPlainBytes
			if strings.ContainsAny(e.Loc, escaped) {
				room -= (maxEscapeBytes - 1) * len(e.Loc)
			}
			continue
		}
		buf = o.Form.AppendEntry(buf[:0], &e)
		all.Bytes += len(buf)
		room -= len(buf)
		if uses&sitemap.NewsExt != 0 {
			news--
		}
	}
	return all, room >= 0 && news >= 0
}

// overhead returns the size in bytes of a file without pages that uses some extensions.
func (o *splitOptions) overhead(uses sitemap.Extensions) int {
	return sitemap.NewWriter(io.Discard, o.Form, o.Head(uses), sitemap.Limits{}).Size()
}

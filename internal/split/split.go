// Package split divides the URLs of a sitemap into files, and names the files: by
// section and, where a section does not fit, by hash.
//
// It refuses to write files. The cut is a function of the set of URLs alone, so that
// one page more or less changes few files.
package split

import (
	"context"
	"io"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Entries are the pages to divide, as in package writer.
type Entries interface {
	Len() int
	Entry(i int, e *sitemap.Entry)
}

// Options say what fits into a file, and which pages belong together.
type Options struct {
	Base  string         // the URL whose folders are sections, with a trailing slash
	Limit sitemap.Limits // of one file
	Form  sitemap.Format // in which a page takes the most room
	Head  func(sitemap.Extensions) sitemap.Head

	By     string               // one of Modes
	Groups []string             // names of files of their own, before sections
	Group  func(loc string) int // the index of the group that takes a URL, or a negative number
	Index  bool                 // an index names other sitemaps, so that no file may stand in its place
	Taken  []string             // names of files that others have
}

// Modes are what Options.By may be: by section past a limit; by section always; past a limit, not by section.
var Modes = []string{"auto", "section", "none"}

// A Plan says which file holds which pages.
type Plan struct {
	Files []File    // sorted by section; a single one without a name holds the whole site
	Left  int       // pages that are too large for any file
	Empty []int     // groups that no URL is in
	Diags diag.List // in no order
}

// A File is the pages of one file.
type File struct {
	Name  string // between the name of the site's sitemap and the extension
	Pages []Page
	Uses  sitemap.Extensions
	Bytes int // about, without the file's opening and closing

	slot uint64 // the lowest hash that belongs here, which no other file of the section has
}

// A Page is what the plan knows of one page.
type Page struct {
	index int32              // of the entry
	bytes int32              // that it takes in a file
	hash  uint64             // of the URL below the base
	of    int32              // the number of its section
	uses  sitemap.Extensions // of the protocol
	bare  bool               // without its extensions, which no file can hold
}

// Fill fills *e with the page as its file holds it.
func (p *Page) Fill(entries Entries, e *sitemap.Entry) {
	entries.Entry(int(p.index), e)
	if p.bare {
		strip(e)
	}
}

// strip takes from e what only extensions of the protocol can say.
func strip(e *sitemap.Entry) {
	e.URL = sitemap.URL{Loc: e.Loc, LastMod: e.LastMod, ChangeFreq: e.ChangeFreq, Priority: e.Priority}
}

// Divide divides the pages into files.
func Divide(ctx context.Context, entries Entries, o Options) (Plan, error) {
	if len(o.Groups) == 0 && !o.Index && o.By != "section" {
		if all, ok := one(entries, &o); ok {
			return Plan{Files: []File{all}}, ctx.Err()
		}
	}
	c := newCutter(&o)
	files, err := c.cut(ctx, entries)
	c.plan.Files = files
	return c.plan, err
}

// A page without extensions takes at most and usually so many bytes beside its URL. In that,
// XML writes each of some characters as so many, as &apos;.
const (
	mostBytes  = 144
	usualBytes = 72 // with a date to the second
	mostEach   = 6
	escaped    = `&<>"'`
)

// one returns all pages as one file, if they are sure to fit: with all extensions.
func one(entries Entries, o *Options) (all File, ok bool) {
	n := entries.Len()
	if n > o.Limit.URLs {
		return all, false
	}
	all.Pages = make([]Page, n)
	room, news := o.Limit.Bytes-o.overhead(sitemap.AllExtensions), sitemap.MaxNews
	var e sitemap.Entry
	var buf []byte
	for i := range all.Pages {
		entries.Entry(i, &e)
		uses := e.Extensions()
		all.Pages[i].index = int32(i)
		all.Uses |= uses
		if uses == 0 {
			all.Bytes += len(e.Loc) + usualBytes
			room -= len(e.Loc) + mostBytes
			if strings.ContainsAny(e.Loc, escaped) {
				room -= (mostEach - 1) * len(e.Loc)
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

// overhead returns how many bytes a file of some extensions has without pages.
func (o *Options) overhead(uses sitemap.Extensions) int {
	return sitemap.NewWriter(io.Discard, o.Form, o.Head(uses), sitemap.Limits{}).Size()
}

// stride is how many pages pass between two looks at whether to go on.
const stride = 8192

// Each calls do with each page, until ctx is done.
func Each(ctx context.Context, entries Entries, do func(i int, e *sitemap.Entry)) error {
	var e sitemap.Entry
	for i := range entries.Len() {
		if i%stride == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		entries.Entry(i, &e)
		do(i, &e)
	}
	return nil
}

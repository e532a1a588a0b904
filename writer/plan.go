package writer

import (
	"context"
	"io"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A child is the pages of one file.
type child struct {
	name    string // between the entry's name and the extension; "" of the entry itself
	slot    uint64 // the lowest hash that belongs here, which no other child of the section has
	pages   []page
	uses    sitemap.Extensions
	lastmod sitemap.Date // the newest, if each page has a date; known once it is encoded
}

// A page is what the plan knows of one page.
type page struct {
	index int32              // of the entry
	bytes int32              // that it takes in a file
	hash  uint64             // of the URL below the base
	uses  sitemap.Extensions // of the protocol
	bare  bool               // without its extensions, which no file can hold
}

// stride is how many pages pass between two looks at whether to go on.
const stride = 8192

// plan divides the pages into files, sorted by name. One nameless child is the whole
// site.
func (r *job) plan(ctx context.Context) ([]child, error) {
	if len(r.Groups)+len(r.Index) == 0 && r.Split != "section" {
		if all, ok := r.one(); ok {
			return []child{all}, ctx.Err()
		}
	}
	return r.cut(ctx)
}

// A page without extensions takes at most so many bytes, and so many more for each byte
// of its URL, of which XML writes a quotation mark as &apos;.
const mostBytes, mostEach = 256, 6

// one returns all pages as one file, if they are sure to fit: the limits are those of the
// format in which the file is the largest, with all extensions.
func (r *job) one() (all child, ok bool) {
	n, form := r.entries.Len(), r.largest().is
	if n > r.MaxURLs {
		return all, false
	}
	all.pages = make([]page, n)
	room, news := r.MaxBytes-sitemap.NewWriter(io.Discard, form, r.head(sitemap.AllExtensions), sitemap.Limits{}).Size(), sitemap.MaxNews
	var e sitemap.Entry
	var buf []byte
	for i := range all.pages {
		r.entries.Entry(i, &e)
		uses := e.Extensions()
		all.pages[i].index = int32(i)
		all.uses |= uses
		if uses == 0 {
			room -= mostEach*len(e.Loc) + mostBytes
			continue
		}
		buf = form.AppendEntry(buf[:0], &e)
		room -= len(buf)
		if uses&sitemap.NewsExt != 0 {
			news--
		}
	}
	return all, room >= 0 && news >= 0
}

// largest returns the format in which a page takes the most room.
func (r *job) largest() *format {
	if r.has("xml") {
		return &formats[0]
	}
	return r.whole[0]
}

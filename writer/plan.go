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

// one returns all pages as one file, if they are sure to fit: the limits are those of the
// format in which the file is the largest, with all extensions.
func (r *job) one() (all child, ok bool) {
	n := r.entries.Len()
	if n > r.MaxURLs {
		return all, false
	}
	head := r.head(sitemap.AllExtensions)
	w := sitemap.NewWriter(io.Discard, r.largest().is, head, sitemap.Limits{URLs: r.MaxURLs, Bytes: r.MaxBytes})
	all.pages = make([]page, n)
	var e sitemap.Entry
	for i := range all.pages {
		r.entries.Entry(i, &e)
		if w.Write(&e) != nil {
			return all, false
		}
		all.pages[i].index = int32(i)
		all.uses |= e.Extensions()
	}
	return all, true
}

// largest returns the format in which a page takes the most room.
func (r *job) largest() *format {
	if r.has("xml") {
		return &formats[0]
	}
	return r.whole[0]
}

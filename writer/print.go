package writer

import (
	"context"
	"fmt"
	"io"
	"math"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Print writes the first of o.Formats to w as one file, compressed when o.Gzip
// is "only"; an error when the pages are too many for one. It needs no Dir, and
// reports no Files.
func Print(w io.Writer, entries Entries, o Options) (Report, error) {
	opts, err := o.normal()
	if err != nil {
		return Report{}, err
	}
	opts.Stylesheet, opts.Page = false, ""
	r := &job{Options: opts}
	if opts.Gzip != "only" {
		err := r.printTo(w, entries)
		return r.Report, err
	}
	z, err := newZipper(w)
	if err == nil {
		err = r.printTo(z, entries)
	}
	if err == nil {
		err = z.Close()
	}
	return r.Report, err
}

func (r *job) printTo(w io.Writer, entries Entries) error {
	f := r.formats[0]
	if f.feed {
		newest := newestOf(context.Background(), entries, r.Base, r.Feed.Items)
		if len(newest) == 0 {
			return fmt.Errorf("no page but the home page has a date, so there is nothing for the format %s", f.name)
		}
		r.URLs = len(newest)
		_, err := w.Write(r.feed(f, r.file("", f.name), newest))
		return err
	}
	m, diags := measure(context.Background(), entries, f, newSections(r.Options), newLimits(f, r.Options).forPipe(f))
	r.Diags = diags
	if r.Left = m.left(); r.Left > 0 && r.Left == entries.Len() {
		return m.nothing()
	}
	_, weight := m.sections()
	if !m.fits(weight) {
		return fmt.Errorf("%d URLs are more than one file may hold; give -o a folder", weight.urls)
	}
	r.URLs = weight.urls
	return m.printTo(w, f, weight)
}

// forPipe returns the limits of what is printed: a list of addresses in a pipe is
// no sitemap, and may have any length.
func (l *limits) forPipe(f *format) *limits {
	if f.name == "txt" {
		l.urls, l.bytes = math.MaxInt, math.MaxInt
	}
	return l
}

// printTo writes all pages as one file.
func (m *measures) printTo(w io.Writer, f *format, all weight) error {
	b := f.open(nil, &head{Opening: sitemap.Opening{Extensions: all.uses}})
	var e sitemap.Entry
	for _, i := range m.all() {
		m.page(i, &e)
		b = f.entry(b, &e)
		if len(b) < chunk {
			continue
		}
		if _, err := w.Write(b); err != nil {
			return err
		}
		b = b[:0]
	}
	_, err := w.Write(f.close(b))
	return err
}

package writer

import (
	"context"
	"fmt"
	"io"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Print writes the first of o.Formats to w as one file, compressed when o.Gzip
// is "only"; an error when the pages are too many for one. It needs no Dir.
func Print(w io.Writer, entries Entries, o Options) error {
	opts, err := o.normal()
	if err != nil {
		return err
	}
	opts.Stylesheet, opts.Page = false, ""
	if opts.Gzip != "only" {
		return printTo(w, entries, opts)
	}
	z, err := newZipper(w)
	if err != nil {
		return err
	}
	if err := printTo(z, entries, opts); err != nil {
		return err
	}
	return z.Close()
}

func printTo(w io.Writer, entries Entries, o *Options) error {
	all, err := formatsOf(o.Formats[:1])
	if err != nil {
		return err
	}
	r, f := &writing{Options: o}, all[0]
	if f.feed {
		newest := newestOf(context.Background(), entries, o.Feed.Items)
		if len(newest) == 0 {
			return fmt.Errorf("no page has a date, so there is nothing for the format %s", f.name)
		}
		_, err := w.Write(r.feed(f, r.file("", f.name), newest))
		return err
	}
	m, _ := measure(context.Background(), entries, f, newSections(o), newLimits(f, o))
	_, weight := m.sections()
	if !m.fits(weight) {
		return fmt.Errorf("%d URLs are more than one file may hold; give -o a folder", weight.urls)
	}
	return m.printTo(w, f, weight)
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

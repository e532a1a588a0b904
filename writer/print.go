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
	opts.Stylesheet, opts.Page, opts.Key = false, "", ""
	opts.Split, opts.Groups, opts.Index, opts.formats = "none", nil, nil, opts.formats[:1]
	r := newJob(opts, entries)
	if opts.Gzip != "only" {
		err := r.print(w)
		return r.Report, err
	}
	z, err := newZipper(w)
	if err == nil {
		err = r.print(z)
	}
	if err == nil {
		err = z.Close()
	}
	return r.Report, err
}

func (r *job) print(w io.Writer) error {
	ctx := context.Background()
	f := r.formats[0]
	switch f.kind {
	case outlines:
		var err error
		r.URLs, err = r.printLLMS(ctx, w)
		return err
	case newestPages:
		newest := newestOf(ctx, r.entries, r.Base, r.Feed.Items)
		if len(newest) == 0 {
			return fmt.Errorf("no page but the home page has a date, so there is nothing for the format %s", f.name)
		}
		r.URLs = len(newest)
		return r.feed(w, f, r.file("", f.name), newest)
	}
	if f.is == sitemap.FormatText { // a list of addresses in a pipe is no sitemap, and may have any length
		r.MaxURLs, r.MaxBytes = math.MaxInt, math.MaxInt
	}
	children, err := r.plan(ctx)
	if err != nil {
		return err
	}
	for _, c := range children {
		r.URLs += len(c.Pages)
	}
	if len(children) > 1 {
		n := r.URLs
		r.URLs = 0
		return fmt.Errorf("%d URLs are more than one file may hold; give -o a folder", n)
	}
	return r.encode(w, f, &children[0])
}

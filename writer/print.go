package writer

import (
	"context"
	"fmt"
	"io"
	"math"
)

// Print writes the first of o.Formats to w as one file, compressed when o.Gzip
// is "only"; an error when the pages are too many for one. It needs no Dir, and
// reports no Files.
func Print(w io.Writer, entries Entries, o Options) (Report, error) {
	o.Stylesheet, o.Page, o.Key = false, "", ""
	o.Split, o.Groups, o.Index, o.Formats = "none", nil, nil, o.Formats[:min(1, len(o.Formats))]
	r, err := newJob(entries, o)
	if err != nil {
		return Report{}, err
	}
	if o.Gzip != "only" {
		err := r.print(w)
		return r.Report, err
	}
	z := newZipper(w)
	if err = r.print(z); err == nil {
		err = z.Close()
	}
	return r.Report, err
}

func (r *job) print(w io.Writer) error {
	ctx := context.Background()
	format := r.Formats[0]
	switch formats[format].kind {
	case outlines:
		var err error
		r.URLs, err = r.printLLMS(ctx, w)
		return err
	case newestPages:
		newest := newestOf(ctx, r.entries, r.Base, r.Feed.Items)
		if len(newest) == 0 {
			return fmt.Errorf("no page but the home page has a date, so there is nothing for the format %s", format)
		}
		r.URLs = len(newest)
		return r.feed(w, format, newest)
	}
	if formats[format].lines { // a list of addresses in a pipe is no sitemap, and may have any length
		r.MaxURLs, r.MaxBytes = math.MaxInt, math.MaxInt
	}
	if err := r.plan(ctx); err != nil {
		return err
	}
	if len(r.children) > 1 {
		n := r.URLs
		r.URLs = 0
		return fmt.Errorf("%d URLs are more than one file may hold; give -o a folder", n)
	}
	return r.encode(w, format, &r.children[0])
}

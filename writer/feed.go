package writer

import (
	"cmp"
	"context"
	"io"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/llms"
	"github.com/sitewalk/sitewalk/sitemap"
)

// stageFeeds adds the requested RSS and Atom feeds to the transaction. If no page except the home
// page has a date, it adds a finding and no feed.
func (j *job) stageFeeds(ctx context.Context) error {
	newest := newestEntries(ctx, j.entries, j.o.Base, j.o.Feed.Items)
	if err := ctx.Err(); err != nil {
		return err
	}
	if len(newest) == 0 {
		j.report.Diags.Warnf(diag.Pos{}, "feed-without-dates", "give pages a date, or remove rss and atom from output.formats",
			"no page but the home page has a date, so no feed is written")
		return nil
	}
	for _, format := range j.feedFormats {
		name := j.names.childFile("", format)
		j.buf.Reset()
		if err := j.writeFeed(&j.buf, format, newest); err != nil {
			return err
		}
		if err := j.stageVariants(name, j.buf.Bytes(), len(newest), true); err != nil {
			return err
		}
		j.feedNames = append(j.feedNames, name)
	}
	return nil
}

// writeFeed writes a feed with the given entries to out. format is "rss" or "atom". entries must
// not be empty, and the newest entry must be first.
func (j *job) writeFeed(out io.Writer, format string, entries []sitemap.Entry) error {
	w := sitemap.NewWriter(out, formats[format].is, sitemap.Frame{Comments: markComments("", ""), Channel: sitemap.Channel{
		Title: j.siteTitle(), Lang: j.o.Lang, Link: j.o.Base, Self: j.urlOfWrittenFile(j.names.childFile("", format)), Updated: entries[0].LastMod,
	}}, sitemap.Limits{})
	for i := range entries {
		if err := w.Write(&entries[i]); err != nil {
			return err
		}
	}
	return w.Close()
}

// newestEntries returns the n pages with the latest dates, newest first. Pages with the same date
// are sorted by URL. Pages without a date are left out. The home page, whose URL is home, is also
// left out, because its date changes whenever a page is added. If ctx ends, the result is
// incomplete.
func newestEntries(ctx context.Context, entries Entries, home string, n int) []sitemap.Entry {
	out := make([]sitemap.Entry, 0, n+1)
	_ = llms.ForEachEntry(ctx, entries, func(_ int, e *sitemap.Entry) { // the caller checks ctx
		if e.LastMod.IsZero() || e.Loc == home || len(out) == n && out[n-1].LastMod.Compare(e.LastMod) >= 0 {
			return
		}
		at, _ := slices.BinarySearchFunc(out, e.LastMod, func(x sitemap.Entry, d sitemap.Date) int {
			return cmp.Or(d.Compare(x.LastMod), -1)
		})
		out = slices.Insert(out, at, *e)
		out = out[:min(len(out), n)]
	})
	return out
}

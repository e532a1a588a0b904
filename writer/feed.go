package writer

import (
	"cmp"
	"context"
	"slices"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// syndicate drafts the feeds and returns the names of their files.
func (r *job) syndicate(ctx context.Context, entries Entries) ([]string, error) {
	if len(r.feeds) == 0 {
		return nil, nil
	}
	newest := newestOf(ctx, entries, r.Base, r.Feed.Items)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if len(newest) == 0 {
		r.Diags.Warnf(diag.Pos{}, "feed-without-dates", "give pages a date, or take rss and atom out of output.formats",
			"no page but the home page has a date, so no feed is written")
		return nil, nil
	}
	var names []string
	for _, f := range r.feeds {
		name := r.file("", f.name)
		if err := r.claim(name, true); err != nil {
			return nil, err
		}
		if err := r.put(name, r.feed(f, name, newest), len(newest)); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	return names, nil
}

// feed returns the feed of entries, the newest first, in the format f.
func (r *job) feed(f *format, name string, entries []sitemap.Entry) []byte {
	h := head{Channel: sitemap.Channel{
		Title: r.title(), Lang: r.Lang, Link: r.Base, Self: r.url(r.published(name)), Updated: entries[0].LastMod,
	}}
	b := f.open(nil, &h)
	for i := range entries {
		b = f.entry(b, &entries[i])
	}
	return f.close(b)
}

// title returns what the site is called.
func (o *Options) title() string {
	return cmp.Or(o.Feed.Title, o.Title, sitemap.HostOf(o.Base))
}

// newestOf returns the n most recently changed pages with a date, the newest
// first, and of one date those first whose URL comes first. The home page is no
// news: it changes with each of the others.
func newestOf(ctx context.Context, entries Entries, home string, n int) []sitemap.Entry {
	out := make([]sitemap.Entry, 0, n+1)
	var e sitemap.Entry
	for i := range entries.Len() {
		if i%stride == 0 && ctx.Err() != nil {
			return nil
		}
		entries.Entry(i, &e)
		if e.LastMod.IsZero() || e.Loc == home || len(out) == n && out[n-1].LastMod.Compare(e.LastMod) >= 0 {
			continue
		}
		at, _ := slices.BinarySearchFunc(out, e.LastMod, func(x sitemap.Entry, d sitemap.Date) int {
			return cmp.Or(d.Compare(x.LastMod), -1)
		})
		out = slices.Insert(out, at, e)
		out = out[:min(len(out), n)]
	}
	return out
}

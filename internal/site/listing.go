package site

import (
	"sync"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// ListPages decides which pages are listed at the time now, and fills their sitemap entries. It
// does not modify w, so several calls may run at once, and earlier results stay valid.
func ListPages(w *World, now time.Time) *Result {
	r := &Result{
		World: w, LinkStyles: w.linkStyles, Findings: &diag.Report{MaxKept: w.Options.MaxKept},
		now: now, pages: newPages(w),
	}
	c := &clock{now: now}
	r.addFactFindings()
	hasFile := r.joinSitemapEntries()
	r.matchRules()
	r.assignURLs()
	r.excludePages(c)
	r.addURLsWithoutFile(hasFile, c)
	r.excludeDuplicates()
	r.applyCanonicals()
	r.fillFieldsExceptDates(c)
	r.keepMutualAlternates()
	r.groupTranslations()
	r.updateLedger(c)
	r.datePages(c)
	r.cleanEntries()
	r.countPages()
	r.Next = c.next
	return r
}

// newPages returns a new Page for each page file, with its content file. No page is excluded yet.
func newPages(w *World) []Page {
	pages := make([]Page, len(w.pages))
	for i, f := range w.pages {
		pages[i].Facts, pages[i].Content = f, w.pairs[i]
	}
	return pages
}

// addFactFindings adds the findings of the earlier stages: those of reading the files, and those of
// Relate.
func (r *Result) addFactFindings() {
	w, report := r.World, r.Findings
	report.Merge(w.Facts.Findings)
	report.Add(w.Facts.ContentListing...)
	report.Add(w.Facts.PageListing...)
	report.Add(w.findings...)
	report.Add(w.Git.Trouble...)
	for _, f := range w.pages {
		if f.Rest != nil {
			report.Add(f.Rest.Diags...)
		}
	}
	for _, src := range w.ContentFiles {
		if src.Facts != nil {
			report.Add(src.Facts.Diags...)
		}
	}
}

// A clock compares dates with the time of a ListPages call. It also records when one of these
// comparisons will next have a different result. It is safe for concurrent use.
type clock struct {
	now time.Time

	noting sync.Mutex
	next   time.Time // next time at which a comparison changes; zero if no comparison will change
}

// noteNextChange records that a comparison will have a different result at the time moment. The
// clock keeps only the earliest such time.
func (c *clock) noteNextChange(moment time.Time) {
	c.noting.Lock()
	defer c.noting.Unlock()
	if c.next.IsZero() || moment.Before(c.next) {
		c.next = moment
	}
}

// hasCome reports whether d is at or before the clock's time plus slack. If not, it records when
// the result will change. slack may be negative.
func (c *clock) hasCome(d sitemap.Date, slack time.Duration) bool {
	if d.After(c.now.Add(slack)) {
		c.noteNextChange(d.Time().Add(-slack))
		return false
	}
	return true
}

// today returns the day of the clock's time in zone. It records when the next day begins.
func (c *clock) today(zone *time.Location) sitemap.Date {
	now := c.now.In(zone)
	y, m, d := now.Date()
	c.noteNextChange(time.Date(y, m, d+1, 0, 0, 0, 0, zone))
	return sitemap.DayOf(now)
}

// isFuture reports whether d is in the future by more than futureTolerance. A day without a time is
// thus in the future only if it has not begun in any time zone. isFuture is false for the zero
// date.
func (c *clock) isFuture(d sitemap.Date) bool {
	return !d.IsZero() && !c.hasCome(d, futureTolerance(d))
}

// isPending reports whether the publish date d is still in the future. It is false for the zero
// date.
func (c *clock) isPending(d sitemap.Date) bool { return !d.IsZero() && !c.hasCome(d, 0) }

// isPast reports whether d is now or in the past. It is false for the zero date.
func (c *clock) isPast(d sitemap.Date) bool { return !d.IsZero() && c.hasCome(d, 0) }

// futureTolerance returns how far d may be after the clock's time without counting as future. It is
// 14 hours for a day without a time, which may already have begun in another time zone. It is 5
// minutes for a time, because the clocks of two computers differ a little.
func futureTolerance(d sitemap.Date) time.Duration {
	if d.Precision() == sitemap.Day {
		return 14 * time.Hour
	}
	return 5 * time.Minute
}

// findListedFirst returns the page in r.List whose URL is loc. If there is none, it returns the
// result of findByURL with withHidden set: a page that is not listed, or nil.
func (r *Result) findListedFirst(loc string) *Page {
	if i, ok := r.List.Find(loc); ok {
		return r.List[i]
	}
	return r.findByURL(loc, true)
}

// findByURL returns the page whose file the host serves at loc or at another spelling of loc. If
// withHidden is set, it also finds a page that a rule of the host hides, for example by a redirect.
// It returns nil if there is no such page.
func (r *Result) findByURL(loc string, withHidden bool) *Page {
	part, urlPath, ok := r.World.FindPart(loc)
	if !ok {
		return nil
	}
	file := part.FileAt(urlPath, withHidden)
	if file == "" {
		return nil
	}
	return r.Page(part.pathInSite(file))
}

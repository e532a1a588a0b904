package site

import (
	"slices"
	"sync"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A listing is the unfinished result of one call of ListPages, with values that several passes use.
type listing struct {
	*Result
	clock   *clock
	index   *index // nil until urlIndex is called
	hasFile []bool // for each URL of Options.From, whether a file serves it
}

// A pass is a step of ListPages that decides one thing for all pages, such as their URLs.
type pass struct {
	name string
	run  func(l *listing)
}

// passes lists the steps of ListPages in order.
var passes = []pass{
	{"findings", func(l *listing) { addFactFindings(l.World, l.Findings) }},
	{"pair", func(l *listing) { l.pages = newPages(l.World) }},
	{"from", func(l *listing) { l.hasFile = joinSitemapEntries(l.World, l.pages, l.urlIndex(), l.Findings) }},
	{"rules", func(l *listing) { l.Hits = matchRules(l.World, l.pages) }},
	{"url", func(l *listing) { assignURLs(l.World, l.pages, l.Findings) }},
	{"exclude", func(l *listing) { l.List = excludePages(l.World, l.pages, l.clock) }},
	{"extra", addURLsWithoutFile},
	{"dedupe", func(l *listing) { excludeDuplicates(l.World, l.List, l.Findings) }},
	{"canonical", func(l *listing) {
		l.Canonicals = applyCanonicals(l.World, l.urlIndex(), l.List, l.Findings)
		l.List = slices.DeleteFunc(l.List, func(p *Page) bool { return !p.Listed() })
	}},
	{"fields", func(l *listing) { fillFieldsExceptDates(l.World, l.List, l.clock) }},
	{"translate", func(l *listing) { l.AlternateProblems = keepMutualAlternates(l.World, l.urlIndex(), l.List) }},
	{"group", func(l *listing) { groupTranslations(l.World, l.List) }},
	{"ledger", func(l *listing) { l.Ledger = updateLedger(l.World, l.List, l.clock) }},
	{"date", func(l *listing) { l.common, l.Dates = datePages(l.World, l.List, l.Ledger, l.clock, l.Findings) }},
	{"check", func(l *listing) { cleanEntries(l.World, l.List, l.Findings) }},
}

// ListPages decides which pages are listed at the time now, and fills their sitemap entries. It
// does not modify w, so several calls may run at once, and earlier results stay valid.
func ListPages(w *World, now time.Time) *Result {
	l := newListing(w, now)
	for _, step := range passes {
		step.run(l)
	}
	l.countPages()
	l.Next = l.clock.next
	return l.Result
}

func newListing(w *World, now time.Time) *listing {
	return &listing{
		Result: &Result{World: w, now: now, LinkStyles: w.linkStyles, Findings: &diag.Report{MaxKept: w.Options.MaxKept}},
		clock:  &clock{now: now},
	}
}

// urlIndex returns the index of the pages that have a file, by URL. The first call creates the
// index.
func (l *listing) urlIndex() *index {
	if l.index == nil {
		l.index = &index{world: l.World, pages: l.pages}
	}
	return l.index
}

// newPages returns a new Page for each page file, with its content file. No page is excluded yet.
func newPages(w *World) []Page {
	pages := make([]Page, len(w.pages))
	for i, f := range w.pages {
		pages[i].Facts, pages[i].Content = f, w.pairs[i]
	}
	return pages
}

// addFactFindings adds the findings of the earlier stages to report: those of reading the files,
// and those of Relate.
func addFactFindings(w *World, report *diag.Report) {
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

// An index finds pages by URL. It contains only pages that have a file.
type index struct {
	world *World
	pages []Page
}

// findListedFirst returns the page in listed whose URL is loc. If there is none, it returns the
// result of findByURL with withHidden set: a page that is not listed, or nil.
func (x *index) findListedFirst(listed List, loc string) *Page {
	if i, ok := listed.Find(loc); ok {
		return listed[i]
	}
	return x.findByURL(loc, true)
}

// findByURL returns the page whose file the host serves at loc or at another spelling of loc. If
// withHidden is set, it also finds a page that a rule of the host hides, for example by a redirect.
// It returns nil if there is no such page.
func (x *index) findByURL(loc string, withHidden bool) *Page {
	part, urlPath, ok := x.world.FindPart(loc)
	if !ok || len(x.pages) == 0 {
		return nil
	}
	file := part.FileAt(urlPath, withHidden)
	if file == "" {
		return nil
	}
	if i, ok := findPageFacts(x.world.pages, part.pathInSite(file)); ok {
		return &x.pages[i]
	}
	return nil
}

package site

import (
	"slices"
	"sync"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A fold is a result under construction.
type fold struct {
	*Result
	clock   *clock
	index   *index // see files
	hasFile []bool // for each URL of Options.From, whether a file serves it
}

// A pass decides one thing for all pages.
type pass struct {
	name string
	run  func(f *fold)
}

// passes lists all passes of a fold in order.
var passes = []pass{
	{"repeat", func(f *fold) { addFactFindings(f.World, f.Findings) }},
	{"pair", func(f *fold) { f.pages = newPages(f.World) }},
	{"given", func(f *fold) { f.hasFile = joinSitemapEntries(f.World, f.pages, f.files(), f.Findings) }},
	{"rules", func(f *fold) { f.Hits = matchRules(f.World, f.pages) }},
	{"judge", func(f *fold) { judge(f.World, f.pages, f.clock) }},
	{"address", func(f *fold) { f.List = assignURLs(f.World, f.pages, f.Findings) }},
	{"extra", addExtra},
	{"dedupe", func(f *fold) { dedupe(f.World, f.List, f.Findings) }},
	{"canonical", func(f *fold) {
		f.Canonicals = findCanonicals(f.World, f.files(), f.List, f.Findings)
		f.List = slices.DeleteFunc(f.List, func(r *Page) bool { return !r.Listed() })
	}},
	{"fields", func(f *fold) { fillEntries(f.World, f.List, f.clock) }},
	{"translate", func(f *fold) { f.Gaps = translate(f.World, f.files(), f.List) }},
	{"group", func(f *fold) { groupTranslations(f.World, f.List) }},
	{"remember", func(f *fold) { f.Ledger = updateLedger(f.World, f.List, f.clock) }},
	{"date", func(f *fold) { f.common, f.Dates = datePages(f.World, f.List, f.Ledger, f.clock, f.Findings) }},
	{"check", func(f *fold) { checkEntries(f.World, f.List, f.Findings) }},
}

// Fold decides at a point in time which pages are listed, and fills their entries. It does
// not change the world, so two folds may run at once, and an earlier result stays valid.
func Fold(w *World, now time.Time) *Result {
	f := newFold(w, now)
	for _, p := range passes {
		p.run(f)
	}
	f.count()
	f.Next = f.clock.next
	return f.Result
}

func newFold(w *World, now time.Time) *fold {
	return &fold{
		Result: &Result{World: w, now: now, LinkStyles: w.linkStyles, Findings: &diag.Report{MaxKept: w.Options.Findings}},
		clock:  &clock{now: now},
	}
}

// files returns the index of the pages that have a file.
func (f *fold) files() *index {
	if f.index == nil {
		f.index = &index{world: f.World, pages: f.pages}
	}
	return f.index
}

// newPages returns a row for each page, before any decision.
func newPages(w *World) []Page {
	pages := make([]Page, len(w.pages))
	for i, p := range w.pages {
		pages[i].Facts, pages[i].Content = p, w.pairs[i]
	}
	return pages
}

// addFactFindings adds the findings from reading and relating the site.
func addFactFindings(w *World, report *diag.Report) {
	report.Merge(w.Facts.Findings)
	report.Add(w.Facts.ContentListing...)
	report.Add(w.Facts.PageListing...)
	report.Add(w.contentFindings...)
	report.Add(w.Git.Trouble...)
	for _, p := range w.pages {
		if p.Rest != nil {
			report.Add(p.Rest.Diags...)
		}
	}
	for _, src := range w.ContentFiles {
		if src.Facts != nil {
			report.Add(src.Facts.Diags...)
		}
	}
}

// A clock compares dates with the time of a fold. It records the next moment at which an answer
// changes. It is safe for concurrent use.
type clock struct {
	now time.Time

	noting sync.Mutex
	next   time.Time // zero: never
}

// note records a moment at which an answer changes.
func (c *clock) note(moment time.Time) {
	c.noting.Lock()
	defer c.noting.Unlock()
	if c.next.IsZero() || moment.Before(c.next) {
		c.next = moment
	}
}

// hasCome reports whether a date has come, or will come within slack.
func (c *clock) hasCome(d sitemap.Date, slack time.Duration) bool {
	if d.After(c.now.Add(slack)) {
		c.note(d.Time().Add(-slack))
		return false
	}
	return true
}

// today returns the day of the fold.
func (c *clock) today(zone *time.Location) sitemap.Date {
	now := c.now.In(zone)
	y, m, d := now.Date()
	c.note(time.Date(y, m, d+1, 0, 0, 0, 0, zone))
	return sitemap.DayOf(now)
}

// isFuture reports whether d is in the future. A day is in the future if it has begun nowhere on
// earth.
func (c *clock) isFuture(d sitemap.Date) bool { return !d.IsZero() && !c.hasCome(d, slack(d)) }

// isPending reports whether a publish date has not come yet.
func (c *clock) isPending(d sitemap.Date) bool { return !d.IsZero() && !c.hasCome(d, 0) }

// isPast reports whether d has come.
func (c *clock) isPast(d sitemap.Date) bool { return !d.IsZero() && c.hasCome(d, 0) }

// slack returns how far a date may be in the future and still count as past. A day may have begun
// somewhere on earth, and clocks differ a little.
func slack(d sitemap.Date) time.Duration {
	if d.Precision() == sitemap.Day {
		return 14 * time.Hour
	}
	return 5 * time.Minute
}

// An index finds the pages that have a file.
type index struct {
	world *World
	pages []Page
}

// find returns the page that is listed at loc. If there is none, it returns the page whose file
// the host serves at loc or at another spelling of loc. It returns nil if there is no such page.
func (x *index) find(listed List, loc string) *Page {
	if i, ok := listed.Find(loc); ok {
		return listed[i]
	}
	return x.byURL(loc, true)
}

// byURL returns the page whose file the host serves at loc or at another spelling of loc, or
// nil. With ruled, it also returns a page that a rule of the host hides.
func (x *index) byURL(loc string, ruled bool) *Page {
	p, urlPath, ok := x.world.FindPart(loc)
	if !ok || len(x.pages) == 0 {
		return nil
	}
	file := p.FileAt(urlPath, ruled)
	if file == "" {
		return nil
	}
	if i, ok := findFact(x.world.pages, p.inSite(file)); ok {
		return &x.pages[i]
	}
	return nil
}

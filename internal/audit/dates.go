package audit

import (
	"fmt"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/sitemap"
)

// reportImpossibleLastMod reports a lastmod that cannot be true, such as a date in the future. res
// is nil if the sitemap is checked without its site.
func (s *sitemapChecker) reportImpossibleLastMod(u *listedURL, res *site.Result) {
	d := u.lastmod
	why := site.WhyImpossibleDate(d, res != nil && res.IsFuture(d) || res == nil && d.Time().After(s.Now.Add(14*time.Hour)))
	if why == "" {
		return
	}
	s.Findings.Add(diag.Warnf(u.pos, "doubtful-date", "correct the date, or leave it out", "lastmod %s of %s %s", u.lastmod, u.text, why).About(u.text))
}

// checkSameDate adds a finding if nearly all URLs have a lastmod on the same day. That day is
// probably the day of a build.
func (s *sitemapChecker) checkSameDate() {
	day, n, all := site.DominantDay(slices.Values(s.urls), func(u *listedURL) sitemap.Date { return u.lastmod })
	if n == 0 {
		return
	}
	s.Findings.Add(diag.Warnf(diag.Pos{File: s.urls[0].pos.File}, "same-date", "let each page have the date on which it changed, or none",
		"%d of %d URLs have the lastmod %s", n, all, day).About("lastmod"))
}

// checkDate compares the lastmod of the entry u with the date of the page a.list[i]. If they differ
// by more than two days, it records the entry for reportWrongDates. It does nothing if the page has
// no date.
func (a *pageComparer) checkDate(u *listedURL, i int) {
	if own := a.list[i].Entry.LastMod; !own.IsZero() && dateDistance(own, u.lastmod) > 48*time.Hour {
		a.wrongDates = append(a.wrongDates, wrongDate{u, a.list[i]})
	}
}

// A wrongDate is an entry of a sitemap whose lastmod differs from the date of its page by more than
// two days.
type wrongDate struct {
	*listedURL
	page *site.Page
}

// String returns the message of the finding about the wrong date.
func (w wrongDate) String() string {
	by := ""
	if w.page.DateBy != "" {
		by = " (" + w.page.DateBy + ")"
	}
	return fmt.Sprintf("lastmod %s of %s is not the page's own, %s%s", w.lastmod, w.text, w.page.Entry.LastMod, by)
}

// maxWrongDates is the maximum number of wrong dates that are reported one by one. If there are
// more, a single finding reports all of them, because the tool that wrote the sitemap is probably
// the cause.
const maxWrongDates = 3

// reportWrongDates reports the dates that checkDate recorded.
func (a *pageComparer) reportWrongDates() {
	if len(a.wrongDates) > maxWrongDates {
		w := a.wrongDates[0]
		d := diag.Warnf(w.pos, "other-date", "sitewalk explain "+w.text+" says what each source of dates knows",
			"the dates of %s are not those of the pages, as %s", diag.Count(len(a.wrongDates), "URL"), w)
		addWithPlaces(a.Findings, d.About(a.first), a.wrongDates, func(w wrongDate) diag.Pos { return w.pos })
		return
	}
	for _, w := range a.wrongDates {
		d := diag.Warnf(w.pos, "other-date", "sitewalk explain "+w.text+" says what each source of dates knows", "%s", w)
		d.Subject, d.Source = w.loc, a.world.ContentPos(w.page)
		a.Findings.Add(d)
	}
}

// addWithPlaces adds d, a finding about several items, to the report. If the report keeps the
// places of findings, addWithPlaces first adds the position of each of the items to d.Places.
// position returns the position of one item.
func addWithPlaces[T any](report *diag.Report, d diag.Diagnostic, items []T, position func(T) diag.Pos) {
	if report.KeepsPlaces() {
		for _, item := range items {
			d.Places = append(d.Places, position(item))
		}
	}
	report.Add(d)
}

// dateDistance returns the time between two dates. It is never negative.
func dateDistance(a, b sitemap.Date) time.Duration { return a.Time().Sub(b.Time()).Abs() }

package audit

import (
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

// checkDate reports the lastmod of the entry u if it differs from the date of the page a.list[i] by
// more than two days. It does nothing if the page has no date.
func (a *pageComparer) checkDate(u *listedURL, i int) {
	p := a.list[i]
	own := p.LastMod
	if own.IsZero() || own.Time().Sub(u.lastmod.Time()).Abs() <= 48*time.Hour {
		return
	}
	by := ""
	if p.DateBy != "" {
		by = " (" + p.DateBy + ")"
	}
	d := diag.Warnf(u.pos, "other-date", "sitewalk explain "+u.text+" shows what each source of dates knows",
		"lastmod %s of %s is not the page's own, %s%s", u.lastmod, u.text, own, by)
	d.Subject, d.Source, d.Cause = u.loc, a.world.ContentPos(p), "other date"
	a.Findings.Add(d)
}

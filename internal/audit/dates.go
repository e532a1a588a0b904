package audit

import (
	"fmt"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/sitemap"
)

// date reports a lastmod that cannot be true; res is nil where there is no site.
func (c *Checker) date(u *listedURL, res *site.Result) {
	d := u.lastmod
	why := site.WhyDoubtful(d, res != nil && res.Future(d) || res == nil && d.Time().After(c.Now.Add(14*time.Hour)))
	if why == "" {
		return
	}
	c.Findings.Add(diag.Warnf(u.pos, "doubtful-date", "correct the date, or leave it out", "lastmod %s of %s %s", u.lastmod, u.text, why).About(u.text))
}

// monotony reports that nearly all URLs have one and the same day, which is the date of a
// build and not of the pages.
func (c *Checker) monotony() {
	day, n, all := site.DominantDay(slices.Values(c.urls), func(u *listedURL) sitemap.Date { return u.lastmod })
	if n == 0 {
		return
	}
	c.Findings.Add(diag.Warnf(diag.Pos{File: c.urls[0].pos.File}, "same-date", "let each page have the date on which it changed, or none",
		"%d of %d URLs have the lastmod %s", n, all, day).About("lastmod"))
}

// early reports a lastmod from before the page was written.
func (a *against) early(u *listedURL, i int) {
	born := a.list[i].Born()
	if !born.IsZero() && u.lastmod.Time().Before(born.Time().Add(-24*time.Hour)) {
		a.earlier = append(a.earlier, wrongDate{u, a.list[i], born, ""})
	}
}

// other reports a lastmod that differs from the one that the site itself gives.
func (a *against) other(u *listedURL, i int) {
	if own := a.list[i].Entry.LastMod; !own.IsZero() && apart(own, u.lastmod) > 48*time.Hour {
		a.others = append(a.others, wrongDate{u, a.list[i], own, a.list[i].DateBy})
	}
}

// A wrongDate is a lastmod that the page itself contradicts.
type wrongDate struct {
	*listedURL
	of  *site.Page
	own sitemap.Date // of the page
	by  string
}

// fewDates are as many as are reported one by one: more have one cause, which is the tool
// that wrote them.
const fewDates = 3

// dates reports the dates that pages contradict.
func (a *against) dates() {
	a.wrongDates(a.earlier, "lies before the page was written", "lie before their pages were written", func(w wrongDate) diag.Diagnostic {
		return diag.Warnf(w.pos, "early-date", "fix one of the two dates", "")
	})
	a.wrongDates(a.others, "is not the page's own", "are not those of the pages", func(w wrongDate) diag.Diagnostic {
		return diag.Warnf(w.pos, "other-date", "sitewalk explain "+w.text+" says what each source of dates knows", "")
	})
}

// wrongDates reports dates one by one. Of more than a few it reports all in one finding, with
// the first as an example.
func (a *against) wrongDates(wrong []wrongDate, one, many string, finding func(wrongDate) diag.Diagnostic) {
	said := func(w wrongDate) string {
		by := ""
		if w.by != "" {
			by = " (" + w.by + ")"
		}
		return fmt.Sprintf("lastmod %s of %s %s, %s%s", w.lastmod, w.text, one, w.own, by)
	}
	if len(wrong) > fewDates {
		d := finding(wrong[0])
		d.Message = fmt.Sprintf("%d of %d dates %s, as the %s", len(wrong), a.dated, many, said(wrong[0]))
		d.Subject = a.lists[0].name
		addMany(a.Findings, d, wrong, func(w wrongDate) diag.Pos { return w.pos })
		return
	}
	for _, w := range wrong {
		d := finding(w)
		d.Message, d.Subject, d.Source = said(w), w.loc, a.world.ContentPos(w.of)
		a.Findings.Add(d)
	}
}

// addMany adds one finding about many things. A report that keeps all findings has the place
// of each.
func addMany[T any](to *diag.Report, d diag.Diagnostic, all []T, at func(T) diag.Pos) {
	if to.Keep < 0 {
		for _, one := range all {
			d.Places = append(d.Places, at(one))
		}
	}
	to.Add(d)
}

func apart(a, b sitemap.Date) time.Duration { return a.Time().Sub(b.Time()).Abs() }

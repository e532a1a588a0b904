package check

import (
	"fmt"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/sitemap"
)

// date reports a lastmod that cannot be true; res is nil where there is no site.
func (c *Checker) date(u *url, res *site.Result) {
	d := u.lastmod
	why := site.Doubt(d, res != nil && res.Future(d) || res == nil && d.Time().After(c.Now.Add(14*time.Hour)))
	if why == "" {
		return
	}
	var ds diag.List
	ds.Warnf(u.pos, "doubtful-date", "correct the date, or leave it out", "lastmod %s of %s %s", u.lastmod, u.text, why).Subject = u.text
	c.Findings.Add(ds...)
}

// monotony reports that nearly all URLs have one and the same day, or were dated
// within one run of a program, which is the date of a build and not of the pages.
func (c *Checker) monotony() {
	day, n, all := site.CommonDay(c.all, func(u *url) sitemap.Date { return u.lastmod })
	if n == 0 {
		return
	}
	how := ""
	if c.withinMinutes(n) {
		how = ", all within minutes, as a build writes them"
	}
	var ds diag.List
	ds.Warnf(diag.Pos{File: c.urls[0][0].pos.File}, "same-date", "let each page have the date on which it changed, or none",
		"%d of %d URLs have the lastmod %s%s", n, all, day, how).Subject = "lastmod"
	c.Findings.Add(ds...)
}

// withinMinutes reports whether n URLs were dated within twenty minutes, and no
// others.
func (c *Checker) withinMinutes(n int) bool {
	moments := map[int64]int{}
	for u := range c.all {
		if !u.lastmod.IsZero() && u.lastmod.Precision() != sitemap.Day {
			moments[u.lastmod.Time().Unix()/600]++
		}
	}
	for at, m := range moments {
		if m+moments[at+1] == n {
			return true
		}
	}
	return false
}

// early reports a lastmod from before the page was written.
func (a *against) early(u *url, i int) {
	born := a.list.Page(i).Born()
	if born.IsZero() || !u.lastmod.Time().Before(born.Time().Add(-24*time.Hour)) {
		return
	}
	var ds diag.List
	d := ds.Warnf(u.pos, "early-date", "correct the one date or the other",
		"lastmod %s of %s lies before the page was written, %s", u.lastmod, u.text, born)
	d.Subject, d.Source = u.loc, diag.Pos{File: a.list.Source(i)}
	a.Findings.Add(ds...)
}

// other reports a lastmod that differs from the one that the site itself gives.
func (a *against) other(u *url, i int) {
	own := a.list.LastMod(i)
	if own.IsZero() || apart(own, u.lastmod) <= 48*time.Hour {
		return
	}
	var ds diag.List
	d := ds.Warnf(u.pos, "other-date", "sitewalk explain "+u.text+" says what each source of dates knows",
		"lastmod %s of %s is not the page's own, %s", u.lastmod, u.text, fmt.Sprintf("%s (%s)", own, a.list.Page(i).DateBy))
	d.Subject, d.Source = u.loc, diag.Pos{File: a.list.Source(i)}
	a.Findings.Add(ds...)
}

func apart(a, b sitemap.Date) time.Duration { return a.Time().Sub(b.Time()).Abs() }

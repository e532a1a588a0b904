package site

import (
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// days are what the dates of all pages together say of single days.
type days struct {
	builds bool         // the day that nearly all pages name in their HTML is that of a build
	common sitemap.Date // the day that no source may say, as nearly all pages have it
}

// isBuildDay reports whether the day that nearly all pages name in their HTML is
// that of a build: when it is today, or most of what other sources say of these
// pages is another day.
func (d *dater) isBuildDay() bool {
	day := d.world.stamps.day
	others := slices.DeleteFunc(slices.Clone(d.sources), func(s Source) bool { return s.from == byBuild })
	votes := 0
	for _, r := range d.listed {
		if r.Said.LastMod.DayOnly() != day || r.Said.File == "" {
			continue
		}
		switch date, by := d.resolve(others, r, nil); {
		case by == "":
		case date.DayOnly() == day:
			votes--
		default:
			votes++
		}
	}
	return votes > 0 || day == d.clock.today(d.world.Options.Zone)
}

// reportCommon reports the day that nearly all pages have, or would have
// if their dates were not known to be those of a build or a deploy.
func (d *dater) reportCommon(day sitemap.Date, count int, by culprit) {
	undated, same := 0, 0
	for _, r := range d.listed {
		if r.Entry.LastMod.IsZero() {
			undated++
		} else if r.Entry.LastMod.DayOnly() == day {
			same++
		}
	}
	remark := ""
	switch {
	case isNearlyAll(same, len(d.listed)):
		count = same
	case undated > 0:
		remark = "; it is not printed"
	default:
		return
	}
	d.report.Add(diag.Warnf(diag.Pos{}, "same-date", by.hint, "%d of %d pages have the date %s, most of them by %s%s", count, len(d.listed), day, by.source, remark))
}

// dateOrStamp returns the page's date, else the one that it would have, were it not known for
// that of a build or a deploy, and its source, where a deploy is one, too.
func (d *dater) dateOrStamp(r *Page) (date sitemap.Date, by string) {
	if !r.Entry.LastMod.IsZero() {
		return r.Entry.LastMod, r.DateBy
	}
	if date := d.world.deploy(r); !date.IsZero() {
		return date, byDeploy
	}
	if d.world.stamps.html && d.stamp(r) != "" {
		return r.Said.LastMod, "html"
	}
	return sitemap.Date{}, ""
}

// A culprit is the source of most dates, and what to do where they are all the same.
type culprit struct{ source, hint string }

// byDeploy stands for git where it is the culprit by the commits of deploys.
const byDeploy = "deploy"

// likeliest returns the culprit of most claims.
func (d *dater) likeliest() (best culprit) {
	by := map[string]int{}
	for _, r := range d.listed {
		if date, source := d.dateOrStamp(r); !date.IsZero() {
			by[source]++
		}
	}
	most := 0
	for _, s := range Sources {
		if by[s.Name] > most {
			best, most = culprit{s.Name, s.alike}, by[s.Name]
		}
	}
	if by[byDeploy] > most {
		return culprit{"git", "the built files are tracked by git and share the commit of their deploy; run sitewalk where the site is built, or let a ledger date by content"}
	}
	return best
}

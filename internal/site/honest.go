package site

import (
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// What makes a date of any source untrue: a build and a check ask the same.

// oldest is the first day that can be true of a page: the web is not older.
var oldest = sitemap.DayOf(time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC))

// Doubt says why a date cannot be true, "" when it can or there is none.
func Doubt(date sitemap.Date, future bool) string {
	switch {
	case date.IsZero():
	case future:
		return "lies in the future"
	case date.Compare(oldest) < 0:
		return "lies before 1990"
	}
	return ""
}

// doubt is Doubt at the time of the fold.
func (d *dating) doubt(date sitemap.Date) string {
	if why := Doubt(date, d.clock.future(date)); why != "" {
		return "it " + why
	}
	return ""
}

// mostAlone is how many pages may share a day by chance.
const mostAlone = 9

// nearlyAll reports whether so many pages are nearly all, and enough to say so.
func nearlyAll(count, all int) bool { return count > mostAlone && 10*count > 9*all }

// CommonDay returns the day that nearly all of some things have, how many have it, 0 when
// there is none, and how many there are. A map of all days would cost as much as all else that is done
// with dates: days vote for themselves and against each other, and only one that most
// have can be left over, see
// https://en.wikipedia.org/wiki/Boyer%E2%80%93Moore_majority_vote_algorithm.
func CommonDay[T any](all iter.Seq[T], date func(T) sitemap.Date) (day sitemap.Date, count, of int) {
	votes := 0
	for r := range all {
		of++
		switch d := date(r).DayOnly(); {
		case votes == 0:
			day, votes = d, 1
		case d == day:
			votes++
		default:
			votes--
		}
	}
	if day.IsZero() {
		return day, 0, of
	}
	for r := range all {
		if date(r).DayOnly() == day {
			count++
		}
	}
	if !nearlyAll(count, of) {
		return sitemap.Date{}, 0, of
	}
	return day, count, of
}

// Days are what the dates of all pages together say of single days.
type days struct {
	builds bool         // the day that nearly all pages name in their HTML is that of a build
	common sitemap.Date // the day that no source may say, as nearly all pages have it
}

// isBuildDay reports whether the day that nearly all pages name in their HTML is
// that of a build: when it is today, or most of what other sources say of these
// pages is another day.
func (d *dater) isBuildDay() bool {
	day := d.world.stamps.day
	ask := d.asking()
	ask.days.builds = d.world.stamps.html
	others := slices.DeleteFunc(slices.Clone(d.sources), func(s Source) bool { return s.from == byBuild })
	votes := 0
	for _, r := range d.listed {
		if r.Said.LastMod.DayOnly() != day || r.Said.File == "" {
			continue
		}
		switch date, by := ask.resolve(others, r, nil); {
		case by == "":
		case date.DayOnly() == day:
			votes--
		default:
			votes++
		}
	}
	d.clock.note(ask.clock.next)
	return votes > 0 || day == d.clock.today(d.world.o.Zone)
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
	switch {
	case nearlyAll(same, len(d.listed)):
		d.sameDate(by, "%d of %d pages have the date %s, most of them by %s", same, len(d.listed), day, by.source)
	case undated > 0:
		d.sameDate(by, "%d of %d pages have the date %s, most of them by %s; it is not printed", count, len(d.listed), day, by.source)
	}
}

func (d *dater) sameDate(by culprit, format string, args ...any) {
	d.report.Add(diag.Warnf(diag.Pos{}, "same-date", by.hint, format, args...))
}

// claim returns the page's date, else the one that it would have, were it not
// known for that of a build or a deploy.
func (d *dater) claim(r *Page) sitemap.Date {
	if !r.Entry.LastMod.IsZero() {
		return r.Entry.LastMod
	}
	ask := dating{world: d.world, clock: clock{now: d.clock.now}, days: d.days}
	if date := d.world.deploy(r); !date.IsZero() || !d.world.stamps.html || ask.stamp(r) == "" {
		return date
	}
	return r.Said.LastMod
}

// A culprit is the source of most dates, and what to do where they are all the same.
type culprit struct{ source, hint string }

// deploys is what to do where git is the culprit by the commits of deploys.
const deploys = "the built files are tracked by git and share the commit of their deploy; run sitewalk where the site is built, or let a ledger date by content"

func (d *dater) likeliest(dated map[string]int) (best culprit) {
	by, deployed := maps.Clone(dated), 0
	for _, r := range d.listed {
		switch {
		case !r.Entry.LastMod.IsZero():
		case !d.world.deploy(r).IsZero():
			deployed++
		case !d.claim(r).IsZero():
			by["html"]++
		}
	}
	most := 0
	for _, s := range Sources {
		if by[s.Name] > most {
			best, most = culprit{s.Name, s.alike}, by[s.Name]
		}
	}
	if deployed > most {
		return culprit{"git", deploys}
	}
	return best
}

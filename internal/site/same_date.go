package site

import (
	"cmp"
	"iter"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// reportSameDate reports that many pages had the same day, d.commonDay. It must be called after the
// pages were dated again without this day. If nearly all pages still have the day, because people
// wrote it, the finding contains their number. Otherwise, if a page has no date now, the finding
// contains count, the number of pages that had the day before. In other cases, there is no finding.
// source is the source that gave most of the pages their dates.
func (d *dater) reportSameDate(listed []*Page, count int, source *Source, report *diag.Report) {
	undated, same := 0, 0
	for _, p := range listed {
		if p.LastMod.IsZero() {
			undated++
		} else if p.LastMod.DayOnly() == d.commonDay {
			same++
		}
	}
	remark := ""
	switch {
	case isNearlyAll(same, len(listed)):
		count = same
	case undated > 0:
		remark = "; it is not printed"
	default:
		return
	}
	report.Add(diag.Warnf(diag.Pos{}, "same-date", source.SameHint, "%d of %d pages have the date %s, most of them by %s%s", count, len(listed), d.commonDay, source.Name, remark))
}

// dateOrBuildStamp returns the date of a page. For a page without a date, it returns the date in
// the page's HTML that was ignored as the time of a build. If there is no such date either, it
// returns the zero date.
func (d *dater) dateOrBuildStamp(p *Page) sitemap.Date {
	if p.LastMod.IsZero() && d.world.stamps.html && d.whyBuildStamp(p.Facts.LastMod) != "" {
		return p.Facts.LastMod
	}
	return p.LastMod
}

// mostUsedSource returns the source of most dates of the listed pages. It counts an ignored time of
// a build as a date from HTML.
func (d *dater) mostUsedSource(listed []*Page) (most *Source) {
	count := map[string]int{}
	for _, p := range listed {
		if !d.dateOrBuildStamp(p).IsZero() {
			count[cmp.Or(p.DateBy, SourceHTML)]++
		}
	}
	most = &Sources[0]
	for i := range Sources {
		if count[Sources[i].Name] > count[most.Name] {
			most = &Sources[i]
		}
	}
	return most
}

// DominantDay returns the day that nearly all items have, the number of items with this day, and
// the total number of items. date returns the date of an item. If there is no such day, day is zero
// and count is 0.
func DominantDay[T any](all iter.Seq[T], date func(T) sitemap.Date) (day sitemap.Date, count, total int) {
	counts := map[sitemap.Date]int{} // by day
	for item := range all {
		total++
		if d := date(item).DayOnly(); !d.IsZero() {
			if counts[d]++; counts[d] > count {
				day, count = d, counts[d]
			}
		}
	}
	if !isNearlyAll(count, total) {
		return sitemap.Date{}, 0, total
	}
	return day, count, total
}

// maxAlikeByChance is the maximum number of pages that may all have the same day by chance.
const maxAlikeByChance = 9

// isNearlyAll reports whether count is more than 90 % of all, and more than maxAlikeByChance.
func isNearlyAll(count, all int) bool { return count > maxAlikeByChance && 10*count > 9*all }

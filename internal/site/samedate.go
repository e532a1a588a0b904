package site

import (
	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/sitemap"
)

// reportCommon reports the day that nearly all pages have, or would have if it were not
// known for the day of a build. source gave most of these dates.
func (d *dater) reportCommon(count int, source, hint string) {
	undated, same := 0, 0
	for _, r := range d.listed {
		if r.Entry.LastMod.IsZero() {
			undated++
		} else if r.Entry.LastMod.DayOnly() == d.common {
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
	d.report.Add(diag.Warnf(diag.Pos{}, "same-date", hint, "%d of %d pages have the date %s, most of them by %s%s", count, len(d.listed), d.common, source, remark))
}

// reportImports reports how many pages have no date because of an import.
func (d *dater) reportImports() {
	undated := 0
	for _, r := range d.listed {
		if r.Entry.LastMod.IsZero() && d.world.Git.Results[d.world.historyFile(r)].Why == git.Imported {
			undated++
		}
	}
	if undated > 0 {
		d.report.Add(diag.Notef(diag.Pos{}, "git-import", "date the pages in front matter, or let a ledger date by content",
			"%d pages have no date: a commit that added most of the content dates none of it", undated))
	}
}

// dateOrStamp returns the date of a page and its source. For an undated page it returns the
// date that was dropped as the time of a build.
func (d *dater) dateOrStamp(r *Page) (date sitemap.Date, by string) {
	if !r.Entry.LastMod.IsZero() {
		return r.Entry.LastMod, r.DateBy
	}
	if d.world.stamps.html && d.stamp(r) != "" {
		return r.Facts.LastMod, "html"
	}
	return sitemap.Date{}, ""
}

// mainSource returns the source of most dates, and the next step if they are all the same.
func (d *dater) mainSource() (name, hint string) {
	by := map[string]int{}
	for _, r := range d.listed {
		if date, source := d.dateOrStamp(r); !date.IsZero() {
			by[source]++
		}
	}
	most := 0
	for _, s := range Sources {
		if by[s.Name] > most {
			name, hint, most = s.Name, s.sameHint, by[s.Name]
		}
	}
	return name, hint
}

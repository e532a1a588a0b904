package site

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// buildStamps are dates that look like dates of changes and come from a build or a checkout.
type buildStamps struct {
	build   buildTime      // the time in which most files were written
	html    bool           // some pages have dates in their HTML, and html is a source
	seconds map[int64]bool // seconds that several pages name in their HTML
	day     sitemap.Date   // the day that nearly all pages name in their HTML, or zero
	clones  []git.Commit   // the commits at the ends of shallow clones
}

// findStamps looks for what builds have printed into the pages, and finds out whether
// mtimes mean anything: generators rewrite every file at each build, which is not the
// work of authors. That comes before git is asked: it is to date the pages whose own
// date is none.
func (w *World) findStamps(ctx context.Context) {
	st := &w.stamps
	if w.Options.Pages != nil && slices.Contains(w.Options.LastMod, "html") {
		moments := make([]pageMoment, 0, len(w.pages))
		for i := range w.dated {
			st.html = true
			if r := (&Page{Facts: w.pages[i], Content: w.pairs[i]}); isClockTime(r.Facts.LastMod) {
				moments = append(moments, pageMoment{Unix: r.Facts.LastMod.Unix(), Lang: r.Lang()})
			}
		}
		st.seconds = sharedSeconds(moments)
		st.day, _, _ = DominantDay(w.dated, func(i int) sitemap.Date { return w.pages[i].LastMod })
	}
	var built bool
	st.build, built = findBuildTime(w.sampleTimes(ctx))
	if w.mtime = w.Options.QuietMTime; w.mtime == "" && built {
		w.mtime = "more than half of the files were written within ten minutes, so they tell when the site was built"
	}
	if st.html || w.Options.From != nil {
		st.clones = git.Ends(ctx, w.folders(), w.gitOptions())
	}
}

// maxTimes is about the maximum number of files whose modification times are read.
const maxTimes = 256

// sampleTimes returns the modification times of a sample of the pages that may have a build's
// date.
func (w *World) sampleTimes(ctx context.Context) (times []uint32) {
	counts := func(f *facts.Page) bool { return f.MTime != 0 || w.stamps.html && isClockTime(f.LastMod) }
	all := 0
	for _, f := range w.pages {
		if counts(f) {
			all++
		}
	}
	passed := 0 // pages to skip before the next one
	for _, f := range w.pages {
		if !counts(f) {
			continue
		}
		if passed > 0 {
			passed--
			continue
		}
		passed = all / maxTimes
		t := f.MTime
		if t == 0 {
			t = w.Options.Pages.MTime(ctx, f.File)
		}
		if t != 0 {
			times = append(times, t)
		}
	}
	return times
}

// dated iterates over the indexes of the pages with a date in their HTML. It omits pages that their
// own file leaves out.
func (w *World) dated(yield func(i int) bool) {
	for i, f := range w.pages {
		if f.Own == page.Listed && !f.LastMod.IsZero() && !yield(i) {
			return
		}
	}
}

// folders returns the folders of the trees.
func (w *World) folders() (dirs []string) {
	for _, t := range []*facts.Tree{w.Options.Content, w.Options.Pages} {
		if t != nil && t.Dir != "" {
			dirs = append(dirs, t.Dir)
		}
	}
	return dirs
}

// isCloneEnd reports whether a date is that of a commit at the end of a shallow clone. There git
// gives this date to every file that did not change since.
func (st *buildStamps) isCloneEnd(d sitemap.Date) bool {
	return slices.ContainsFunc(st.clones, func(c git.Commit) bool { return c.Has(d) })
}

// Reasons not to use a date in a page.
const (
	sharedSecond = "several pages name that second, in which they were built"
	sharedDay    = "nearly all pages name that day"
	cloneEnd     = "it is that of the commit at which the shallow clone ends"
	builtThen    = "the page was built within ten minutes of it"
)

// whyStamp returns why the date in a page's HTML is not the date of a change, or "".
func (d *dateFinder) whyStamp(r *Page) string {
	st, date := &d.world.stamps, r.Facts.LastMod
	switch {
	case st.isCloneEnd(date):
		return cloneEnd
	case st.seconds[date.Unix()] && date.Precision() > sitemap.Day:
		return sharedSecond
	case !st.day.IsZero() && date.DayOnly() == st.day:
		return sharedDay
	case d.builtAt(r):
		return builtThen
	}
	return ""
}

// builtAt reports whether the page's date is near the time of a build: about now, or when most files
// were written.
func (d *dateFinder) builtAt(r *Page) bool {
	date := r.Facts.LastMod
	if !isClockTime(date) {
		return false
	}
	if d.world.stamps.build.Names(date) {
		return true
	}
	return !d.clock.future(date) && !d.clock.come(date, -buildWindow*time.Second)
}

// stampNote returns the date in a page's HTML and why it is not used.
func stampNote(d *dateFinder, r *Page) (note string, pos diag.Pos) {
	return page.DateKeys[r.Facts.By-1] + " " + r.Facts.LastMod.String() + " is not used: " + d.whyStamp(r), diag.Pos{}
}

// buildWindow is the maximum duration of a build in seconds.
const buildWindow = 10 * 60

// isClockTime reports whether a date probably comes from a clock: it has seconds, and it is not one of
// the round times that people and templates write.
func isClockTime(d sitemap.Date) bool {
	const quarter = 15 * 60 // zones differ by quarters of an hour
	return d.Precision() > sitemap.Day && d.Unix()%quarter != 0
}

// A buildTime is the time in which a build wrote most files of a site, in Unix seconds. The zero
// buildTime is unknown.
type buildTime struct{ First, Last uint32 }

// findBuildTime returns the time in which more than half of some files were written. It sorts the
// times.
func findBuildTime(written []uint32) (b buildTime, ok bool) {
	slices.Sort(written)
	most := len(written) / 2
	for from, to := 0, 0; to < len(written); to++ {
		for written[to]-written[from] >= buildWindow {
			from++
		}
		if n := to - from + 1; n > most {
			most, b = n, buildTime{written[from], written[to]}
		}
	}
	return b, b != buildTime{}
}

// Names reports whether a date is within buildWindow of the build and probably comes from a clock.
func (b buildTime) Names(date sitemap.Date) bool {
	return b.Last != 0 && isClockTime(date) && date.Unix() > int64(b.First)-buildWindow && date.Unix() < int64(b.Last)+buildWindow
}

// A pageMoment is the second that a page names, and the language of the page.
type pageMoment struct {
	Unix int64
	Lang string
}

// minShared is the minimum number of pages with the same second: one change may date two.
const minShared = 3

// sharedSeconds returns the seconds that several pages name, and sorts all. Translations may share a
// second, and so may a few pages of one change a while ago. So the second must be recent, or that of
// a tenth of the pages.
func sharedSeconds(all []pageMoment) map[int64]bool {
	slices.SortFunc(all, func(a, b pageMoment) int {
		if a.Unix != b.Unix {
			return cmp.Compare(a.Unix, b.Unix)
		}
		return strings.Compare(a.Lang, b.Lang)
	})
	shared := map[int64]bool{}
	for from, to := 0, 0; from < len(all); from = to {
		for to < len(all) && all[to] == all[from] {
			to++
		}
		recent := all[from].Unix > all[len(all)-1].Unix-buildWindow
		if n := to - from; n >= minShared && (recent || 10*n >= len(all)) {
			shared[all[from].Unix] = true
		}
	}
	return shared
}

// maxAlikeByChance is the maximum number of pages that share a day by chance.
const maxAlikeByChance = 9

// isNearlyAll reports whether count is more than 90 % of all, and not by chance.
func isNearlyAll(count, all int) bool { return count > maxAlikeByChance && 10*count > 9*all }

// DominantDay returns the day that nearly all of some things have, the number of things with the
// day, or 0 if there is none, and the number of things. It uses a majority vote, because a map of all
// days would be slow, see
// https://en.wikipedia.org/wiki/Boyer%E2%80%93Moore_majority_vote_algorithm.
func DominantDay[T any](all iter.Seq[T], date func(T) sitemap.Date) (day sitemap.Date, count, of int) {
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
	if !isNearlyAll(count, of) {
		return sitemap.Date{}, 0, of
	}
	return day, count, of
}

// oldestDate is the first possible date of a page: the web is not older.
var oldestDate = sitemap.DayOf(time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC))

// WhyDoubtful returns why a date cannot be true, or "".
func WhyDoubtful(date sitemap.Date, future bool) string {
	switch {
	case date.IsZero():
	case future:
		return "lies in the future"
	case date.Compare(oldestDate) < 0:
		return "lies before 1990"
	}
	return ""
}

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

// buildStamps is what many pages together say of stamps: dates that look like those of changes,
// and are those of a build or a checkout.
type buildStamps struct {
	build   buildTime      // when most files were written
	html    bool           // pages have dates in their HTML, and it is asked
	seconds map[int64]bool // that several pages name in their HTML
	day     sitemap.Date   // that nearly all of them name, or the zero Date
	clones  []git.Commit   // where shallow clones end
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
	st.build, built = findBuildTime(w.written(ctx))
	if w.mtime = w.Options.QuietMTime; w.mtime == "" && built {
		w.mtime = "more than half of the files were written within ten minutes, so they tell when the site was built"
	}
	if st.html || w.Options.From != nil {
		st.clones = git.Ends(ctx, w.folders(), w.gitOptions())
	}
}

// maxTimes is how many files are enough to tell when most of them were written.
const maxTimes = 256

// written returns when some pages were written: all of few, and of many those at equal
// distances. A page that names a day alone says nothing of a build.
func (w *World) written(ctx context.Context) (times []uint32) {
	says := func(f *facts.Page) bool { return f.MTime != 0 || w.stamps.html && isClockTime(f.LastMod) }
	all := 0
	for _, f := range w.pages {
		if says(f) {
			all++
		}
	}
	passed := 0 // how many are passed over before the next
	for _, f := range w.pages {
		if !says(f) {
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

// dated iterates over the numbers of the pages whose HTML has a date, but for those that
// their own file keeps out.
func (w *World) dated(yield func(i int) bool) {
	for i, f := range w.pages {
		if f.Own == page.Listed && !f.LastMod.IsZero() && !yield(i) {
			return
		}
	}
}

// folders returns those of the trees, as far as the operating system has them.
func (w *World) folders() (dirs []string) {
	for _, t := range []*facts.Tree{w.Options.Content, w.Options.Pages} {
		if t != nil && t.Dir != "" {
			dirs = append(dirs, t.Dir)
		}
	}
	return dirs
}

// ends reports whether a date is that of a commit at which a shallow clone ends: a
// generator that asks git there is told one of them for every file that did not change
// since.
func (st *buildStamps) ends(d sitemap.Date) bool {
	return slices.ContainsFunc(st.clones, func(c git.Commit) bool { return c.Has(d) })
}

// Why a date in a page is not believed.
const (
	sharedSecond = "several pages name that second, in which they were built"
	sharedDay    = "nearly all pages name that day"
	cloneEnd     = "it is that of the commit at which the shallow clone ends"
	builtThen    = "the page was built within ten minutes of it"
)

// stamp says why the date that a page's HTML names is no date of a change, ""
// when it may be one.
func (d *dateFinder) stamp(r *Page) string {
	st, date := &d.world.stamps, r.Facts.LastMod
	switch {
	case st.ends(date):
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

// builtAt reports whether the page's date is within the time in which it was
// built: about now, or when most files were written. What writes a file only when its
// page changes, as an editor does, gives all files other times, which are true.
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

// stampNote says which date of a page's HTML is not used, and why.
func stampNote(d *dateFinder, r *Page) (note string, pos diag.Pos) {
	return page.DateKeys[r.Facts.By-1] + " " + r.Facts.LastMod.String() + " is not used: " + d.stamp(r), diag.Pos{}
}

// buildWindow is within how many seconds of its own time a page was built.
const buildWindow = 10 * 60

// isClockTime reports whether a date looks like what a clock said: to the second,
// and not one of the round times that people and day-only templates write.
func isClockTime(d sitemap.Date) bool {
	const quarter = 15 * 60 // zones differ by quarters of an hour
	return d.Precision() > sitemap.Day && d.Unix()%quarter != 0
}

// A buildTime is the time in which a build wrote most files of a site, in Unix seconds; the zero
// buildTime is unknown.
type buildTime struct{ First, Last uint32 }

// findBuildTime returns the Window in which most of some files were written, whose times it sorts,
// if these are more than half.
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

// Names reports whether a date that a page names is within Window of the build, and looks
// like what a clock said.
func (b buildTime) Names(date sitemap.Date) bool {
	return b.Last != 0 && isClockTime(date) && date.Unix() > int64(b.First)-buildWindow && date.Unix() < int64(b.Last)+buildWindow
}

// A pageMoment is a second that a page in a language names.
type pageMoment struct {
	Unix int64
	Lang string
}

// minShared is how many pages have to share a second: one change may well date two.
const minShared = 3

// sharedSeconds returns the seconds that several pages name. It sorts all. Translations of one
// page may share theirs, and so may the few pages that one change touched a while
// ago: a build is the last thing that happened, or dates a tenth of all.
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

// maxAlikeByChance is how many pages may share a day by chance.
const maxAlikeByChance = 9

// isNearlyAll reports whether so many pages are nearly all, and enough to say so.
func isNearlyAll(count, all int) bool { return count > maxAlikeByChance && 10*count > 9*all }

// DominantDay returns the day that nearly all of some things have, how many have it, 0 when
// there is none, and how many there are. A map of all days would cost as much as all else that is done
// with dates: days vote for themselves and against each other, and only one that most
// have can be left over, see
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

// oldestDate is the first day that can be true of a page: the web is not older.
var oldestDate = sitemap.DayOf(time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC))

// WhyDoubtful says why a date cannot be true, "" when it can or there is none.
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

package site

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// buildStamps contains times that builds or checkouts wrote, although they look like dates of
// changes.
type buildStamps struct {
	build   buildTime      // the time when most files were written
	html    bool           // html is a source of dates, and some pages have dates in their HTML
	seconds map[int64]bool // Unix seconds that several pages have as dates in their HTML
	day     sitemap.Date   // day that nearly all pages have as dates in their HTML, or zero
	clones  []git.Commit   // the oldest commits of shallow clones
}

// findBuildStamps sets w.stamps, the times that builds or checkouts wrote and that look like dates
// of changes. It also sets w.whyNoMTime if modification times cannot be used as dates, as with a
// generator that rewrites every file at each build. It must run before filesForGit, which needs
// w.stamps to find the pages without a date.
func (w *World) findBuildStamps(ctx context.Context) {
	st := &w.stamps
	if w.Options.Pages != nil && slices.Contains(w.Options.LastMod, SourceHTML) {
		moments := make([]pageMoment, 0, len(w.pages))
		for i := range w.pagesWithHTMLDate {
			st.html = true
			if p := (&Page{Facts: w.pages[i], Content: w.pairs[i]}); isClockTime(p.Facts.LastMod) {
				moments = append(moments, pageMoment{Unix: p.Facts.LastMod.Unix(), Lang: p.KnownLang()})
			}
		}
		st.seconds = sharedSeconds(moments)
		st.day, _, _ = DominantDay(w.pagesWithHTMLDate, func(i int) sitemap.Date { return w.pages[i].LastMod })
	}
	var built bool
	st.build, built = findBuildTime(w.sampleModTimes(ctx))
	if built {
		w.whyNoMTime = "more than half of the files were written within ten minutes, so their times only show when the site was built"
	}
	if st.html || w.Options.From != nil {
		st.clones = git.BoundaryCommits(ctx, w.pagesAndContentDirs(), w.gitOptions())
	}
}

// maxTimes is the maximum number of files whose modification times findBuildStamps reads.
const maxTimes = 256

// sampleModTimes returns the modification times of a sample of page files, in Unix seconds. The
// sample contains only pages with a known modification time, or with a date in their HTML that may
// be the time of a build.
func (w *World) sampleModTimes(ctx context.Context) (times []uint32) {
	var all []*facts.Page
	for _, f := range w.pages {
		if f.MTime != 0 || w.stamps.html && isClockTime(f.LastMod) {
			all = append(all, f)
		}
	}
	for _, f := range sampleEvenly(all, maxTimes) {
		t := f.MTime
		if t == 0 {
			t = w.Options.Pages.ModTime(ctx, f.File)
		}
		if t != 0 {
			times = append(times, t)
		}
	}
	return times
}

// pagesWithHTMLDate yields the index in w.pages of each page that has a date in its HTML and is not
// excluded by its own file.
func (w *World) pagesWithHTMLDate(yield func(i int) bool) {
	for i, f := range w.pages {
		if f.OwnReason == page.Listed && !f.LastMod.IsZero() && !yield(i) {
			return
		}
	}
}

// pagesAndContentDirs returns the operating system paths of the pages tree and the content tree. It
// leaves out a tree that is not on disk.
func (w *World) pagesAndContentDirs() (dirs []string) {
	for _, t := range []*facts.Tree{w.Options.Pages, w.Options.Content} {
		if t != nil && t.Dir != "" {
			dirs = append(dirs, t.Dir)
		}
	}
	return dirs
}

// isShallowCloneDate reports whether d is the date of the oldest commit in a shallow clone. Git
// gives this date to every file that has not changed since, so it does not show when a file
// changed.
func (b *buildStamps) isShallowCloneDate(d sitemap.Date) bool {
	return slices.ContainsFunc(b.clones, func(c git.Commit) bool { return c.HasDate(d) })
}

// Reasons not to use the date in a page's HTML, in words for the user.
const (
	sharedSecond = "several pages have the same second, in which they were built"
	sharedDay    = "nearly all pages have that day"
	cloneEnd     = "it is the date of the commit where the shallow clone ends"
	builtThen    = "the page was built within ten minutes of it"
)

// whyBuildStamp returns why date, found in HTML, is the time of a build or a checkout and not of a
// change. It returns "" for other dates.
func (d *dater) whyBuildStamp(date sitemap.Date) string {
	st := &d.world.stamps
	switch {
	case st.isShallowCloneDate(date):
		return cloneEnd
	case st.seconds[date.Unix()] && date.Precision() > sitemap.Day:
		return sharedSecond
	case !st.day.IsZero() && date.DayOnly() == st.day:
		return sharedDay
	case d.isNearBuild(date):
		return builtThen
	}
	return ""
}

// isNearBuild reports whether date was probably read from a clock during a build. The date must be
// less than buildWindow old and not in the future, or near the build that wrote most files; see
// buildTime.Matches.
func (d *dater) isNearBuild(date sitemap.Date) bool {
	if !isClockTime(date) {
		return false
	}
	if d.world.stamps.build.Matches(date) {
		return true
	}
	return !d.clock.isFuture(date) && !d.clock.hasCome(date, -buildWindow*time.Second)
}

// buildWindow is the assumed maximum duration of a build, in seconds.
const buildWindow = 10 * 60

// isClockTime reports whether d was probably read from a clock, and not written by a person or a
// template. d must have a time that is not a full quarter of an hour, such as 10:17:03. People and
// templates usually write round times.
func isClockTime(d sitemap.Date) bool {
	const quarter = 15 * 60 // seconds; time zones differ by multiples of it
	return d.Precision() > sitemap.Day && d.Unix()%quarter != 0
}

// A buildTime is the time of the build that wrote most files of a site: the Unix seconds of its
// first and last file. The zero buildTime means that the time is unknown.
type buildTime struct{ First, Last uint32 }

// findBuildTime returns a time span shorter than buildWindow in which more than half of the files
// were written. ok is false if there is none. written contains their modification times in Unix
// seconds, and is sorted in place.
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

// Matches reports whether date is less than buildWindow before or after the build, and was probably
// read from a clock.
func (b buildTime) Matches(date sitemap.Date) bool {
	return b.Last != 0 && isClockTime(date) && date.Unix() > int64(b.First)-buildWindow && date.Unix() < int64(b.Last)+buildWindow
}

// A pageMoment is the date in the HTML of a page, in Unix seconds, and the language of the page.
type pageMoment struct {
	Unix int64
	Lang string
}

// minShared is the minimum number of pages with a date in the same second that suggests a build.
// Two pages may have such a date after a single change.
const minShared = 3

// sharedSeconds returns the Unix seconds that are the date of at least minShared pages in one
// language. A second counts only if it is less than buildWindow before the latest date, or if these
// pages are at least a tenth of all pages in the list. Other seconds may come from one change to
// several pages. sharedSeconds sorts all in place.
func sharedSeconds(all []pageMoment) map[int64]bool {
	slices.SortFunc(all, func(a, b pageMoment) int { return cmp.Or(cmp.Compare(a.Unix, b.Unix), strings.Compare(a.Lang, b.Lang)) })
	shared := map[int64]bool{}
	for from, to := 0, 0; from < len(all); from = to {
		for to < len(all) && all[to] == all[from] {
			to++
		}
		n, unix := to-from, all[from].Unix
		if n >= minShared && (unix > all[len(all)-1].Unix-buildWindow || 10*n >= len(all)) {
			shared[unix] = true
		}
	}
	return shared
}

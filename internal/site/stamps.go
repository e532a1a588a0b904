package site

import (
	"cmp"
	"context"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/gitdates"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// The stamps are the dates that look like those of changes and are those of a build or a
// checkout, as far as it takes several pages to tell.
type stamps struct {
	built   bool              // most files were written at one time
	html    bool              // pages have dates in their HTML, and it is asked
	seconds map[int64]bool    // that several pages name in their HTML
	day     sitemap.Date      // that nearly all of them name, or the zero Date
	clones  []gitdates.Commit // where shallow clones end
}

// findStamps looks for what builds have printed into the pages. That comes
// before git is asked: it is to date the pages whose own date is none.
func findStamps(ctx context.Context, w *World) error {
	withDate := w.datedByHTML()
	if w.stamps.html = len(withDate) > 0; w.stamps.html {
		w.stamps.seconds = w.sharedSeconds(withDate)
		w.stamps.day, _, _ = CommonDay(slices.Values(withDate), func(i int32) sitemap.Date { return w.pages[i].LastMod })
	}
	if w.stamps.html || w.o.From != nil {
		w.stamps.clones = w.cloneEnds(ctx)
	}
	return nil
}

// datedByHTML returns the numbers of the pages that have a date in their HTML, if
// it is asked.
func (w *World) datedByHTML() (withDate []int32) {
	if w.o.Pages == nil || !slices.Contains(w.o.LastMod, "html") {
		return nil
	}
	withDate = make([]int32, 0, len(w.pages))
	for i, f := range w.pages {
		if f.Own == page.Listed && !f.LastMod.IsZero() {
			withDate = append(withDate, int32(i))
		}
	}
	return withDate
}

// several is how many pages have to share a second: one change may well date two.
const several = 3

// sharedSeconds returns the seconds that several pages name. Translations of one
// page may share theirs, and so may the few pages that one change touched a while
// ago: a build is the last thing that happened, or dates a tenth of all.
func (w *World) sharedSeconds(withDate []int32) map[int64]bool {
	type moment struct {
		unix int64
		lang string
	}
	all := make([]moment, 0, len(withDate))
	newest := int64(0)
	for _, i := range withDate {
		f := w.pages[i]
		if unix := f.LastMod.Unix(); facts.Clocked(f.LastMod) {
			all = append(all, moment{unix, langOf(f, w.contentOf(int(i)))})
			newest = max(newest, unix)
		}
	}
	slices.SortFunc(all, func(a, b moment) int { return cmp.Or(cmp.Compare(a.unix, b.unix), cmp.Compare(a.lang, b.lang)) })
	shared := map[int64]bool{}
	for m, n := range runs(all) {
		if n >= several && (m.unix > newest-facts.StampWindow || 10*n >= len(all)) {
			shared[m.unix] = true
		}
	}
	return shared
}

// runs yields each value of a sorted list and how often it stands there.
func runs[T comparable](list []T) iter.Seq2[T, int] {
	return func(yield func(T, int) bool) {
		for from, to := 0, 0; from < len(list); from = to {
			for to < len(list) && list[to] == list[from] {
				to++
			}
			if !yield(list[from], to-from) {
				return
			}
		}
	}
}

// cloneEnds returns the commits at which the shallow clones end that hold the
// site's files: a generator that asks git there is told one of them for every
// file that did not change since.
func (w *World) cloneEnds(ctx context.Context) (ends []gitdates.Commit) {
	var roots []string
	for _, t := range []*facts.Tree{w.o.Content, w.o.Pages} {
		if t == nil || t.Dir == "" {
			continue
		}
		dir, err := filepath.Abs(t.Dir)
		if root := gitdates.Above(dir); err == nil && root != "" && !slices.Contains(roots, root) {
			roots = append(roots, root)
			ends = append(ends, gitdates.Ends(ctx, root, w.gitOptions())...)
		}
	}
	return ends
}

// ends reports whether a date is that of a commit at which a shallow clone ends.
func (st *stamps) ends(d sitemap.Date) bool {
	return slices.ContainsFunc(st.clones, func(c gitdates.Commit) bool { return sameTime(d, c.Author) || sameTime(d, c.Committer) })
}

// sameTime reports whether d is c, or its day.
func sameTime(d, c sitemap.Date) bool {
	if d.Precision() == sitemap.Day {
		return d == c.DayOnly()
	}
	return d.Unix() == c.Unix()
}

// Why a date in a page is not believed.
const (
	sharedSecond = "several pages name that second, in which they were built"
	sharedDay    = "nearly all pages name that day, and other sources do not"
	cloneEnd     = "it is that of the commit at which the shallow clone ends"
	builtThen    = "the page was built within ten minutes of it"
)

// stamp says why the date that a page's HTML names is no date of a change, ""
// when it may be one.
func (d *dating) stamp(r *Page) string {
	st, date := &d.world.stamps, r.Said.LastMod
	switch {
	case st.ends(date):
		return cloneEnd
	case st.seconds[date.Unix()] && date.Precision() > sitemap.Day:
		return sharedSecond
	case d.days.builds && date.DayOnly() == st.day:
		return sharedDay
	case d.builtAt(r):
		return builtThen
	}
	return ""
}

// builtAt reports whether the page's date is within the time in which it was
// built: about now, or when its file was written. What writes a file only when its
// page changes, as an editor does, gives all files other times, which are true.
func (d *dating) builtAt(r *Page) bool {
	date := r.Said.LastMod
	if !facts.Clocked(date) {
		return false
	}
	if d.world.stamps.built && facts.BuiltThen(r.Said) {
		return true
	}
	return !d.clock.future(date) && !d.clock.come(date, -facts.StampWindow*time.Second)
}

// stampNote says which date of a page's HTML is not used, and why.
func stampNote(d *dating, r *Page) (note string, pos diag.Pos) {
	return page.DateKeys[r.Said.By-1] + " " + r.Said.LastMod.String() + " is not used: " + d.stamp(r), diag.Pos{}
}

// findBuildStamp finds out whether mtimes mean anything: generators rewrite every file
// at each build, so more than half of the pages within the same ten minutes are a build
// and not the work of authors.
func findBuildStamp(_ context.Context, w *World) error {
	ts := make([]uint32, 0, len(w.pages))
	for _, r := range w.pages {
		if r.MTime != 0 {
			ts = append(ts, r.MTime)
		}
	}
	slices.Sort(ts)
	for i, j := 0, 0; j < len(ts); j++ {
		for ts[j]-ts[i] >= facts.StampWindow {
			i++
		}
		w.stamps.built = w.stamps.built || 2*(j-i+1) > len(ts)
	}
	if w.mtime = w.o.QuietMTime; w.mtime == "" && w.stamps.built {
		w.mtime = "more than half of the files were written within ten minutes, so they tell when the site was built"
	}
	return nil
}

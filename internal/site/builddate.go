package site

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

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

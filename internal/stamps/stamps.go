// Package stamps tells the dates of changes from those of builds, deploys and checkouts, by
// what the dates of many pages have in common. A build and a check ask the same. It refuses
// to say where a date comes from.
package stamps

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Window is within how many seconds of its own time a page was built.
const Window = 10 * 60

// Clocked reports whether a date looks like what a clock said: to the second,
// and not one of the round times that people and day-only templates write.
func Clocked(d sitemap.Date) bool {
	const quarter = 15 * 60 // zones differ by quarters of an hour
	return d.Precision() > sitemap.Day && d.Unix()%quarter != 0
}

// A Build is the time in which a build wrote most files of a site, in Unix seconds; the zero
// Build is unknown.
type Build struct{ First, Last uint32 }

// BuildOf returns the Window in which most of some files were written, whose times it sorts,
// if these are more than half.
func BuildOf(written []uint32) (b Build, ok bool) {
	slices.Sort(written)
	most := len(written) / 2
	for from, to := 0, 0; to < len(written); to++ {
		for written[to]-written[from] >= Window {
			from++
		}
		if n := to - from + 1; n > most {
			most, b = n, Build{written[from], written[to]}
		}
	}
	return b, b != Build{}
}

// Names reports whether a date that a page names is within Window of the build, and looks
// like what a clock said.
func (b Build) Names(date sitemap.Date) bool {
	return b.Last != 0 && Clocked(date) && date.Unix() > int64(b.First)-Window && date.Unix() < int64(b.Last)+Window
}

// A Moment is a second that a page in a language names.
type Moment struct {
	Unix int64
	Lang string
}

// several is how many pages have to share a second: one change may well date two.
const several = 3

// Shared returns the seconds that several pages name. It sorts all. Translations of one
// page may share theirs, and so may the few pages that one change touched a while
// ago: a build is the last thing that happened, or dates a tenth of all.
func Shared(all []Moment) map[int64]bool {
	slices.SortFunc(all, func(a, b Moment) int {
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
		recent := all[from].Unix > all[len(all)-1].Unix-Window
		if n := to - from; n >= several && (recent || 10*n >= len(all)) {
			shared[all[from].Unix] = true
		}
	}
	return shared
}

// FewAlike is how many pages may share a day by chance.
const FewAlike = 9

// NearlyAll reports whether so many pages are nearly all, and enough to say so.
func NearlyAll(count, all int) bool { return count > FewAlike && 10*count > 9*all }

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
	if !NearlyAll(count, of) {
		return sitemap.Date{}, 0, of
	}
	return day, count, of
}

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

// Package ledger remembers the fingerprint of each page's visible content and
// the day on which it last changed, in a text file that can be committed,
// merged, edited by hand, or read back from the live site.
//
// It refuses to guess a date that it did not see change, and it never writes
// to disk: it gives bytes.
//
// The file has one page a line, sorted, its fields set apart by spaces:
//
//	# sitewalk ledger 1
//	# written by sitewalk 1.0.0
//	# fingerprint 1 sum=2301810a
//	# path, fingerprint of the content, day of its last change
//	/ 5f1d7a84db00d2fc 2024-01-02 sum=4e8e310d
//	/about/ 9c2b0e6a1d3f4857 - sum=114e8d0d
//	/old/ 0a1b2c3d4e5f6071 2023-11-30 gone=2024-02-01 sum=5d4b1764
//	# end
//
// The path is that below the base URL; white space, control characters, bytes
// that are not UTF-8 and the percent sign stand in it as %20 and so on. A dash
// is a day, or a fingerprint, that is not known. A page that is gone says since
// when, and is forgotten after 90 days. Further key=value fields and comments
// are kept. A file without its last line has been cut off.
package ledger

import (
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Version is the version of the format that this package writes.
const Version = 1

// A Ledger is the memory of one site. It does not change once it is made and
// is safe for concurrent use. The zero Ledger is that of a first run.
type Ledger struct {
	pages       table
	exists      bool     // there was a ledger before: what is not in it is new
	lossy       bool     // pages may be missing from it: what is not in it may not be new
	fingerprint string   // version and options of the fingerprints; "" is not known
	writer      string   // who wrote it
	comments    []string // whole lines
}

// Date returns the day on which the content of the page last changed, or why
// the ledger does not know it. Where a merge left two days, it is the later.
func (l *Ledger) Date(urlPath string) (date sitemap.Date, why string) {
	found := l.pages.find(escape(urlPath))
	if len(found) == 0 {
		return sitemap.Date{}, "not in the ledger"
	}
	if found[0].day == noDay {
		return sitemap.Date{}, "not changed since the ledger first saw it"
	}
	return dateOf(found[0].day), ""
}

// Fingerprint returns that of the page's content as it was last seen, "" when it
// is not known.
func (l *Ledger) Fingerprint(urlPath string) string {
	found := l.pages.find(escape(urlPath))
	if len(found) == 0 {
		return ""
	}
	return found[0].fingerprint
}

// Comparable reports whether the fingerprints of two ledgers are of one kind, so
// that different ones mean different content.
func (l *Ledger) Comparable(other *Ledger) bool {
	return l.fingerprint != "" && l.fingerprint == other.fingerprint
}

// A day is counted from 1970-01-01.
type day int32

const noDay day = -1 << 31

func dayOf(d sitemap.Date) day {
	if d.IsZero() {
		return noDay
	}
	return day(sitemap.DayOf(d.Time()).Time().Unix() / 86400)
}

func dateOf(d day) sitemap.Date {
	if d == noDay {
		return sitemap.Date{}
	}
	return sitemap.DayOf(time.Unix(int64(d)*86400, 0).UTC())
}

// parseDay reads "2024-01-02" or "-".
func parseDay(s string) (day, bool) {
	if s == "-" {
		return noDay, true
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil || t.Year() < 1 {
		return noDay, false
	}
	return dayOf(sitemap.DayOf(t)), true
}

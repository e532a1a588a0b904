// Package ledger records a fingerprint of the visible content of each page, and the day when the
// content last changed. The ledger is a text file, which a user commits or publishes on the site.
// The package reads ledgers and formats them, but does not write files.
//
// The file has one line per page, sorted by path, and a checksum at the end:
//
//	# sitewalk ledger 1
//	# fingerprint 1
//	# path, fingerprint of the content, day of its last change
//	/ 5f1d7a84db00d2fc 2024-01-02
//	/about/ 9c2b0e6a1d3f4857 -
//	/old/ 0a1b2c3d4e5f6071 2023-11-30 gone=2024-02-01
//	# end sum=caf1ba47
//
// A path is relative to the base URL. White space, control characters and the percent sign are
// percent-encoded. A dash means an unknown day or fingerprint. A removed page has the day of its
// removal after "gone=", and stays in the ledger for 90 days. The sum is the CRC-32 (IEEE) of the
// lines above. If there is no sum, the file is not verified.
package ledger

import (
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A Ledger contains one entry for each page of a site, including recently removed pages. It is
// immutable. The zero Ledger is empty, for the first build of a site.
type Ledger struct {
	pages       []entry // sorted by path, without duplicates
	exists      bool    // false only in the zero Ledger; then no page counts as new
	fingerprint string  // version and options with which the fingerprints were computed; "" if unknown
}

// An entry is the ledger line of one page. The path and the fingerprint are percent-encoded.
type entry struct {
	path        string
	fingerprint string // "" if unknown
	day, gone   day    // days of the last change and of the removal; noDay if unknown or not removed
}

// Date returns the day when the content of the page at urlPath last changed. If the day is unknown,
// date is zero, and why is the reason, such as "not in the ledger". Otherwise why is "".
func (l *Ledger) Date(urlPath string) (date sitemap.Date, why string) {
	e, ok := l.findEntry(urlPath)
	switch {
	case !ok:
		return sitemap.Date{}, "not in the ledger"
	case e.day == noDay:
		return sitemap.Date{}, "not changed since the ledger first saw it"
	}
	return dateOf(e.day), ""
}

// Fingerprint returns the content fingerprint of the page at urlPath, or "" if the ledger has
// none.
func (l *Ledger) Fingerprint(urlPath string) string {
	e, _ := l.findEntry(urlPath)
	return e.fingerprint
}

func (l *Ledger) findEntry(urlPath string) (entry, bool) {
	i, ok := slices.BinarySearchFunc(l.pages, percentEncode(urlPath), func(e entry, path string) int { return strings.Compare(e.path, path) })
	if !ok {
		return entry{}, false
	}
	return l.pages[i], true
}

// HasComparableFingerprints reports whether the fingerprints of l and other were computed with the
// same version and the same options. If not, different fingerprints do not mean different content.
// It returns false if l does not contain the version and the options.
func (l *Ledger) HasComparableFingerprints(other *Ledger) bool {
	return l.fingerprint != "" && l.fingerprint == other.fingerprint
}

// mergeByPath returns an iterator over the paths in a and b, which are sorted by path. For each
// path, it yields a pointer to the entry in a and a pointer to the entry in b. A pointer is nil if
// its list does not contain the path.
func mergeByPath(a, b []entry) iter.Seq2[*entry, *entry] {
	return func(yield func(a, b *entry) bool) {
		for len(a) > 0 || len(b) > 0 {
			var one, other *entry
			if len(b) == 0 || len(a) > 0 && a[0].path <= b[0].path {
				one = &a[0]
			}
			if len(a) == 0 || len(b) > 0 && b[0].path <= a[0].path {
				other = &b[0]
			}
			if one != nil {
				a = a[1:]
			}
			if other != nil {
				b = b[1:]
			}
			if !yield(one, other) {
				return
			}
		}
	}
}

// A day is a date as the number of days since 1970-01-01.
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

// parseDay parses a date such as "2024-01-02". It returns noDay for "-". ok is false if s is
// neither.
func parseDay(s string) (d day, ok bool) {
	if s == "-" {
		return noDay, true
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil || t.Year() < 1 {
		return noDay, false
	}
	return dayOf(sitemap.DayOf(t)), true
}

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
// The line "# fingerprint" has the version of the fingerprints; only fingerprints of the same
// version are comparable. A path is relative to the base URL and begins with a slash. ASCII white
// space, ASCII control characters and the percent sign are percent-encoded. A dash means an unknown
// day or fingerprint. A removed page has the day of its removal after "gone=", and stays in the
// ledger for 90 days. The sum is the CRC-32 (IEEE) of the lines above. If there is no sum, the file
// is not verified.
package ledger

import (
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A Ledger contains one entry for each page of a site, including recently removed pages. It is
// immutable. The zero Ledger has no entries; it is the ledger before the first build of a site.
type Ledger struct {
	pages              []entry // sorted by path, without duplicates
	exists             bool    // false only in the zero Ledger; Update then gives new pages no day
	fingerprintVersion string  // see UpdateOptions.FingerprintVersion; "" if unknown
}

// An entry is the ledger line of one page. The path and the fingerprint are percent-encoded. A day
// is a date such as "2024-01-02".
type entry struct {
	path        string
	fingerprint string // "" if unknown
	day         string // day of the last change; "" if unknown
	gone        string // day of the removal; "" if the page was not removed
}

// Date returns the day when the content of the page at urlPath last changed. If the day is unknown,
// date is zero, and why is the reason, such as "not in the ledger". Otherwise why is "".
func (l *Ledger) Date(urlPath string) (date sitemap.Date, why string) {
	e, ok := l.findEntry(urlPath)
	switch {
	case !ok:
		return sitemap.Date{}, "not in the ledger"
	case e.day == "":
		return sitemap.Date{}, "not changed since the ledger first saw it"
	}
	date, _ = sitemap.ParseDate(e.day, time.UTC)
	return date, ""
}

// Fingerprint returns the percent-encoded fingerprint of the page at urlPath, or "" if the ledger
// has none.
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

// HasComparableFingerprints reports whether the fingerprints in l and other have the same version.
// Different fingerprints of different versions do not mean that the content differs.
// HasComparableFingerprints returns false if the version in l is unknown.
func (l *Ledger) HasComparableFingerprints(other *Ledger) bool {
	return l.fingerprintVersion != "" && l.fingerprintVersion == other.fingerprintVersion
}

// isDay reports whether s is a date such as "2024-01-02".
func isDay(s string) bool {
	t, err := time.Parse(time.DateOnly, s)
	return err == nil && t.Year() > 0
}

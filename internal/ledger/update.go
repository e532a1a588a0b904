package ledger

import (
	"cmp"
	"iter"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// keptDays is the number of days that a removed page stays in the ledger.
const keptDays = 90

// A Page is a page of the current build, with the fingerprint of its content.
type Page struct {
	Path        string // decoded path relative to the base URL, with a leading "/": "/docs/"
	Fingerprint string // fingerprint of the visible content; "" if unknown
}

// UpdateOptions are options of Update.
type UpdateOptions struct {
	FingerprintVersion string // version of the fingerprints of the pages, see page.FingerprintOptions.Version
	NewUndated         bool   // new pages get no day (ledger.new: none)
}

// Update returns the ledger after a build. pages are the pages of the build in any order. If a path
// occurs twice, the first page counts. Update does not modify l. It returns l itself if nothing has
// changed. It sets the days by these rules:
//
//   - A page keeps its day if its fingerprint is the same as in l, or is unknown in l or in pages.
//   - A page whose fingerprint differs from its fingerprint in l changed today.
//   - A page that is not in l gets the day today. It gets no day if l is the zero Ledger, if
//     o.NewUndated is set, or if the page has no fingerprint.
//   - A new page with the fingerprint of removed pages was moved, and gets their day. The removed
//     pages must all have the same day, and there must be at least as many of them as new pages
//     with this fingerprint.
//   - If l has another version of fingerprints than o.FingerprintVersion, the fingerprints cannot be
//     compared. Pages in l then keep their days and get the new fingerprints. Removed pages lose
//     their fingerprints.
//   - A removed page stays in the ledger for 90 days. If it returns unchanged, it keeps its day.
func (l *Ledger) Update(pages iter.Seq[Page], today sitemap.Date, o UpdateOptions) *Ledger {
	day := today.DayOnly().String()
	oldest := sitemap.DayOf(today.Time().AddDate(0, 0, -keptDays)).String()
	next := &Ledger{exists: true, fingerprintVersion: percentEncode(o.FingerprintVersion)}
	isComparable := next.fingerprintVersion == l.fingerprintVersion
	var added, gone []int // indexes in next.pages of pages that may have moved, and of removed pages
	addRemoved := func(e entry) {
		if e.gone = cmp.Or(e.gone, day); e.gone < oldest {
			return
		}
		if !isComparable { // fingerprints of another version cannot be compared later
			e.fingerprint = ""
		}
		if e.fingerprint != "" {
			gone = append(gone, len(next.pages))
		}
		next.pages = append(next.pages, e)
	}
	old, now := l.pages, l.newEntries(pages)
	next.pages = make([]entry, 0, max(len(old), len(now)))
	for _, e := range now {
		for len(old) > 0 && old[0].path < e.path {
			addRemoved(old[0])
			old = old[1:]
		}
		var known entry
		isKnown := len(old) > 0 && old[0].path == e.path
		if isKnown {
			known, old = old[0], old[1:]
		}
		e.day = known.day
		switch {
		case !isKnown:
			if l.exists && !o.NewUndated && e.fingerprint != "" { // without a fingerprint, no later change could be detected, and the day would stay forever
				e.day = day
			}
			added = append(added, len(next.pages))
		case !isComparable || known.fingerprint == "":
		case e.fingerprint == "":
			e.fingerprint = known.fingerprint
		case e.fingerprint != known.fingerprint:
			e.day = day
			if known.gone != "" { // another page may have moved to the path of the removed page
				added = append(added, len(next.pages))
			}
		}
		next.pages = append(next.pages, e)
	}
	for _, e := range old {
		addRemoved(e)
	}
	dateMovedPages(next.pages, added, gone)
	if l.exists && isComparable && slices.Equal(l.pages, next.pages) {
		return l
	}
	return next
}

// newEntries returns a ledger entry without a day for each path in pages, sorted by path. If
// several pages have the same path, the first page counts.
func (l *Ledger) newEntries(pages iter.Seq[Page]) []entry {
	list := make([]entry, 0, len(l.pages))
	for p := range pages {
		list = append(list, entry{path: percentEncode(p.Path), fingerprint: percentEncode(p.Fingerprint)})
	}
	slices.SortStableFunc(list, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return slices.CompactFunc(list, func(a, b entry) bool { return a.path == b.path })
}

// dateMovedPages sets the days of pages that were moved, as Update describes. added contains the
// indexes in pages of new pages, and of pages that replace a removed page at the same path. gone
// contains the indexes of removed pages.
func dateMovedPages(pages []entry, added, gone []int) {
	if len(gone) == 0 {
		return
	}
	goneDays := map[string][]string{} // days of the removed pages, by fingerprint
	for _, i := range gone {
		goneDays[pages[i].fingerprint] = append(goneDays[pages[i].fingerprint], pages[i].day)
	}
	numAdded := map[string]int{}
	for _, i := range added {
		numAdded[pages[i].fingerprint]++
	}
	for _, i := range added {
		days := goneDays[pages[i].fingerprint]
		if len(days) >= numAdded[pages[i].fingerprint] && !slices.ContainsFunc(days, func(d string) bool { return d != days[0] }) {
			pages[i].day = days[0]
		}
	}
}

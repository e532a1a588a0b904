package ledger

import (
	"iter"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// memoryDays is the number of days that a removed page stays in the ledger.
const memoryDays = 90

// A Page is a page of the current build, with the fingerprint of its content.
type Page struct {
	Path        string // decoded path relative to the base URL, with a leading "/": "/docs/"
	Fingerprint string // fingerprint of the visible content; "" if unknown
}

// UpdateOptions are options of Update.
type UpdateOptions struct {
	Fingerprint string // version and options with which the fingerprints of the pages were computed
	NewUndated  bool   // give new pages no date (new: none)
}

// Update returns the ledger after a build. pages are the pages of the build in any order. If a path
// occurs twice, the first page counts. Update does not modify l. It returns l itself if nothing has
// changed. It sets the days in this way:
//
//   - A page whose fingerprint differs from its fingerprint in l changed today.
//   - A page that is not in l changed today. Its day is unknown if l is the zero Ledger,
//     if o.NewUndated is set, or if the page has no fingerprint.
//   - A new page with the fingerprint of removed pages was moved, and gets their day. The removed
//     pages must all have the same day, and there must be at least as many of them as new pages
//     with this fingerprint.
//   - If o.Fingerprint differs from that of l, fingerprints cannot be compared. Pages in l keep
//     their days and get the new fingerprints.
//   - A removed page stays in the ledger for 90 days. If it returns unchanged, it keeps its day.
func (l *Ledger) Update(pages iter.Seq[Page], today sitemap.Date, o UpdateOptions) *Ledger {
	u := update{old: l.pages, today: dayOf(today), newDay: dayOf(today)}
	if !l.exists || o.NewUndated {
		u.newDay = noDay
	}
	fingerprint := percentEncode(o.Fingerprint)
	u.comparable = fingerprint == l.fingerprint
	u.now = l.newEntries(pages)
	u.addAllEntries()
	u.dateMovedPages()
	if l.exists && u.comparable && slices.Equal(l.pages, u.next) {
		return l
	}
	return &Ledger{pages: u.next, exists: true, fingerprint: fingerprint}
}

// newEntries returns a ledger entry for each path in pages, sorted by path. If pages have the same
// path, the first page counts.
func (l *Ledger) newEntries(pages iter.Seq[Page]) []entry {
	t := make([]entry, 0, len(l.pages))
	for p := range pages {
		path := p.Path
		if !strings.HasPrefix(path, "/") {
			path = "/" + path
		}
		t = append(t, entry{path: percentEncode(path), fingerprint: percentEncode(p.Fingerprint), day: noDay, gone: noDay})
	}
	slices.SortStableFunc(t, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return slices.CompactFunc(t, func(a, b entry) bool { return a.path == b.path })
}

// An update is the state of one call of Ledger.Update.
type update struct {
	old, now      []entry
	next          []entry
	comparable    bool // the old and the new fingerprints were computed in the same way
	today, newDay day
	added         []int // indexes in next of new pages, and of changed pages at the path of a removed page
	gone          []int // indexes in next of the removed pages with a comparable fingerprint
}

// addAllEntries sets next to an entry for each path of the old ledger and of the current build.
func (u *update) addAllEntries() {
	u.next = make([]entry, 0, max(len(u.old), len(u.now)))
	for old, now := range mergeByPath(u.old, u.now) {
		switch {
		case now == nil:
			u.keepRemoved(*old)
		case old == nil:
			u.addNew(*now)
		default:
			u.updateKnown(old, *now)
		}
	}
}

// keepRemoved adds the entry of a page that is not in the current build. If the page was in the
// last build, today becomes the day of its removal. More than memoryDays days after the removal,
// the entry is dropped.
func (u *update) keepRemoved(e entry) {
	if e.gone == noDay {
		e.gone = u.today
	}
	if u.today-e.gone > memoryDays {
		return
	}
	if u.comparable && e.fingerprint != "" {
		u.gone = append(u.gone, len(u.next))
	} else {
		e.fingerprint = "" // fingerprints of another version cannot be compared later
	}
	u.next = append(u.next, e)
}

func (u *update) addNew(e entry) {
	u.added = append(u.added, len(u.next))
	if e.fingerprint != "" { // without a fingerprint, no later change could be detected, and the day would stay forever
		e.day = u.newDay
	}
	u.next = append(u.next, e)
}

// updateKnown adds the entry of a page that is both in the old ledger and in the current build. It
// sets the day of the page to today if its fingerprint has changed. The day stays if the
// fingerprints cannot be compared or one of them is unknown.
func (u *update) updateKnown(known *entry, now entry) {
	now.day = known.day
	switch {
	case now.fingerprint == "":
		if u.comparable {
			now.fingerprint = known.fingerprint
		}
	case u.comparable && known.fingerprint != "" && known.fingerprint != now.fingerprint:
		now.day = u.today
		if known.gone != noDay { // another page may have moved to the path of the removed page
			u.added = append(u.added, len(u.next))
		}
	}
	u.next = append(u.next, now)
}

// A move counts the added pages and the removed pages that have the same fingerprint.
type move struct {
	added, gone int
	day         day  // day of the last change of the removed pages
	isDisputed  bool // the removed pages have different days, so the day is unknown
}

// dateMovedPages finds new pages that were moved: they have the same fingerprint as removed pages.
// It sets their days to the day of the removed pages, under the conditions that Update describes.
func (u *update) dateMovedPages() {
	if len(u.gone) == 0 {
		return
	}
	moves := map[string]*move{}
	for _, page := range u.added {
		if key := u.next[page].fingerprint; moves[key] == nil {
			moves[key] = &move{added: 1}
		} else {
			moves[key].added++
		}
	}
	for _, page := range u.gone {
		if m := moves[u.next[page].fingerprint]; m != nil {
			day := u.next[page].day
			m.isDisputed = m.isDisputed || m.gone > 0 && m.day != day
			m.day = day
			m.gone++
		}
	}
	for _, page := range u.added {
		if m := moves[u.next[page].fingerprint]; m.added <= m.gone && !m.isDisputed {
			u.next[page].day = m.day
		}
	}
}

package ledger

import (
	"iter"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// memoryDays is the number of days that a removed page stays in the ledger.
const memoryDays = 90

// A Page is one page of the current build.
type Page struct {
	Path        string // decoded path relative to the base URL, with a leading "/"
	Fingerprint string // fingerprint of the visible content; "" if unknown
}

// UpdateOptions configure Update.
type UpdateOptions struct {
	Fingerprint string // version and options of the fingerprints of the pages
	NewUndated  bool   // new pages get no date (new: none)
}

// Update returns the ledger after a build of pages today. Pages may be in any order; the first
// page of each path counts. Update does not modify l. The same arguments give the same ledger.
// If nothing changed, Update returns l.
//
//   - A page with a new fingerprint changed today.
//   - An unknown page changed today, unless l is the ledger of a first run, o.NewUndated is
//     set, or the fingerprint is unknown.
//   - A new page with the fingerprint of removed pages was moved. It keeps the day of the
//     removed pages if all of them have the same day and the new pages are not more than the
//     removed pages.
//   - If the fingerprints of l are unknown, or have another version or other options, pages
//     keep their days and get the new fingerprints.
//   - A removed page stays in the ledger for 90 days. If it returns unchanged, it keeps its
//     day.
func (l *Ledger) Update(pages iter.Seq[Page], today sitemap.Date, o UpdateOptions) *Ledger {
	u := update{old: l.pages, today: dayOf(today), newDay: dayOf(today)}
	if !l.exists || o.NewUndated {
		u.newDay = noDay
	}
	fingerprint := escape(o.Fingerprint)
	u.comparable = fingerprint == l.fingerprint
	u.now = l.entriesOf(pages)
	u.join()
	u.move()
	if l.exists && u.comparable && slices.Equal(l.pages, u.next) {
		return l
	}
	return &Ledger{pages: u.next, exists: true, fingerprint: fingerprint}
}

// entriesOf returns one entry for each path of pages, sorted by path.
func (l *Ledger) entriesOf(pages iter.Seq[Page]) []entry {
	t := make([]entry, 0, len(l.pages))
	for p := range pages {
		path := p.Path
		if !strings.HasPrefix(path, "/") {
			path = "/" + path
		}
		t = append(t, entry{path: escape(path), fingerprint: escape(p.Fingerprint), day: noDay, gone: noDay})
	}
	slices.SortStableFunc(t, func(a, b entry) int { return strings.Compare(a.path, b.path) })
	return slices.CompactFunc(t, func(a, b entry) bool { return a.path == b.path })
}

// An update merges the earlier entries with the current pages.
type update struct {
	old, now      []entry
	next          []entry
	comparable    bool // old and new fingerprints are comparable
	today, newDay day
	added         []int // indexes of new pages in next
	gone          []int // indexes of removed pages in next
}

// join decides about each earlier entry and each current page.
func (u *update) join() {
	u.next = make([]entry, 0, max(len(u.old), len(u.now)))
	for old, now := range merge(u.old, u.now) {
		switch {
		case now == nil:
			u.keepRemoved(*old)
		case old == nil:
			u.add(*now)
		default:
			u.keep(old, *now)
		}
	}
}

// keepRemoved keeps the entry of a removed page for memoryDays.
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
		e.fingerprint = "" // no later ledger can compare the fingerprint
	}
	u.next = append(u.next, e)
}

func (u *update) add(e entry) {
	u.added = append(u.added, len(u.next))
	if e.fingerprint != "" { // without a fingerprint, no change can be detected, so the day would stay forever
		e.day = u.newDay
	}
	u.next = append(u.next, e)
}

// keep updates the entry of a known page.
func (u *update) keep(known *entry, now entry) {
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

// A move counts the new and the removed pages with the same content.
type move struct {
	added, gone int
	day         day  // day of the removed pages
	disputed    bool // the removed pages have different days
}

// move gives each moved page the day of the removed pages with the same content.
func (u *update) move() {
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
			m.disputed = m.disputed || m.gone > 0 && m.day != day
			m.day = day
			m.gone++
		}
	}
	for _, page := range u.added {
		if m := moves[u.next[page].fingerprint]; m.added <= m.gone && !m.disputed {
			u.next[page].day = m.day
		}
	}
}

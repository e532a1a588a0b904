package ledger

import (
	"iter"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// memoryDays is how many days a page that is gone is remembered.
const memoryDays = 90

// A Page is one page as it is now.
type Page struct {
	Path        string // decoded, below the base URL, with a leading "/"
	Fingerprint string // of its visible content; "" when it is not known
}

// UpdateOptions configure Update.
type UpdateOptions struct {
	Fingerprint string // version and options of the pages' fingerprints
	NewUndated  bool   // a new page gets no date (new: none)
}

// Update returns the ledger as it is after pages were seen today. The pages may
// come in any order, and of one path the first counts. l stays as it is, and
// the same arguments give the same ledger; when nothing changed it is l.
//
//   - A page whose fingerprint is another than before changed today.
//   - A page that l does not know is new today: unless l is that of a first
//     run, or o.NewUndated is set, or its fingerprint is not known.
//   - A page that is new and whose fingerprint is that of pages that are gone
//     moved, and keeps their day, if they agree on it and are as many as the
//     new ones.
//   - Where the fingerprints of l were made by another version or with other
//     options, or are not known, pages keep their day and get the new
//     fingerprint.
//   - A page that is gone is remembered for 90 days and keeps its day when it
//     returns unchanged.
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

// Join returns what either of two ledgers remembers, which two runs made of the same
// one. Of a page in both, that of a run which saw the page counts, then the later day,
// then l.
func (l *Ledger) Join(other *Ledger) *Ledger {
	joined := *l
	joined.pages = nil
	if len(l.pages) == 0 {
		joined.fingerprint = other.fingerprint
	}
	for mine, theirs := range merge(l.pages, other.pages) {
		from, kept := l, mine
		if mine == nil || theirs != nil && mine.yields(theirs) {
			from, kept = other, theirs
		}
		e := *kept
		if from.fingerprint != joined.fingerprint {
			e.fingerprint = "" // of another kind
		}
		joined.pages = append(joined.pages, e)
	}
	return &joined
}

// yields reports whether the other of two entries of a page is the one to keep.
func (e *entry) yields(other *entry) bool {
	if (e.gone == noDay) != (other.gone == noDay) {
		return other.gone == noDay
	}
	return e.day < other.day
}

// entriesOf returns the entries of pages, sorted by path, each once.
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

// An update joins what was remembered with what is there.
type update struct {
	old, now      []entry
	next          []entry
	comparable    bool // old and new fingerprints are of one kind
	today, newDay day
	added         []int // entries of next that are new
	gone          []int // entries of next that are gone
}

// join decides on each page that was remembered or is there.
func (u *update) join() {
	u.next = make([]entry, 0, max(len(u.old), len(u.now)))
	for old, now := range merge(u.old, u.now) {
		switch {
		case now == nil:
			u.miss(*old)
		case old == nil:
			u.add(*now)
		default:
			u.keep(old, *now)
		}
	}
}

// miss goes on remembering a page that is not there, for a time.
func (u *update) miss(e entry) {
	if e.gone == noDay {
		e.gone = u.today
	}
	if u.today-e.gone > memoryDays {
		return
	}
	if u.comparable && e.fingerprint != "" {
		u.gone = append(u.gone, len(u.next))
	} else {
		e.fingerprint = "" // of another kind: it could never be compared again
	}
	u.next = append(u.next, e)
}

func (u *update) add(e entry) {
	u.added = append(u.added, len(u.next))
	if e.fingerprint != "" { // else no later change could be seen, and the day would stay
		e.day = u.newDay
	}
	u.next = append(u.next, e)
}

// keep updates a known page.
func (u *update) keep(known *entry, now entry) {
	now.day = known.day
	switch {
	case now.fingerprint == "":
		if u.comparable {
			now.fingerprint = known.fingerprint
		}
	case u.comparable && known.fingerprint != "" && known.fingerprint != now.fingerprint:
		now.day = u.today
		if known.gone != noDay { // another page may have moved to where this one was
			u.added = append(u.added, len(u.next))
		}
	}
	u.next = append(u.next, now)
}

// A move is what the new pages and the pages that are gone have in common whose
// content is the same.
type move struct {
	added, gone int
	day         day  // of those that are gone
	disputed    bool // they have several days
}

// move gives new pages the day of pages that are gone and had the same content.
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

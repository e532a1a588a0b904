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

// UpdateOptions say how to bring a ledger up to date.
type UpdateOptions struct {
	Fingerprint string // version and options of the pages' fingerprints
	NewUndated  bool   // a new page gets no date (new: none)
	Writer      string // who writes, for the file's head: "sitewalk 1.2.0"
}

// Update returns the ledger as it is after pages were seen today. The pages may
// come in any order, and of one path the first counts. l stays as it is, and
// the same arguments give the same ledger; when nothing changed it is l.
//
//   - A page whose fingerprint is another than before changed today.
//   - A page that l does not know is new today: unless l is that of a first
//     run, or has lost lines, or o.NewUndated, or its fingerprint is not known.
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
	if !l.exists || l.lossy || o.NewUndated {
		u.newDay = noDay
	}
	fingerprint := phrase(o.Fingerprint, escape)
	u.comparable = fingerprint == l.fingerprint
	u.now = l.tableOf(pages)
	u.join()
	u.move()
	if l.exists && u.comparable && slices.EqualFunc(l.pages, u.next, entry.same) {
		return l
	}
	return &Ledger{
		pages: u.next, exists: true,
		fingerprint: fingerprint, writer: phrase(o.Writer, escape), comments: l.comments,
	}
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
		from, entries := l, mine
		if len(mine) == 0 || len(theirs) > 0 && mine[0].yields(&theirs[0]) {
			from, entries = other, theirs
		}
		for _, e := range entries {
			if from.fingerprint != joined.fingerprint {
				e.fingerprint = "" // of another kind
			}
			joined.pages = append(joined.pages, e)
		}
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

// tableOf returns the pages of one run, sorted, each path once. They are likely to
// be as many as those of l.
func (l *Ledger) tableOf(pages iter.Seq[Page]) table {
	t := make(table, 0, len(l.pages))
	for p := range pages {
		path := p.Path
		if !strings.HasPrefix(path, "/") {
			path = "/" + path
		}
		t = append(t, entry{path: escape(path), fingerprint: escapeFingerprint(p.Fingerprint), day: noDay, gone: noDay})
	}
	t.sort()
	return slices.CompactFunc(t, func(a, b entry) bool { return a.path == b.path })
}

// An update joins what was remembered with what is there.
type update struct {
	old, now      table
	next          table
	comparable    bool // old and new fingerprints are of one kind
	today, newDay day
	added         []int // entries of next that are new
	gone          []int // entries of next that are gone
}

// join decides on each page that was remembered or is there.
func (u *update) join() {
	u.next = make(table, 0, max(len(u.old), len(u.now)))
	for old, now := range merge(u.old, u.now) {
		switch {
		case len(now) == 0:
			u.miss(old[0])
		case len(old) == 0:
			u.add(now[0])
		default:
			u.keep(old, now[0])
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

// keep goes on with a page that is known, by one entry or, after a merge, by
// several: the one with the page's fingerprint speaks.
func (u *update) keep(known table, now entry) {
	is := func(k entry) bool { return k.fingerprint == now.fingerprint }
	unknown := func(k entry) bool { return k.fingerprint == "" }
	kept := known[0]
	switch i := slices.IndexFunc(known, is); {
	case now.fingerprint == "":
		if u.comparable {
			now.fingerprint = kept.fingerprint
		}
	case !u.comparable:
	case i >= 0:
		kept = known[i]
	case !slices.ContainsFunc(known, unknown):
		kept.day = u.today
		if kept.gone != noDay { // another page may have moved to where this one was
			u.added = append(u.added, len(u.next))
		}
	}
	now.day, now.extra = kept.day, kept.extra
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

// same reports whether two entries print the same line.
func (e entry) same(other entry) bool {
	e.line = other.line
	return e == other
}

package ledger

import (
	"iter"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Removed yields the pages that are gone, in the order of the file, with the
// day on which each was first missed.
func (l *Ledger) Removed() iter.Seq2[string, sitemap.Date] {
	return func(yield func(string, sitemap.Date) bool) {
		for _, e := range l.pages {
			if e.gone != noDay && !yield(unescape(e.path), dateOf(e.gone)) {
				return
			}
		}
	}
}

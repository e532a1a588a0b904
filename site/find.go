package site

import (
	"cmp"
	"slices"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Find returns the page with a URL.
func (l List) Find(loc string) (i int, ok bool) {
	return slices.BinarySearchFunc(l.records, loc, func(r *record, loc string) int { return cmp.Compare(r.loc, loc) })
}

// Dated returns the URL and the date of page i.
func (l List) Dated(i int) (loc string, date sitemap.Date) {
	return l.records[i].loc, l.records[i].date
}

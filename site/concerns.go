package site

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Concerns reports whether a change can make a difference: whether it names a
// file that is wanted, or one that is or was a page or a source.
func (s *Site) Concerns(c Change) bool {
	page := func(p string) bool {
		return holds(s.pages, p, func(r *record) string { return r.file })
	}
	source := func(p string) bool {
		return holds(s.sources, p, func(src *source) string { return src.file })
	}
	return s.o.Pages != nil && slices.ContainsFunc(c.Pages, func(p string) bool { return s.o.Pages.Filter.Match(p) || page(p) }) ||
		s.o.Content != nil && slices.ContainsFunc(c.Content, func(p string) bool { return s.o.Content.Filter.Match(p) || source(p) })
}

// holds reports whether a sorted list holds a name or one below it.
func holds[T any](list []T, p string, name func(T) string) bool {
	i, ok := slices.BinarySearchFunc(list, p, func(v T, p string) int { return cmp.Compare(name(v), p) })
	if ok {
		return true
	}
	for ; i < len(list) && strings.HasPrefix(name(list[i]), p); i++ {
		if strings.HasPrefix(name(list[i]), p+"/") {
			return true
		}
	}
	return false
}

// A Snapshot is what a list said of URLs and dates.
type Snapshot []struct {
	loc  string
	date sitemap.Date
}

// Snapshot returns the list's URLs and dates; unlike the list it stays as it is
// when the site is folded again.
func (l List) Snapshot() Snapshot {
	out := make(Snapshot, len(l.records))
	for i, r := range l.records {
		out[i].loc, out[i].date = r.loc, r.date
	}
	return out
}

// Compare counts what changed from old to s: URLs added, removed, and with
// another date.
func (s Snapshot) Compare(old Snapshot) (added, removed, redated int) {
	i, j := 0, 0
	for i < len(s) && j < len(old) {
		switch c := cmp.Compare(s[i].loc, old[j].loc); {
		case c < 0:
			added++
			i++
		case c > 0:
			removed++
			j++
		default:
			if s[i].date != old[j].date {
				redated++
			}
			i++
			j++
		}
	}
	return added + len(s) - i, removed + len(old) - j, redated
}

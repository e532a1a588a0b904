package site

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
)

// Concerns reports whether a change can make a difference: whether it names a
// file that is wanted, or one that is or was a page or a source.
func (w *World) Concerns(c facts.Change) bool {
	page := func(p string) bool {
		return holds(w.pages, p, func(f *facts.Page) string { return f.File })
	}
	source := func(p string) bool {
		return holds(w.contentFiles, p, func(src *contentFile) string { return src.File })
	}
	return w.o.Pages != nil && slices.ContainsFunc(c.Pages, func(p string) bool { return w.o.Pages.Filter.Match(p) || page(p) }) ||
		w.o.Content != nil && slices.ContainsFunc(c.Content, func(p string) bool { return w.o.Content.Filter.Match(p) || source(p) })
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

// Compare returns what changed from an old list to l, sorted: URLs added,
// removed, and with another date.
func (l List) Compare(old List) (added, removed, redated []string) {
	for was, now := range sideBySide(old.records, l.records, func(r *record) string { return r.loc }) {
		switch {
		case was == nil:
			added = append(added, now.loc)
		case now == nil:
			removed = append(removed, was.loc)
		case now.date != was.date:
			redated = append(redated, now.loc)
		}
	}
	return added, removed, redated
}

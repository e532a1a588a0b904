package ledger

import (
	"cmp"
	"iter"
	"slices"
	"strings"
)

// A table is pages. Once sorted, they stand by path, and those of one path by day, the
// latest first.
type table []entry

// An entry is one line of the file. Its texts are escaped as there.
type entry struct {
	path        string
	fingerprint string // "" is not known
	extra       string // further fields
	day, gone   day
	line        int32 // where it was read, for findings; 0 in a conflict, which may repeat a path
}

// sort sorts the entries; those that are in order already, as nearly always,
// cost one comparison each.
func (t table) sort() {
	order := func(a, b entry) int { return cmp.Or(cmp.Compare(a.path, b.path), cmp.Compare(b.day, a.day)) }
	if !slices.IsSortedFunc(t, order) {
		slices.SortStableFunc(t, order)
	}
}

// find returns the entries of a path, which is escaped.
func (t table) find(path string) table {
	i, ok := slices.BinarySearchFunc(t, path, func(e entry, path string) int { return strings.Compare(e.path, path) })
	if !ok {
		return nil
	}
	return t.group(i)
}

// group returns the entries of the path at i, none behind the last.
func (t table) group(i int) table {
	end := i
	for end < len(t) && t[end].path == t[i].path {
		end++
	}
	return t[i:end]
}

// merge yields the entries of each path in two sorted tables, none of one without it.
func merge(t, o table) iter.Seq2[table, table] {
	return func(yield func(ours, theirs table) bool) {
		for i, j := 0, 0; i < len(t) || j < len(o); {
			ours, theirs := t.group(i), o.group(j)
			if len(ours) > 0 && len(theirs) > 0 {
				switch order := strings.Compare(ours[0].path, theirs[0].path); {
				case order < 0:
					theirs = nil
				case order > 0:
					ours = nil
				}
			}
			i, j = i+len(ours), j+len(theirs)
			if !yield(ours, theirs) {
				return
			}
		}
	}
}

package ledger

import (
	"bytes"
	"cmp"
	"iter"
	"math"
	"slices"
	"sort"
)

// A table holds a million pages in some seventy bytes each: one run of bytes
// for all names, and small entries that point into it.
type table struct {
	arena   []byte
	entries []entry // once sorted: by path, of one path the latest day first
}

// An entry is one line of the file. Its path, fingerprint and further fields
// follow each other in the arena, escaped as in the file.
type entry struct {
	at                       uint32
	path, fingerprint, extra uint16 // lengths; no fingerprint is one that is not known
	day, gone                day
	line                     int32 // where it was read, for findings
}

// add appends a page to the table, unless it is beyond all that a sitemap can
// hold, and reports whether it does. A table doubles, where append would grow a long one by a quarter and
// leave four times as much behind.
func add[S string | []byte](t *table, path, fingerprint, extra S, e entry) bool {
	end := len(t.arena) + len(path) + len(fingerprint) + len(extra)
	if max(len(path), len(fingerprint), len(extra)) > math.MaxUint16 || uint64(end) > math.MaxUint32 {
		return false
	}
	e.at = uint32(len(t.arena))
	e.path, e.fingerprint, e.extra = uint16(len(path)), uint16(len(fingerprint)), uint16(len(extra))
	if end > cap(t.arena) {
		t.arena = slices.Grow(t.arena, end)
	}
	if len(t.entries) == cap(t.entries) {
		t.entries = slices.Grow(t.entries, len(t.entries)+1)
	}
	t.arena = append(append(append(t.arena, path...), fingerprint...), extra...)
	t.entries = append(t.entries, e)
	return true
}

func (t *table) path(e *entry) []byte { return t.part(e, 0, e.path) }

func (t *table) fingerprint(e *entry) []byte { return t.part(e, int(e.path), e.fingerprint) }

func (t *table) extra(e *entry) []byte {
	return t.part(e, int(e.path)+int(e.fingerprint), e.extra)
}

func (t *table) part(e *entry, after int, length uint16) []byte {
	at := int(e.at) + after
	return t.arena[at : at+int(length)]
}

// sort sorts the entries; those that are in order already, as nearly always,
// cost one comparison each.
func (t *table) sort() {
	order := func(a, b entry) int {
		return cmp.Or(bytes.Compare(t.path(&a), t.path(&b)), cmp.Compare(b.day, a.day))
	}
	if !slices.IsSortedFunc(t.entries, order) {
		slices.SortStableFunc(t.entries, order)
	}
}

// find returns the entries of a path, which is escaped.
func (t *table) find(path string) []entry {
	i := sort.Search(len(t.entries), func(i int) bool { return string(t.path(&t.entries[i])) >= path })
	if i == len(t.entries) || string(t.path(&t.entries[i])) != path {
		return nil
	}
	return t.group(i)
}

// group returns the entries of the path at i, none behind the last.
func (t *table) group(i int) []entry {
	end := i
	for end < len(t.entries) && bytes.Equal(t.path(&t.entries[end]), t.path(&t.entries[i])) {
		end++
	}
	return t.entries[i:end]
}

// merge yields the entries of each path in two sorted tables, none of one without it.
func merge(t, o *table) iter.Seq2[[]entry, []entry] {
	return func(yield func(ours, theirs []entry) bool) {
		for i, j := 0, 0; i < len(t.entries) || j < len(o.entries); {
			ours, theirs := t.group(i), o.group(j)
			if len(ours) > 0 && len(theirs) > 0 {
				switch order := bytes.Compare(t.path(&ours[0]), o.path(&theirs[0])); {
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

package site

import (
	"slices"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/page"
)

// keepGroups gives pages the groups of translations that they had before. That a
// page is listed at an address is all that makes it the one which is meant by just
// this address, so a whole group stays for as long as each of its pages is listed
// where it was and names what it named, whatever became of all others.
func (f *fold) keepGroups() {
	broken := map[*group]bool{}
	old := f.before
	for i := range f.records {
		r := &f.records[i]
		for len(old) > 0 && old[0].Page != r.Page && old[0].File < r.File {
			broken[old[0].group] = true
			old = old[1:]
		}
		if len(old) == 0 {
			break
		}
		if q := &old[0]; q.Page == r.Page || q.File == r.File {
			if f.namesAsBefore(r, q) {
				r.group = q.group
			} else {
				broken[q.group] = true
			}
			old = old[1:]
		}
	}
	for i := range old {
		broken[old[i].group] = true
	}
	if delete(broken, nil); len(broken) == 0 {
		return
	}
	for _, r := range f.listed {
		if r.group != nil && broken[r.group] {
			r.group = nil
		}
	}
}

// namesAsBefore reports whether a page is still a member of the whole group in
// which it was as q.
func (f *fold) namesAsBefore(r, q *record) bool {
	switch {
	case q.group == nil || !q.group.whole || r.reason != page.Listed || r.loc != q.loc:
		return false
	case r.Page == q.Page && r.set == nil && r.src == nil && r.from == 0:
		return true // it was on its own then, too
	}
	return f.speaksAlone(r) && &r.Rest.Alternates[0] == &q.Rest.Alternates[0]
}

// Since returns the number that each page has in a list of before, of the same
// site with the same options, if its entry is what it was; -1 of the others.
func (l List) Since(before List) []int32 {
	same := make([]int32, len(l.records))
	j := 0
	for i, r := range l.records {
		same[i] = -1
		for j < len(before.records) && before.records[j].loc < r.loc {
			j++
		}
		if j < len(before.records) && sameEntry(r, before.records[j]) {
			same[i] = int32(j)
		}
	}
	return same
}

// sameEntry reports whether the entry of a page is that of q, by what it is made
// of.
func sameEntry(r, q *record) bool {
	return (r.Page == q.Page || nothing(r.Page) && nothing(q.Page)) && r.src == q.src && r.loc == q.loc && r.date == q.date && r.from == q.from &&
		(r.group == q.group || r.group != nil && q.group != nil && r.group.right == q.group.right && slices.Equal(r.group.alts, q.group.alts)) &&
		(r.set == q.set || r.set != nil && q.set != nil && slices.Equal(r.set.rules, q.set.rules))
}

// nothing reports whether a page is one without a file, of which nothing is known.
func nothing(p *facts.Page) bool { return p.File == "" && p.Rest == nil && p.LastMod.IsZero() }

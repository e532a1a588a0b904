package page

import (
	"slices"

	"github.com/sitewalk/sitewalk/diag"
)

// A Skip is a reason to leave a page out. Pos is the position of its cause, such as a tag. Note is
// the text of the cause, or describes it. Pos may be zero, and Note may be "".
type Skip struct {
	Reason Reason
	Pos    diag.Pos
	Note   string
}

// Skips lists reasons to leave a page out, in the order in which they were found. All reasons come
// from one source: the HTML file, or the front matter of the content file. Each reason occurs at
// most once.
type Skips []Skip

// Add adds a reason, unless the list already contains it.
func (s *Skips) Add(reason Reason, pos diag.Pos, note string) {
	if !s.Has(reason) {
		*s = append(*s, Skip{reason, pos, note})
	}
}

// Has reports whether the list contains reason.
func (s Skips) Has(reason Reason) bool {
	return slices.ContainsFunc(s, func(skip Skip) bool { return skip.Reason == reason })
}

// Remove removes a reason.
func (s *Skips) Remove(reason Reason) {
	*s = slices.DeleteFunc(*s, func(skip Skip) bool { return skip.Reason == reason })
}

// First returns the reason with the highest priority, which is the lowest Reason. For an empty
// list, it returns the zero Skip, whose reason is Listed.
func (s Skips) First() (first Skip) {
	for _, skip := range s {
		if first.Reason == Listed || skip.Reason < first.Reason {
			first = skip
		}
	}
	return first
}

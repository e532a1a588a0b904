package page

import (
	"slices"

	"github.com/sitewalk/sitewalk/diag"
)

// A Skip is a reason to leave a page out, with its position and its text as written.
type Skip struct {
	Reason Reason
	Pos    diag.Pos
	Note   string
}

// Skips contains all reasons of one source to leave a page out, each once, in the order in which
// they were found.
type Skips []Skip

// Add adds a reason. If the list already contains the reason, Add does nothing.
func (s *Skips) Add(reason Reason, pos diag.Pos, note string) {
	if !s.Has(reason) {
		*s = append(*s, Skip{reason, pos, note})
	}
}

// Has reports whether the list contains a reason.
func (s Skips) Has(reason Reason) bool {
	return slices.ContainsFunc(s, func(skip Skip) bool { return skip.Reason == reason })
}

// Remove removes a reason.
func (s *Skips) Remove(reason Reason) {
	*s = slices.DeleteFunc(*s, func(skip Skip) bool { return skip.Reason == reason })
}

// First returns the reason with the highest priority, which is the lowest Reason. If the list is
// empty, it returns a Skip with the reason Listed.
func (s Skips) First() (first Skip) {
	for _, skip := range s {
		if first.Reason == Listed || skip.Reason < first.Reason {
			first = skip
		}
	}
	return first
}

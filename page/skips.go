package page

import (
	"slices"

	"github.com/sitewalk/sitewalk/diag"
)

// A Skip is a reason of one source for leaving a page out, with its place and its text.
type Skip struct {
	Reason Reason
	Pos    diag.Pos
	Note   string
}

// Skips are all reasons of one source for leaving a page out, each once, in the order of the source.
type Skips []Skip

// Add adds a reason. If the list already has the reason, Add does nothing.
func (s *Skips) Add(reason Reason, pos diag.Pos, note string) {
	if !s.Has(reason) {
		*s = append(*s, Skip{reason, pos, note})
	}
}

// Has reports whether the list has a reason.
func (s Skips) Has(reason Reason) bool {
	return slices.ContainsFunc(s, func(skip Skip) bool { return skip.Reason == reason })
}

// Remove removes a reason.
func (s *Skips) Remove(reason Reason) {
	*s = slices.DeleteFunc(*s, func(skip Skip) bool { return skip.Reason == reason })
}

// First returns the entry whose reason comes first in the order of the reasons. If the list is empty,
// First returns a Skip with the reason Listed.
func (s Skips) First() (first Skip) {
	for _, skip := range s {
		if first.Reason == Listed || skip.Reason < first.Reason {
			first = skip
		}
	}
	return first
}

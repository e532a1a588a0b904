package diag

import "slices"

// LevelNames are the words for what becomes of the findings of a code, the mildest first:
// off drops them, the others are severities.
var LevelNames = []string{"off", "note", "warning", "error"}

// Levels are the words that the user has set, by code.
type Levels map[string]string

// of returns the severity that a finding gets, and whether it stays.
func (l Levels) of(code string, s Severity) (Severity, bool) {
	level, set := l[code]
	if !set {
		return s, true
	}
	i := slices.Index(LevelNames, level)
	return Severity(max(i-1, 0)), i > 0
}

// Apply returns the findings that stay, at their levels.
func (l Levels) Apply(ds List) (out List) {
	for _, d := range ds {
		s, stays := l.of(d.Code, d.Severity)
		if d.Severity = s; stays {
			out = append(out, d)
		}
	}
	return out
}

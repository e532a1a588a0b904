package diag

import "slices"

// A Level is what becomes of the findings of a code: a Severity, or Off.
type Level int8

// Off drops findings.
const Off Level = -1

// LevelNames are the words for levels, the mildest first.
var LevelNames = []string{"off", "note", "warning", "error"}

// ParseLevel returns the level of a word.
func ParseLevel(word string) (Level, bool) {
	i := slices.Index(LevelNames, word)
	return Level(i) + Off, i >= 0
}

// Levels are those that the user has set, by code.
type Levels map[string]Level

// of returns the severity that a finding gets, and whether it stays.
func (l Levels) of(code string, s Severity) (Severity, bool) {
	level, set := l[code]
	if !set {
		return s, true
	}
	return Severity(max(level, 0)), level != Off
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

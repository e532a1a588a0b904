package diag

import "slices"

// LevelNames lists the levels that a user can set for a code, in ascending order. The level "off"
// drops all findings of the code; the other levels are severities.
var LevelNames = []string{"off", "note", "warning", "error"}

// Levels maps a code such as "duplicate-url" to the name of its configured level, such as "off".
type Levels map[string]string

// configuredSeverity returns the severity of a finding with the code. s is the severity that the
// finding has without configuration. keep is false if the level of the code is "off".
func (l Levels) configuredSeverity(code string, s Severity) (configured Severity, keep bool) {
	level, set := l[code]
	if !set {
		return s, true
	}
	i := slices.Index(LevelNames, level)
	return Severity(max(i-1, 0)), i > 0
}

// Apply returns a copy of the findings with their configured severities. It drops findings whose
// code is set to "off".
func (l Levels) Apply(ds List) (out List) {
	for _, d := range ds {
		s, stays := l.configuredSeverity(d.Code, d.Severity)
		if d.Severity = s; stays {
			out = append(out, d)
		}
	}
	return out
}

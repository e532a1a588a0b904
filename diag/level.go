package diag

import "slices"

// LevelNames lists the levels of a code in ascending order: "off" drops the findings, the others
// are severities.
var LevelNames = []string{"off", "note", "warning", "error"}

// Levels maps a code to the level that the user configured.
type Levels map[string]string

// levelOf returns the severity of a finding according to the levels. It returns false if the
// finding is dropped.
func (l Levels) levelOf(code string, s Severity) (Severity, bool) {
	level, set := l[code]
	if !set {
		return s, true
	}
	i := slices.Index(LevelNames, level)
	return Severity(max(i-1, 0)), i > 0
}

// Apply returns the findings with their configured severities, without the dropped ones.
func (l Levels) Apply(ds List) (out List) {
	for _, d := range ds {
		s, stays := l.levelOf(d.Code, d.Severity)
		if d.Severity = s; stays {
			out = append(out, d)
		}
	}
	return out
}

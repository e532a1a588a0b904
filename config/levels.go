package config

import (
	"maps"
	"slices"

	"github.com/sitewalk/sitewalk/docs"
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// levels reads how much the findings of each code matter to the user.
func (r *resolver) levels() {
	r.s.Findings = diag.Levels{}
	for _, code := range slices.Sorted(maps.Keys(r.file.Findings)) {
		v := r.file.Findings[code]
		c := choice{text: text{V: string(v.V), Pos: v.Pos}, who: "findings." + code, by: "file"}
		if c.V == "false" {
			c.V = "off"
		}
		if !r.knownCode(c, code) {
			continue
		}
		if level, ok := diag.ParseLevel(r.oneOf(c, "", diag.LevelNames...)); ok {
			r.s.Findings[code] = level
			r.origin(c.who, c.V, "file", v.Pos)
		}
	}
}

// knownCode reports a code that no finding has.
func (r *resolver) knownCode(c choice, code string) bool {
	var names []string
	for _, known := range docs.Codes() {
		names = append(names, known.Name)
	}
	if slices.Contains(names, code) {
		return true
	}
	guess := "docs/diagnostics.md lists them"
	if near := strict.Nearest(code, names); near != "" {
		guess = "did you mean " + near + "?"
	}
	r.reject(c, "bad-value", "sets a code that no finding has; %s", guess)
	return false
}

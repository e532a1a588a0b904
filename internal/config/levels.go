package config

import (
	"maps"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/strict"
)

// resolveFindingLevels sets the levels of finding codes, such as bad-date=off. The --level flag and
// its environment variable override the settings file.
func (r *resolver) resolveFindingLevels() {
	for _, code := range slices.Sorted(maps.Keys(r.file.Findings)) {
		v := r.file.Findings[code]
		r.setLevel(fileChoice("findings."+code, text{V: string(v.V), Pos: v.Pos}), code)
	}
	typed := r.lookUpSetting("findings", text{})
	for _, t := range splitWords(typed.V) {
		code, level, hasLevel := strings.Cut(t, "=")
		if !hasLevel {
			r.rejectValue(choice{who: typed.who, by: typed.by}, "bad-value", "%q names no level; write CODE=LEVEL, as in bad-date=off", t)
			continue
		}
		r.setLevel(choice{text: text{V: level}, who: typed.who + " " + code, by: typed.by, why: typed.why + " " + code}, code)
	}
}

// setLevel sets the level of all findings with the given code to c.V. It rejects an unknown code or
// level.
func (r *resolver) setLevel(c choice, code string) {
	if c.V == "false" {
		c.V = "off"
	}
	if !r.checkCode(c, code) {
		return
	}
	if level := r.checkWord(c, diag.LevelNames); level != "" {
		r.settings.Findings[code] = level
		key := "findings." + code
		r.settings.Origins = slices.DeleteFunc(r.settings.Origins, func(o Origin) bool { return o.Key == key }) // the origin in the settings file
		r.recordOrigin(key, c.V, c.by, c.Pos, c.why)
	}
}

// checkCode reports whether code is the code of a finding, such as "bad-date". If it is not,
// checkCode rejects c, the setting that contains the code.
func (r *resolver) checkCode(c choice, code string) bool {
	var names []string
	for _, one := range report.Codes() {
		if one.Name == code {
			return true
		}
		names = append(names, one.Name)
	}
	guess := "https://github.com/sitewalk/sitewalk/blob/main/docs/diagnostics.md lists them"
	if near := strict.NearestWord(code, names); near != "" {
		guess = "did you mean " + near + "?"
	}
	r.rejectValue(c, "bad-value", "sets a code that no finding has; %s", guess)
	return false
}

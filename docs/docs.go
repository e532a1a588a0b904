// Package docs carries those pages of the manual that the program itself speaks
// from, so that nothing is said twice.
//
// It refuses to know what the program does.
//
// Promised to importers before version 1: nothing; it is for the program alone.
package docs

import (
	_ "embed"
	"regexp"
	"strings"
	"sync"
)

//go:embed diagnostics.md
var diagnostics string

// A Code is one row of diagnostics.md, as plain text.
type Code struct {
	Name     string // "duplicate-url"
	Severity string // "warning", or several: "error, warning"
	Meaning  string
	Remedy   string // what to do
}

// Codes returns the codes of all findings, sorted by name.
var Codes = sync.OnceValue(func() (codes []Code) {
	row := regexp.MustCompile("(?m)^\\| \\[?`([a-z0-9-]+)`.*? \\| ([a-z, ]+) \\| (.+) \\| (.+) \\|$")
	text := strings.NewReplacer("`", "", `\|`, "|")
	for _, m := range row.FindAllStringSubmatch(diagnostics, -1) {
		codes = append(codes, Code{m[1], m[2], text.Replace(m[3]), text.Replace(m[4])})
	}
	return codes
})

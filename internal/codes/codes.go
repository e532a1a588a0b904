// Package codes is the table of docs/diagnostics.md for the program: what the findings of
// each code mean, and what to do.
//
// It refuses to know how a finding comes about.
package codes

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

//go:embed codes.txt
var table string

// A Code is one row of the table, as plain text.
type Code struct {
	Name     string // "duplicate-url"
	Severity string // "warning", or several: "error, warning"
	Meaning  string
	Remedy   string // what to do; empty if the finding itself says it
}

// All returns the codes of all findings, sorted by name.
var All = sync.OnceValue(func() (all []Code) {
	for row := range strings.Lines(table) {
		f := strings.SplitN(strings.TrimSuffix(row, "\n"), "\t", 4)
		all = append(all, Code{f[0], f[1], f[2], f[3]})
	}
	return all
})

// Of returns the row of a code, the zero Code if there is none.
func Of(name string) (c Code) {
	if i, ok := slices.BinarySearchFunc(All(), name, func(c Code, name string) int { return strings.Compare(c.Name, name) }); ok {
		c = All()[i]
	}
	return c
}

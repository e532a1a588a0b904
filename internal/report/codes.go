package report

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// codeTable is the table of docs/diagnostics.md as plain text: the meaning of each code, and what to
// do.
//
//go:embed codes.txt
var codeTable string

// A Code is one row of codeTable.
type Code struct {
	Name     string // "duplicate-url"
	Severity string // "warning", or several: "error, warning"
	Meaning  string
	Remedy   string // what to do; empty if the finding itself says it
}

// Codes returns the codes of all findings, sorted by name.
var Codes = sync.OnceValue(func() (all []Code) {
	for row := range strings.Lines(codeTable) {
		f := strings.SplitN(strings.TrimSuffix(row, "\n"), "\t", 4)
		all = append(all, Code{f[0], f[1], f[2], f[3]})
	}
	return all
})

// CodeOf returns the row of a code, or the zero Code.
func CodeOf(name string) (c Code) {
	if i, ok := slices.BinarySearchFunc(Codes(), name, func(c Code, name string) int { return strings.Compare(c.Name, name) }); ok {
		c = Codes()[i]
	}
	return c
}

package report

import (
	_ "embed"
	"slices"
	"strings"
	"sync"
)

// codeTable describes all codes of findings. It is the table in docs/diagnostics.md as
// tab-separated text. The columns are the fields of Code.
//
//go:embed codes.txt
var codeTable string

// A Code describes a code of findings, such as "duplicate-url". It is a line of codeTable.
type Code struct {
	Name     string // "duplicate-url"
	Severity string // name of the severity, or several names: "error, warning"
	Meaning  string
	Remedy   string // advice for the user; "" if the hints of the findings contain it
}

// Codes returns the descriptions of all codes, sorted by name.
var Codes = sync.OnceValue(func() (all []Code) {
	for row := range strings.Lines(codeTable) {
		f := strings.SplitN(strings.TrimSuffix(row, "\n"), "\t", 4)
		all = append(all, Code{f[0], f[1], f[2], f[3]})
	}
	return all
})

// FindCode returns the description of the code with this name, or the zero Code if there is no such
// code.
func FindCode(name string) (c Code) {
	if i, ok := slices.BinarySearchFunc(Codes(), name, func(c Code, name string) int { return strings.Compare(c.Name, name) }); ok {
		c = Codes()[i]
	}
	return c
}

// Package diag is how every part of sitewalk says what is wrong with a user's
// files, and where: a Diagnostic is one finding, and a Report keeps the first of
// each code and counts the rest.
//
// It refuses to print.
//
// Promised to importers before version 1: what a code means stays; names may change with a
// minor version.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Pos is a place in a user's file. The zero Pos is no place at all.
type Pos struct {
	File string `json:"file,omitempty"`   // as the user would type it, slash-separated where it is below a tree
	Line int    `json:"line,omitempty"`   // from 1; 0 is the file as a whole
	Col  int    `json:"column,omitempty"` // in bytes, from 1; 0 is the line as a whole
}

// String returns "file:line:col", leaving out what is not known.
func (p Pos) String() string {
	s := p.File
	if p.Line > 0 {
		s += ":" + strconv.Itoa(p.Line)
		if p.Col > 0 {
			s += ":" + strconv.Itoa(p.Col)
		}
	}
	return s
}

// A Severity says how much a finding matters. Only an Error in sitemap.yaml stops a build.
type Severity uint8

// The severities, the mildest first.
const (
	Note    Severity = iota // worth knowing; nothing is wrong; --strict does not count it
	Warning                 // the sitemap is right without it, but the user meant something else
	Error                   // something the user wrote could not be used
)

// String returns the word that stands in a printed finding.
func (s Severity) String() string { return LevelNames[1+s] }

// MarshalText returns the same word for JSON.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A Diagnostic is one finding about a user's file: "file:line:col: severity:
// message [code]" and a hint that names the next step.
type Diagnostic struct {
	Pos      Pos      `json:"pos"`
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`           // names the trouble, not the check: "duplicate-url"
	Message  string   `json:"message"`        // lower case, no full stop, the user's own text quoted with %q
	Hint     string   `json:"hint,omitempty"` // what to do next; may be empty

	// Subject is the URL, file or reference that the finding is about, where that
	// is more than the file of Pos. Together with the code and the file it tells
	// the finding from others, today and after the next edit, so it holds no line
	// number, no count and no date.
	Subject string `json:"subject,omitempty"`
	// Source is the place in the content file that the page at Pos is made of,
	// when that is known: there the trouble can be fixed.
	Source Pos `json:"source,omitzero"`
	// Places are further places of the same trouble, where each is to be known.
	Places []Pos `json:"places,omitempty"`

	// Cause is equal for findings of one code that have one cause, such as the tool that
	// wrote all of them; "" is a cause of its own. Of many with one cause, people see one.
	Cause string `json:"-"`

	// Anywhere says that the finding is known by code and subject alone: the file
	// of Pos is only the first of those that have the trouble.
	Anywhere bool `json:"-"`
}

// Place is where the trouble can be fixed, as far as it is known.
func (d Diagnostic) Place() Pos {
	if d.Source != (Pos{}) {
		return d.Source
	}
	return d.Pos
}

// String returns the finding on one line, without its hint.
func (d Diagnostic) String() string {
	var b strings.Builder
	if d.Pos != (Pos{}) {
		b.WriteString(d.Pos.String())
		b.WriteString(": ")
	}
	fmt.Fprintf(&b, "%s: %s [%s]", d.Severity, d.Message, d.Code)
	return b.String()
}

// Compare orders findings by file, line, column, code and message.
func Compare(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(a.Pos.File, b.Pos.File),
		cmp.Compare(a.Pos.Line, b.Pos.Line),
		cmp.Compare(a.Pos.Col, b.Pos.Col),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Message, b.Message),
		cmp.Compare(a.Severity, b.Severity),
		cmp.Compare(a.Hint, b.Hint),
		cmp.Compare(a.Subject, b.Subject),
	)
}

// Notef returns a note.
func Notef(pos Pos, code, hint, format string, args ...any) Diagnostic {
	return Diagnostic{Pos: pos, Severity: Note, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// Warnf returns a warning.
func Warnf(pos Pos, code, hint, format string, args ...any) Diagnostic {
	return Diagnostic{Pos: pos, Severity: Warning, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// Errorf returns an error.
func Errorf(pos Pos, code, hint, format string, args ...any) Diagnostic {
	return Diagnostic{Pos: pos, Severity: Error, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// About returns the finding with its subject.
func (d Diagnostic) About(subject string) Diagnostic {
	d.Subject = subject
	return d
}

// Because returns the finding with its cause.
func (d Diagnostic) Because(cause string) Diagnostic {
	d.Cause = cause
	return d
}

// A List is findings in any order.
type List []Diagnostic

// Notef, Warnf and Errorf add one finding to the list. What they return is that
// finding, for its Subject to be set before the next is added.
func (l *List) Notef(pos Pos, code, hint, format string, args ...any) *Diagnostic {
	return l.add(Notef(pos, code, hint, format, args...))
}

// Warnf adds a warning; see Notef.
func (l *List) Warnf(pos Pos, code, hint, format string, args ...any) *Diagnostic {
	return l.add(Warnf(pos, code, hint, format, args...))
}

// Errorf adds an error; see Notef.
func (l *List) Errorf(pos Pos, code, hint, format string, args ...any) *Diagnostic {
	return l.add(Errorf(pos, code, hint, format, args...))
}

func (l *List) add(d Diagnostic) *Diagnostic {
	*l = append(*l, d)
	return &(*l)[len(*l)-1]
}

// Sorted returns the findings in the order of Compare, each once.
func (l List) Sorted() List {
	same := func(a, b Diagnostic) bool { return Compare(a, b) == 0 }
	return slices.CompactFunc(slices.SortedFunc(slices.Values(l), Compare), same)
}

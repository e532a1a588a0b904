// Package diag describes problems in a user's files. A Diagnostic is one finding with its
// position. A Report collects findings, keeps the first few of each code and counts the rest.
//
// The package does not print.
//
// Promised to importers before version 1: the meaning of a code stays. Names may change with a
// minor version.
package diag

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Pos is a position in a user's file. The zero Pos is no position.
type Pos struct {
	File string `json:"file,omitempty"`   // as the user would type it, slash-separated where it is below a tree
	Line int    `json:"line,omitempty"`   // from 1; 0 is the file as a whole
	Col  int    `json:"column,omitempty"` // in bytes, from 1; 0 is the line as a whole
}

// String returns "file:line:col" without the unknown parts.
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

// A Severity is the importance of a finding. Only an Error in sitemap.yaml stops a build.
type Severity uint8

// The severities, in ascending order.
const (
	Note    Severity = iota // worth knowing; nothing is wrong; --strict does not count it
	Warning                 // the sitemap is right without it, but the user meant something else
	Error                   // something the user wrote could not be used
)

// String returns the name of the severity, as printed with a finding.
func (s Severity) String() string { return LevelNames[1+s] }

// MarshalText returns the name of the severity for JSON.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A Diagnostic is one finding about a user's file: "file:line:col: severity:
// message [code]" and a hint that names the next step.
type Diagnostic struct {
	Pos      Pos      `json:"pos"`
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`           // names the trouble, not the check: "duplicate-url"
	Message  string   `json:"message"`        // lower case, no full stop, the user's own text quoted with %q
	Hint     string   `json:"hint,omitempty"` // what to do next; may be empty

	// Subject is the URL, file or reference that the finding is about, unless that is the file of
	// Pos. Code, file and subject identify a finding across edits, so Subject contains no line
	// number, no count and no date.
	Subject string `json:"subject,omitempty"`
	// Source is the position in the content file of the page at Pos, if known. The problem can be
	// fixed there.
	Source Pos `json:"source,omitzero"`
	// Places are further positions of the same problem.
	Places []Pos `json:"places,omitempty"`

	// Cause is equal for findings of one code with a common cause, such as the tool that wrote all
	// of them. Reports show one of these findings. "" means that the finding shares its cause with
	// no other.
	Cause string `json:"-"`

	// Anywhere reports that code and subject alone identify the finding. The file of Pos is only
	// the first file with the problem.
	Anywhere bool `json:"-"`
}

// Place returns the position where the problem can be fixed: Source if it is known, otherwise Pos.
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

// About returns a copy of the finding with a subject.
func (d Diagnostic) About(subject string) Diagnostic {
	d.Subject = subject
	return d
}

// Because returns a copy of the finding with a cause.
func (d Diagnostic) Because(cause string) Diagnostic {
	d.Cause = cause
	return d
}

// A List is a list of findings in any order.
type List []Diagnostic

// Notef adds a note. It returns the added finding, so that the caller can set its Subject before
// the next call.
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

// Sorted returns the findings in the order of Compare, without duplicates.
func (l List) Sorted() List {
	same := func(a, b Diagnostic) bool { return Compare(a, b) == 0 }
	return slices.CompactFunc(slices.SortedFunc(slices.Values(l), Compare), same)
}

// Package diag describes problems in a user's files. A Diagnostic is one finding with its
// position. A Report collects findings, keeps the first few of each code and counts the rest. The
// package does not print.
//
// Promised to importers before version 1: the meaning of a code does not change. A minor
// version may rename identifiers.
package diag

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// A Pos is a position in a file of the user or at a URL. The zero Pos means that the position is
// unknown.
type Pos struct {
	File string `json:"file,omitempty"`   // path as the user would type it, with slashes, such as "content/about.md"; or a URL
	Line int    `json:"line,omitempty"`   // line number, counted from 1; 0 means the whole file
	Col  int    `json:"column,omitempty"` // column in bytes, counted from 1; 0 means the whole line
}

// String returns "file:line:col". It omits the line if Line is 0, and the column if Line or Col is
// 0.
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

// A Severity is the importance of a finding. Only an Error about the settings file stops a build.
type Severity uint8

// The severities in ascending order.
const (
	Note    Severity = iota // information; nothing is wrong, and --strict does not count it
	Warning                 // the sitemap is correct, but the user probably meant something else
	Error                   // something could not be used, or is broken, such as a link
)

// String returns the name of the severity: "note", "warning" or "error".
func (s Severity) String() string { return LevelNames[1+s] }

// MarshalText returns the name of the severity, so JSON contains "warning" and not a number.
func (s Severity) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// A Diagnostic is one finding about a file of the user or a URL. It is printed as "file:line:col:
// severity: message [code]", followed by the hint.
type Diagnostic struct {
	Pos      Pos      `json:"pos"`
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`           // name of the problem: "duplicate-url"
	Message  string   `json:"message"`        // lower case, without a full stop; text of the user is quoted with %q
	Hint     string   `json:"hint,omitempty"` // the next step for the user; "" if there is none

	// Subject is the URL, file or reference that the finding is about. It is "" if the finding is
	// about the file of Pos. Subject contains no line number, count or date, because Code, file
	// and Subject must identify the finding across edits.
	Subject string `json:"subject,omitempty"`
	// Source is the position in the content file from which the page at Pos was generated. The
	// user can fix the problem there. The zero Pos means that the content file is unknown.
	Source Pos `json:"source,omitzero"`
	// Places are further positions of the same problem. They may repeat Pos.
	Places []Pos `json:"places,omitempty"`

	// Cause is a text that findings of the same code share if they have the same cause, such as the
	// reason why a URL is misspelt. The terminal shows many findings with the same Cause as a
	// single finding with a count. If Cause is "", Message takes its place.
	Cause string `json:"-"`

	// Anywhere is true if the problem does not belong to a single file, such as a dead link in
	// several files. Pos is then only the first of the positions, and Code and Subject alone
	// identify the finding.
	Anywhere bool `json:"-"`
}

// PositionToFix returns the position where the user can fix the problem: Source if it is known,
// otherwise Pos.
func (d Diagnostic) PositionToFix() Pos {
	if d.Source != (Pos{}) {
		return d.Source
	}
	return d.Pos
}

// String returns "file:line:col: severity: message [code]". It does not include the hint.
func (d Diagnostic) String() string {
	var b strings.Builder
	if d.Pos != (Pos{}) {
		b.WriteString(d.Pos.String())
		b.WriteString(": ")
	}
	fmt.Fprintf(&b, "%s: %s [%s]", d.Severity, d.Message, d.Code)
	return b.String()
}

// Compare orders findings by file, line, column, code and message, and then by severity, hint and
// subject. It ignores all other fields. It returns -1, 0 or 1.
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

// Notef returns a finding with severity Note. fmt.Sprintf formats the message.
func Notef(pos Pos, code, hint, format string, args ...any) Diagnostic {
	return Diagnostic{Pos: pos, Severity: Note, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// Warnf returns a finding with severity Warning. fmt.Sprintf formats the message.
func Warnf(pos Pos, code, hint, format string, args ...any) Diagnostic {
	return Diagnostic{Pos: pos, Severity: Warning, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// Errorf returns a finding with severity Error. fmt.Sprintf formats the message.
func Errorf(pos Pos, code, hint, format string, args ...any) Diagnostic {
	return Diagnostic{Pos: pos, Severity: Error, Code: code, Message: fmt.Sprintf(format, args...), Hint: hint}
}

// About returns a copy of the finding with its Subject set.
func (d Diagnostic) About(subject string) Diagnostic {
	d.Subject = subject
	return d
}

// Because returns a copy of the finding with its Cause set.
func (d Diagnostic) Because(cause string) Diagnostic {
	d.Cause = cause
	return d
}

// A List is a list of findings, not necessarily sorted.
type List []Diagnostic

// Notef appends a note to the list. It returns a pointer to the note, so that the caller can set
// more fields. The pointer is valid until the next call that appends.
func (l *List) Notef(pos Pos, code, hint, format string, args ...any) *Diagnostic {
	return l.add(Notef(pos, code, hint, format, args...))
}

// Warnf appends a warning to the list and returns a pointer to it; see Notef.
func (l *List) Warnf(pos Pos, code, hint, format string, args ...any) *Diagnostic {
	return l.add(Warnf(pos, code, hint, format, args...))
}

// Errorf appends an error to the list and returns a pointer to it; see Notef.
func (l *List) Errorf(pos Pos, code, hint, format string, args ...any) *Diagnostic {
	return l.add(Errorf(pos, code, hint, format, args...))
}

func (l *List) add(d Diagnostic) *Diagnostic {
	*l = append(*l, d)
	return &(*l)[len(*l)-1]
}

// Sorted returns a sorted copy of the list, in the order of Compare and without duplicates.
func (l List) Sorted() List {
	same := func(a, b Diagnostic) bool { return Compare(a, b) == 0 }
	return slices.CompactFunc(slices.SortedFunc(slices.Values(l), Compare), same)
}

// An Identity identifies a finding in baselines and reports. It stays the same when the problem
// moves to another line.
type Identity struct {
	Code, File, Subject string
}

// Identity returns the identity of the finding. relativeName converts the name of the file, for
// example to a path relative to the folder of a baseline. If Anywhere is set, the identity has no
// file.
func (d Diagnostic) Identity(relativeName func(file string) string) Identity {
	id := Identity{Code: d.Code, Subject: d.Subject}
	if d.Pos.File != "" && !d.Anywhere {
		id.File = relativeName(d.Pos.File)
	}
	return id
}

// Fingerprint returns a hash of the identity as 32 hexadecimal digits. nth distinguishes findings
// with the same identity: it is 0 for the first of them.
func (i Identity) Fingerprint(nth int) string {
	h := sha256.New()
	for _, s := range []string{i.Code, i.File, i.Subject} {
		h.Write(append([]byte(s), 0))
	}
	h.Write([]byte{byte(nth), byte(nth >> 8), byte(nth >> 16)})
	return hex.EncodeToString(h.Sum(nil)[:16])
}

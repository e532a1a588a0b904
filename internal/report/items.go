package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// An item is one finding in a form for programs.
type item struct {
	diag.Diagnostic
	Place       diag.Pos // place to fix, with a file below the root of the repository
	Fingerprint string   // fingerprint
}

// items returns all findings, the most severe first.
func (r *Report) items(o *Options) []item {
	var out []item
	count := map[diag.Identity]int{}
	for _, k := range r.Findings {
		for _, d := range k.List {
			id := d.Identity(o.Rel)
			out = append(out, item{d, o.place(d), id.Fingerprint(count[id])})
			count[id]++
		}
	}
	slices.SortStableFunc(out, func(a, b item) int {
		return cmp.Or(-cmp.Compare(a.Severity, b.Severity), diag.Compare(a.Diagnostic, b.Diagnostic))
	})
	return out
}

// place returns the place where a finding can be fixed, if it is known.
func (o *Options) place(d diag.Diagnostic) diag.Pos {
	pos := d.Place()
	if pos.File != "" {
		pos.File = o.Rel(pos.File)
	}
	return pos
}

// message returns the message of a finding, its built file if Place is another file, and its hint, in
// one line.
func (it *item) message() string {
	s := it.Message
	if it.Source.File != "" && it.Pos.File != "" {
		s += " (" + it.Pos.String() + ")"
	}
	if it.Hint != "" {
		s += "; " + it.Hint
	}
	return diag.Plain(s)
}

// isFailure reports whether findings of a severity make the command fail.
func (r *Report) isFailure(s diag.Severity) bool { return r.FailsAt != nil && s >= *r.FailsAt }

// oneLine joins the lines of a text.
func oneLine(s string) string {
	return diag.Plain(strings.Join(strings.Fields(s), " "))
}

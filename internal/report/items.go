package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// An item is one finding, prepared for the forms for programs.
type item struct {
	diag.Diagnostic
	Place       diag.Pos // position to fix; its file is relative to the root of the repository
	Fingerprint string   // hash that identifies the finding across runs
}

// items returns all findings as items, the most severe first.
func (r *Report) items(o *Options) []item {
	var out []item
	count := map[diag.Identity]int{}
	for _, k := range r.Findings {
		for _, d := range k.List {
			id := d.Identity(o.Rel)
			out = append(out, item{d, o.placeOf(d), id.Fingerprint(count[id])})
			count[id]++
		}
	}
	slices.SortStableFunc(out, func(a, b item) int {
		return cmp.Or(-cmp.Compare(a.Severity, b.Severity), diag.Compare(a.Diagnostic, b.Diagnostic))
	})
	return out
}

// placeOf returns the position where a finding can be fixed, with its file relative to the root of
// the repository.
func (o *Options) placeOf(d diag.Diagnostic) diag.Pos {
	pos := d.PositionToFix()
	if pos.File != "" {
		pos.File = o.Rel(pos.File)
	}
	return pos
}

// message returns the message and the hint of a finding in one line. If the content file is the
// position to fix, the line also names the built file.
func (i *item) message() string {
	s := i.Message
	if i.Source.File != "" && i.Pos.File != "" {
		s += " (" + i.Pos.String() + ")"
	}
	if i.Hint != "" {
		s += "; " + i.Hint
	}
	return diag.Plain(s)
}

// failsCommand reports whether a finding with the severity s makes the command fail.
func (r *Report) failsCommand(s diag.Severity) bool { return r.FailsAt != nil && s >= *r.FailsAt }

// oneLine joins the lines of s with spaces and escapes special characters.
func oneLine(s string) string {
	return diag.Plain(strings.Join(strings.Fields(s), " "))
}

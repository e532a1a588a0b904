package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
)

// An item is a finding, with additional values that forms such as SARIF need.
type item struct {
	diag.Diagnostic
	Place       diag.Pos // position to fix; its file is relative to the root of the repository
	Fingerprint string   // hash that identifies the finding across runs
}

// items returns an item for each finding, the most severe finding first.
func (r *Report) items(o *Options) []item {
	var out []item
	count := map[diag.Identity]int{}
	for _, k := range r.Findings {
		for _, d := range k.List {
			id := d.Identity(o.Rel)
			out = append(out, item{d, o.positionToFix(d), id.Fingerprint(count[id])})
			count[id]++
		}
	}
	slices.SortStableFunc(out, func(a, b item) int {
		return cmp.Or(-cmp.Compare(a.Severity, b.Severity), diag.Compare(a.Diagnostic, b.Diagnostic))
	})
	return out
}

// positionToFix returns the position at which the finding d can be fixed. Its file is relative to
// the root of the repository.
func (o *Options) positionToFix(d diag.Diagnostic) diag.Pos {
	pos := d.PositionToFix()
	if pos.File != "" {
		pos.File = o.Rel(pos.File)
	}
	return pos
}

// messageWithHint returns the message and the hint of a finding in one line. If the finding has a
// content file as its Source, the line also names the built file.
func (i *item) messageWithHint() string {
	s := i.Message
	if i.Source.File != "" && i.Pos.File != "" {
		s += " (" + i.Pos.String() + ")"
	}
	if i.Hint != "" {
		s += "; " + i.Hint
	}
	return diag.Plain(s)
}

// isFailureSeverity reports whether a finding with the severity s makes the command fail.
func (r *Report) isFailureSeverity(s diag.Severity) bool { return r.FailsAt != nil && s >= *r.FailsAt }

// oneLine returns s in one line with special characters escaped. Single spaces replace line breaks.
func oneLine(s string) string {
	return diag.Plain(strings.Join(strings.Fields(s), " "))
}

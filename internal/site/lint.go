package site

import (
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/page"
)

// A linter reports on one result.
type linter struct {
	*Result
	o        *Options
	findings *diag.Report
}

// Lint returns the findings of a result together with those on its site as a whole, and
// the causes that leave out more of the site than most says.
func Lint(r *Result, most MaxLoss) (_ *diag.Report, causes []Collapse) {
	o := &r.World.Options
	l := &linter{r, o, &diag.Report{Keep: o.Findings}}
	l.findings.Merge(r.Findings)
	l.files()
	l.stalePages()
	if o.Pages != nil && len(o.Versions.Names)+len(r.World.Versions) > 0 {
		l.versions()
	}
	out := slices.ContainsFunc(r.ReasonCounts[page.Listed+1:], func(pages int) bool { return pages > 0 })
	if out || r.Canonicals.Targets != nil {
		causes = l.collapses(most)
	}
	if len(causes) == 0 && r.Gaps != nil {
		r.Gaps.Report(l.findings)
	}
	if slices.Contains(r.Hits, 0) {
		l.unusedRules()
	}
	if len(o.Languages) > 0 {
		l.emptyLanguages()
	}
	if o.Pages != nil && o.Content != nil {
		l.nameContents()
	}
	return l.findings, causes
}

// nameContents names the content file of each page that a finding is about. In a
// content tree the finding names it itself.
func (l *linter) nameContents() {
	l.findings.Each(func(d *diag.Diagnostic) {
		file, in := l.o.Pages.FileOf(d.Pos.File)
		if r := l.Page(file); in && r != nil && r.Content != nil {
			d.Source = l.World.ContentPos(r)
		}
	})
}

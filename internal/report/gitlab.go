package report

import (
	"cmp"
	"io"

	"github.com/sitewalk/sitewalk/diag"
)

// A gitlabIssue is one finding in GitLab's Code Quality format.
// See https://docs.gitlab.com/ci/testing/code_quality/#code-quality-report-format
type gitlabIssue struct {
	Description string `json:"description"`
	CheckName   string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}

// gitlabSeverities maps a severity to its name in GitLab.
var gitlabSeverities = [...]string{diag.Note: "info", diag.Warning: "minor", diag.Error: "major"}

func writeGitLab(w io.Writer, r *Report, o *Options) error {
	entries := []gitlabIssue{}
	if r.Error != "" {
		q := gitlabIssue{Description: oneLine(r.Error), CheckName: r.Command, Severity: "blocker"}
		q.Fingerprint = diag.Identity{Code: r.Command, Subject: r.Error}.Fingerprint(0)
		q.setPosition(diag.Pos{})
		entries = append(entries, q)
	}
	for _, it := range r.items(o) {
		q := gitlabIssue{Description: it.messageWithHint(), CheckName: it.Code, Fingerprint: it.Fingerprint, Severity: gitlabSeverities[it.Severity]}
		q.setPosition(it.Place)
		entries = append(entries, q)
	}
	e := NewTerminalSafeEncoder(w)
	e.SetIndent("", "  ")
	return e.Encode(entries)
}

// setPosition sets the position of the issue. GitLab requires a file and a line: a position without
// a file gets fallbackFile, and a position without a line gets line 1.
func (g *gitlabIssue) setPosition(pos diag.Pos) {
	g.Location.Path, g.Location.Lines.Begin = cmp.Or(pos.File, fallbackFile), max(pos.Line, 1)
}

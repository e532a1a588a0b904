// Package report writes the result of a command in several forms, for people and for programs.
//
// A command fills a [Report]. [Requests.Write] writes the report in each requested form. All forms
// have the same content. A change that is a problem must be a finding, too, because the forms for
// programs have findings only.
package report

import (
	"maps"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
)

// Version is the version of the JSON that docs/json.md describes. It changes if a field changes its
// meaning or is removed.
const Version = 1

// MaxFindings is how many findings of one code a report has. The counts have all findings. GitHub
// accepts as many results in one run of SARIF:
// https://docs.github.com/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
const MaxFindings = 25_000

// A Report is the result of one run of a command.
type Report struct {
	Command string // "build", "check", "diff"
	Base    string // the base URL, with a slash at its end; "" if it is not known
	Error   string // the reason why the command failed; "" if it did not

	Findings []diag.Kind // after levels and baseline are applied
	Accepted int         // number of findings in the baseline
	Fixed    []string    // findings of the baseline that are fixed, one a line

	// FailsAt is the lowest severity that makes the command fail; nil if no finding does.
	FailsAt *diag.Severity

	Changes *Changes // of diff, and of a build after another one
	Pages   []Page   // in and out; nil when no form asks for them
	Live    string   // how many addresses of the live site were asked and right; "" is no visit
	Details any      // a struct: what only this command says
}

// Changes are the differences between two lists.
type Changes struct {
	Old       string   `json:"old"`      // the old list, as the user named it
	New       string   `json:"new"`      // the new list; "" is the configured site
	OldCount  int      `json:"was"`      // URLs in the old list
	NewCount  int      `json:"is"`       // URLs in the new list
	List      []Change `json:"list"`     // by class, then by URL
	Host      string   `json:"host"`     // host in whose notation Fix is; "" if unknown
	Unchanged int      `json:"same"`     // URLs in both lists without a change
	MaxLoss   int      `json:"max_loss"` // number of URLs that may be lost
	// Content reports that the content of the pages was compared, not only their dates.
	Content bool `json:"content"`
	Lost    int  `json:"lost"` // how many are
}

// A Change is the difference between two lists for one URL.
type Change struct {
	Class   string        `json:"class"` // "lost", "moved", …; see docs/guard.md
	Level   diag.Severity `json:"level"` // severity
	URL     string        `json:"url"`
	To      string        `json:"to,omitempty"`     // URL that the URL leads to now
	Served  bool          `json:"served,omitempty"` // URL still serves the page, which is listed at To
	Reason  string        `json:"reason,omitempty"` // reason in words
	Pos     diag.Pos      `json:"pos,omitzero"`     // the file and line that decided
	Source  diag.Pos      `json:"source,omitzero"`  // content file of the page, if known
	Fix     string        `json:"fix,omitempty"`    // lines to paste, in the host's notation
	FixFile string        `json:"in,omitempty"`     // file to paste Fix into
	OldDate string        `json:"was,omitempty"`    // lastmod in the old list
	NewDate string        `json:"is,omitempty"`     // lastmod in the new list
	// Content is the fingerprint of the page's new content, if known.
	Content string `json:"content,omitempty"`
}

// A Page is one page of the site, listed or not.
type Page struct {
	URL     string   `json:"url,omitempty"`
	Listed  bool     `json:"listed"`
	Reason  string   `json:"reason,omitempty"` // by which the page is out: "noindex"
	Why     string   `json:"why,omitempty"`    // what decided that, in words
	Pos     diag.Pos `json:"pos,omitzero"`     // where it is decided
	LastMod string   `json:"lastmod,omitempty"`
	By      string   `json:"lastmod_by,omitempty"` // the source of dates that gave it
	Lang    string   `json:"lang,omitempty"`
	Title   string   `json:"title,omitempty"`
	File    string   `json:"file,omitempty"`    // as the user would type it
	Source  string   `json:"source,omitempty"`  // its content file
	Content string   `json:"content,omitempty"` // the fingerprint of its content, when it was made
}

// A Verdict is the outcome of a command.
type Verdict string

// The verdicts, which are the exit codes 0, 1 and 2.
const (
	Passed Verdict = "passed"
	Failed Verdict = "failed" // the command did its job, and what it found must be fixed
	Broken Verdict = "error"  // it could not do its job
)

// Verdict returns the outcome of the command.
func (r *Report) Verdict() Verdict {
	switch {
	case r.Error != "":
		return Broken
	case r.FailsAt != nil && r.CountAtLeast(*r.FailsAt) > 0:
		return Failed
	}
	return Passed
}

// CountAtLeast returns how many findings of at least the severity there are.
func (r *Report) CountAtLeast(least diag.Severity) int {
	n := 0
	for i := range r.Findings {
		n += r.Findings[i].CountAtLeast(least)
	}
	return n
}

// CountOf returns how many findings of exactly the severity there are.
func (r *Report) CountOf(s diag.Severity) int { return r.CountAtLeast(s) - r.CountAtLeast(s+1) }

// changeCodes maps classes of changes to the codes of their findings. The tables of changes
// replace these findings.
var changeCodes = map[string]string{"lost": "lost-url", "hidden": "hidden-url", "badly moved": "badly-moved"}

// OtherFindings returns the findings that the tables of changes do not contain.
func (r *Report) OtherFindings() []diag.Kind {
	shown := slices.Collect(maps.Values(changeCodes))
	return slices.DeleteFunc(slices.Clone(r.Findings), func(k diag.Kind) bool { return slices.Contains(shown, k.Code) })
}

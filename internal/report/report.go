// Package report writes the result of a command in several forms, for people and for programs.
//
// A command fills a [Report]. [Requests.WriteAll] writes the report in each form that the user
// requested. Forms such as SARIF contain only findings, so a command must report every problem as a
// finding.
package report

import (
	"cmp"
	_ "embed"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/sitewalk/sitewalk/diag"
)

// Version is the version of the JSON format. It increases when a field is removed or when the
// meaning of a field changes.
// See docs/json.md.
const Version = 1

// MaxFindings is the number of findings that a report for programs keeps for each code, unless the
// user asks for all findings. A SARIF file also contains at most MaxFindings results in total,
// because GitHub accepts no more. The counts of a report include all findings. See
// https://docs.github.com/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning
const MaxFindings = 25_000

// A Report is the result of one run of a command.
type Report struct {
	Command string // name of the command, such as "build"
	Base    string // base URL with a trailing slash; "" if unknown
	Error   string // reason why the command could not do its job; "" if it could

	Findings []diag.Kind // findings by code, without those that Levels or the baseline remove
	Accepted int         // number of findings that the baseline removed
	Fixed    []string    // findings of the baseline that no longer occur, one in each string

	// FailsAt is the lowest severity that makes the command fail. If it is nil, no finding makes
	// the command fail.
	FailsAt *diag.Severity

	Changes *Changes // differences from an earlier list; nil if the command compared nothing
	Pages   []Page   // pages of the site, listed or not; nil if no form needs them
	Live    string   // text with the number of URLs requested from the live site; "" without a check of the live site
	Details any      // struct with additional JSON fields of this command; may be nil
}

// Changes are the differences between two lists of URLs, an old and a new list.
type Changes struct {
	Old       string `json:"old"`      // the old list, as the user named it or as text such as "the last sitemap"
	New       string `json:"new"`      // the new list, as the user named it; "" means the configured site
	OldCount  int    `json:"was"`      // number of URLs in the old list
	NewCount  int    `json:"is"`       // number of URLs in the new list
	Host      string `json:"host"`     // host in whose configuration format Fix is written; "" if unknown
	Unchanged int    `json:"same"`     // number of URLs in both lists without a change
	MaxLoss   int    `json:"max_loss"` // value of Lost above which the command fails
	// Content is true if the contents of the pages were compared, and false if only their dates
	// were.
	Content bool `json:"content"`
	Lost    int  `json:"lost"` // number of changes that count as a loss, such as lost and hidden URLs

	List []Change `json:"list"` // grouped by class; sorted by URL within a class
}

// splitByClass splits List into parts, each with the changes of one class.
func (c *Changes) splitByClass() (parts [][]Change) {
	for rest := c.List; len(rest) > 0; {
		n := slices.IndexFunc(rest, func(ch Change) bool { return ch.Class != rest[0].Class })
		if n < 0 {
			n = len(rest)
		}
		parts, rest = append(parts, rest[:n]), rest[n:]
	}
	return parts
}

// A Change describes how a URL differs between two lists.
type Change struct {
	Class   string        `json:"class"` // class of the change, such as "lost" or "moved"; see docs/guard.md
	Level   diag.Severity `json:"level"` // severity of the change
	URL     string        `json:"url"`
	To      string        `json:"to,omitempty"`     // URL that replaces URL: the end of a redirect, another listed URL or a suggestion
	Served  bool          `json:"served,omitempty"` // URL still serves the page, but the list contains To instead
	Reason  string        `json:"reason,omitempty"` // explanation of the change for people
	Pos     diag.Pos      `json:"pos,omitzero"`     // file and line that caused the change
	Source  diag.Pos      `json:"source,omitzero"`  // content file of the page; zero if unknown
	Fix     string        `json:"fix,omitempty"`    // lines that the user can paste to redirect the URL
	FixFile string        `json:"in,omitempty"`     // file to paste Fix into
	OldDate string        `json:"was,omitempty"`    // lastmod in the old list
	NewDate string        `json:"is,omitempty"`     // lastmod in the new list
	// Content is the fingerprint of the page's new content; "" if unknown.
	Content string `json:"content,omitempty"`
}

// A Page is one page of the built site, listed in the sitemap or left out.
type Page struct {
	URL     string   `json:"url,omitempty"`
	Listed  bool     `json:"listed"`
	Reason  string   `json:"reason,omitempty"` // name of the reason why the page is left out: "noindex"
	Why     string   `json:"why,omitempty"`    // details of Reason, such as the setting or element that excludes the page
	Pos     diag.Pos `json:"pos,omitzero"`     // position of the cause of Reason; for a page without a file, also the place that names the URL
	LastMod string   `json:"lastmod,omitempty"`
	By      string   `json:"lastmod_by,omitempty"` // name of the source of LastMod: "git"
	Lang    string   `json:"lang,omitempty"`
	Title   string   `json:"title,omitempty"`
	File    string   `json:"file,omitempty"`    // built file, as the user would type it
	Source  string   `json:"source,omitempty"`  // content file from which the page was built
	Content string   `json:"content,omitempty"` // fingerprint of the page's content; "" if not computed
}

// An Outcome is the outcome of a command, such as "passed".
type Outcome string

// The outcomes. They correspond to the exit codes 0, 1 and 2.
const (
	Passed Outcome = "passed"
	Failed Outcome = "failed" // the command did its job, but found problems that must be fixed
	Broken Outcome = "error"  // the command could not do its job
)

// Outcome returns Broken if the command could not do its job, Failed if the severity of a finding
// is at least FailsAt, and otherwise Passed.
func (r *Report) Outcome() Outcome {
	switch {
	case r.Error != "":
		return Broken
	case r.FailsAt != nil && r.CountAtLeast(*r.FailsAt) > 0:
		return Failed
	}
	return Passed
}

// CountAtLeast returns the number of findings whose severity is minSeverity or higher.
func (r *Report) CountAtLeast(minSeverity diag.Severity) int {
	n := 0
	for i := range r.Findings {
		n += r.Findings[i].CountAtLeast(minSeverity)
	}
	return n
}

// CountSeverity returns the number of findings with exactly the severity s.
func (r *Report) CountSeverity(s diag.Severity) int { return r.CountAtLeast(s) - r.CountAtLeast(s+1) }

// changeCodes maps a class of changes to the code of the findings about these changes.
var changeCodes = map[string]string{"lost": "lost-url", "hidden": "hidden-url", "badly moved": "badly-moved"}

// FindingsWithoutChanges returns the findings that are not about a Change. Reports show findings
// about changes in their tables of changes.
func (r *Report) FindingsWithoutChanges() []diag.Kind {
	shown := slices.Collect(maps.Values(changeCodes))
	return slices.DeleteFunc(slices.Clone(r.Findings), func(k diag.Kind) bool { return slices.Contains(shown, k.Code) })
}

// An item is a finding with additional values that forms such as SARIF need.
type item struct {
	diag.Diagnostic
	Place       diag.Pos // position to fix; its file is relative to the root of the repository
	Fingerprint string   // hash that identifies the finding across runs
}

// items returns an item for each finding that r.Findings keeps, the most severe finding first.
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
// Source, which is a position in a content file, the line also contains the position in the built
// file.
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

// oneLine returns s in one line with special characters escaped. A single space replaces each run
// of spaces and line breaks.
func oneLine(s string) string {
	return diag.Plain(strings.Join(strings.Fields(s), " "))
}

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

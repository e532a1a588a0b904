package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Form is an output format of a report, such as "json".
type Form struct {
	Name     string
	Text     string // purpose of the form, for --help and the manual
	Document bool   // on standard output, the form replaces the text for people
	Private  bool   // the file must not be published with the site
	Pages    bool   // the form shows the pages of the site

	// Write writes the report r in this form to w.
	Write func(w io.Writer, r *Report, o *Options) error
}

// Forms lists all forms in the order of the manual. A new form needs an element here, a file with
// its Write function, and a row in docs/reports.md.
var Forms = []Form{
	{Name: "text", Text: "for a person at a terminal", Write: func(w io.Writer, _ *Report, o *Options) error { o.PrintText(w); return nil }},
	{Name: "json", Text: "for programs, as docs/json.md describes it", Document: true, Pages: true, Write: func(w io.Writer, r *Report, _ *Options) error { return r.WriteJSON(w) }},
	{Name: "github", Text: "annotations and the job summary of GitHub Actions", Write: writeGitHub},
	{Name: "gitlab", Text: "GitLab's Code Quality", Document: true, Write: writeGitLab},
	{Name: "sarif", Text: "code scanning, SARIF 2.1.0", Document: true, Write: writeSARIF},
	{Name: "markdown", Text: "a comment or a summary", Document: true, Write: writeMarkdown},
	{Name: "junit", Text: "the test reports of CI systems", Document: true, Write: writeJUnit},
	{Name: "html", Text: "a page to look into, in one file", Document: true, Pages: true, Private: true, Write: writeHTML},
}

// Options are options of Form.Write.
type Options struct {
	// PrintText prints the report as text for people.
	PrintText func(w io.Writer)
	// Rel converts a file name to a path relative to the root of the repository.
	Rel func(file string) string
	// Version is the version of sitewalk.
	Version string
}

// fallbackFile replaces the missing file of a finding, in forms such as SARIF that require a file.
const fallbackFile = "sitemap.yaml"

// FormNames returns the names of all forms, such as "json".
func FormNames() []string {
	names := make([]string, len(Forms))
	for i := range Forms {
		names[i] = Forms[i].Name
	}
	return names
}

// A Request is a form of the report that the user requested, and the file to write the report to.
type Request struct {
	*Form
	File string // as the user typed it; "" means standard output
}

// ParseRequest parses a value of the flag --report: FORM or FORM=FILE, for example
// "html=report.html".
func ParseRequest(value string) (Request, error) {
	name, file, hasFile := strings.Cut(value, "=")
	i := slices.Index(FormNames(), name)
	switch {
	case i < 0:
		return Request{}, fmt.Errorf("form %q is not one of %s", name, strings.Join(FormNames(), ", "))
	case hasFile && file == "":
		return Request{}, fmt.Errorf("form %q names no file; write %s, or %[1]s=FILE", value, name)
	}
	return Request{&Forms[i], file}, nil
}

package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// A Form is one way to write a report.
type Form struct {
	Name string
	Text string // what it is for, in a few words
	// Document is true of a form that, on standard output, takes the place of what a
	// person reads.
	Document bool
	// Private is true of a form that must not lie among the published files.
	Private bool
	// Pages is true of a form that shows the pages of the site.
	Pages bool

	// Write writes the report to w.
	Write func(w io.Writer, r *Report, o *Options) error
}

// Forms are all forms, in the order in which they are told. To add one is to add
// a row here, its file, and a row in docs/reports.md.
var Forms = []Form{
	{Name: "text", Text: "for a person at a terminal", Write: func(w io.Writer, _ *Report, o *Options) error { o.Talk(w); return nil }},
	{Name: "json", Text: "for programs, as docs/json.md describes it", Document: true, Pages: true, Write: func(w io.Writer, r *Report, _ *Options) error { return r.WriteJSON(w) }},
	{Name: "github", Text: "annotations and the job summary of GitHub Actions", Write: writeGitHub},
	{Name: "gitlab", Text: "GitLab's Code Quality", Document: true, Write: writeGitLab},
	{Name: "sarif", Text: "code scanning, SARIF 2.1.0", Document: true, Write: writeSARIF},
	{Name: "markdown", Text: "a comment or a summary", Document: true, Write: writeMarkdown},
	{Name: "junit", Text: "the test reports of CI systems", Document: true, Write: writeJUnit},
	{Name: "html", Text: "a page to look into, in one file", Document: true, Pages: true, Private: true, Write: writeHTML},
}

// Options are what a form needs beside the report.
type Options struct {
	// Talk prints what a person reads, as the command does without a report.
	Talk func(w io.Writer)
	// Rel names a file, which findings name as the user would type it, below the
	// root of the repository.
	Rel func(file string) string
	// Version is that of the program.
	Version string
}

// home is the file that stands for what is in no file.
const home = "sitemap.yaml"

// Names returns the names of all forms.
func Names() []string {
	names := make([]string, len(Forms))
	for i := range Forms {
		names[i] = Forms[i].Name
	}
	return names
}

// A Request is a form that was asked for, and the file to write it to.
type Request struct {
	*Form
	File string // as it was typed; "" is the command's own output
}

// Parse reads FORM or FORM=FILE.
func Parse(typed string) (Request, error) {
	name, file, hasFile := strings.Cut(typed, "=")
	i := slices.Index(Names(), name)
	switch {
	case i < 0:
		return Request{}, fmt.Errorf("form %q is not one of %s", name, strings.Join(Names(), ", "))
	case hasFile && file == "":
		return Request{}, fmt.Errorf("form %q names no file; write %s, or %[1]s=FILE", typed, name)
	}
	return Request{&Forms[i], file}, nil
}

package report

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
)

// A Form is an output format of a report, such as "json".
type Form struct {
	Name       string
	AddsToText bool // on standard output, the form is added to the text for people, and does not replace it
	HasPages   bool // the form shows the pages of the site
	Private    bool // the file must not be published with the site

	// Write writes the report r in this form to w. It escapes each text of a user with diag.Plain,
	// and r.Error, which may have several lines, with oneLine. It also escapes the characters that
	// have a meaning in the form, such as "|" in Markdown or "=" before a formula in a spreadsheet.
	Write func(w io.Writer, r *Report, o *Options) error
}

// Forms lists all forms in the order of the manual. docs/architecture.md lists the steps to add a
// form.
var Forms = []Form{
	{Name: "json", HasPages: true, Write: writeJSON},
	{Name: "github", AddsToText: true, Write: writeGitHub},
	{Name: "gitlab", Write: writeGitLab},
	{Name: "sarif", Write: writeSARIF},
	{Name: "markdown", Write: writeMarkdown},
	{Name: "junit", Write: writeJUnit},
	{Name: "html", HasPages: true, Private: true, Write: writeHTML},
}

// Options are options of Form.Write.
type Options struct {
	// Rel converts a file name to a path relative to the root of the repository. For a file outside
	// of the repository, it returns an absolute path.
	Rel func(file string) string
	// Version is the version of sitewalk.
	Version string
}

// fallbackFile is the file of a finding without a file, in forms that require a file, such as
// SARIF.
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
	flag string // the flag that requests the form: "--json", "--report sarif"
}

// parseRequest parses a value of the flag --report: FORM or FORM=FILE, for example
// "html=report.html".
func parseRequest(value string) (Request, error) {
	name, file, hasFile := strings.Cut(value, "=")
	i := slices.Index(FormNames(), name)
	switch {
	case i < 0:
		return Request{}, fmt.Errorf("--report: form %q is not one of %s", name, strings.Join(FormNames(), ", "))
	case hasFile && file == "":
		return Request{}, fmt.Errorf("--report: form %q names no file; write %s, or %[2]s=FILE", value, name)
	}
	return Request{&Forms[i], file, "--report " + value}, nil
}

// Requests are the forms of the report that the user requested. At most one of them is written to
// standard output.
type Requests []Request

// ParseRequests parses values, the values of the flag --report. If jsonFlag is set, it adds the
// form "json". It returns an error for an invalid value, and if two forms would be written to
// standard output.
func ParseRequests(jsonFlag bool, values []string) (all Requests, err error) {
	if jsonFlag {
		q, _ := parseRequest("json")
		q.flag = "--json"
		all = append(all, q)
	}
	for _, value := range values {
		q, err := parseRequest(value)
		if err == nil && q.File == "" {
			err = all.CheckStdout(q.flag)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, q)
	}
	return all, nil
}

// NeedsPages reports whether a requested form contains the pages of the site.
func (r Requests) NeedsPages() bool {
	return slices.ContainsFunc(r, func(q Request) bool { return q.HasPages })
}

// CheckStdout returns an error if a requested form is written to standard output. flag is another
// flag that also prints to standard output, such as "-o -". The error names it.
func (r Requests) CheckStdout(flag string) error {
	for _, q := range r {
		if q.File == "" {
			return diag.Hintedf("write one of them into a file, as in --report "+q.Name+"=FILE",
				"%s and %s both print on standard output", q.flag, flag)
		}
	}
	return nil
}

// ShouldPrintText reports whether to print the text for people. It is false if a form that replaces
// the text, such as "json", is written to standard output.
func (r Requests) ShouldPrintText() bool {
	return !slices.ContainsFunc(r, func(q Request) bool { return !q.AddsToText && q.File == "" })
}

// An Env describes the environment in which reports are written.
type Env struct {
	Dir     string                   // working directory
	Path    func(file string) string // returns the absolute path of a file name that the user typed
	Getenv  func(string) string
	Stdout  io.Writer
	Version string // version of sitewalk

	Published []string // absolute paths of the folders that are published; "" is ignored
}

// WriteAll writes the report in each requested form. It returns an error instead of writing a
// private form into a published folder. After an error, it continues with the next form, and
// returns the first error.
func (r Requests) WriteAll(e *Env, report *Report) (firstErr error) {
	o := &Options{Rel: e.repositoryRelativizer(), Version: e.Version}
	for _, q := range r {
		if err := e.writeReport(q, report, o); err != nil && firstErr == nil {
			firstErr = fmt.Errorf("--report %s: %w", q.Name, err)
		}
	}
	return firstErr
}

// repositoryRelativizer returns the function for Options.Rel. It makes file names relative to the
// checkout of the CI system if the checkout contains the working directory, and otherwise to the
// working directory. For a file outside of that folder, the function returns an absolute path.
func (e *Env) repositoryRelativizer() func(string) string {
	root := e.Dir
	for _, name := range []string{"CI_PROJECT_DIR", "GITHUB_WORKSPACE"} {
		if dir := e.Getenv(name); filepath.IsAbs(dir) && files.Contains(dir, e.Dir) {
			root = dir
		}
	}
	return func(file string) string {
		return filepath.ToSlash(files.DisplayPath(root, e.Path(filepath.FromSlash(file))))
	}
}

// writeReport writes the report in the form that q requests. For the form "github", it also appends
// the report to the summary of the job if GITHUB_STEP_SUMMARY is set. It returns an error if the
// form is private and its file would be published.
func (e *Env) writeReport(q Request, report *Report, o *Options) error {
	if dir := e.publishedDirOf(q); dir != "" {
		return fmt.Errorf("%s lies in %s and would be published; name a file elsewhere", q.File, files.DisplayPath(e.Dir, dir))
	}
	write := func(w io.Writer) error { return q.Write(w, report, o) }
	var err error
	if q.File == "" {
		err = write(e.Stdout)
	} else {
		err = writeFile(e.Path(q.File), write)
	}
	if step := e.Getenv("GITHUB_STEP_SUMMARY"); err == nil && q.Name == "github" && step != "" {
		err = appendJobSummary(step, report, o)
	}
	return err
}

// publishedDirOf returns the published folder that contains the file of q. It returns "" if there is
// none, or if the form of q is not private.
func (e *Env) publishedDirOf(q Request) string {
	if q.File == "" || !q.Private {
		return ""
	}
	folder := resolveSymlinks(filepath.Dir(e.Path(q.File)))
	for _, dir := range e.Published {
		if dir != "" && files.Contains(resolveSymlinks(dir), folder) {
			return dir
		}
	}
	return ""
}

// resolveSymlinks returns the path dir with its symbolic links resolved. If it cannot resolve them,
// for example because dir does not exist, it returns the cleaned path.
func resolveSymlinks(dir string) string {
	if to, err := filepath.EvalSymlinks(dir); err == nil {
		return to
	}
	return filepath.Clean(dir)
}

// writeFile writes a report into the file at path, which may also be a FIFO or a device. For a
// regular file, it does not keep the whole report in memory.
func writeFile(path string, write func(io.Writer) error) error {
	if info, err := os.Stat(path); err != nil || info.Mode().IsRegular() {
		return files.ReplaceWith(path, write)
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	return files.Append(path, b.Bytes())
}

// appendJobSummary appends the report as Markdown to the file called name, which GitHub shows as
// the summary of the job. GitHub limits the size of this file to 1 MiB. If there is no room left,
// appendJobSummary does nothing. See
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions#job-summaries
func appendJobSummary(name string, report *Report, o *Options) error {
	room := 1 << 20
	if info, err := os.Stat(name); err == nil {
		room -= int(min(info.Size(), int64(room)))
	}
	if room <= maxFooter {
		return nil
	}
	if err := files.Append(name, []byte(report.formatMarkdown(o, room))); err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	return nil
}

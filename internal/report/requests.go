package report

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
)

// Requests are the reports that the user requested. At most one of them is a document on standard
// output.
type Requests struct {
	List     []Request
	onStdout string // flag that requested the document on standard output: "--json"; "" if none
}

// ReadRequests parses the values of --report in typed. If json is set, it adds the report of
// --json.
func ReadRequests(json bool, typed []string) (r Requests, err error) {
	if json {
		err = r.add("json", "--json")
	}
	for _, t := range typed {
		err = cmp.Or(err, r.add(t, "--report "+t))
	}
	return r, err
}

// add parses one value of --report and adds the request. flag names the flag in errors.
func (r *Requests) add(typed, flag string) error {
	q, err := Parse(typed)
	if err != nil {
		return fmt.Errorf("--report: %w", err)
	}
	r.List = append(r.List, q)
	if q.File != "" || q.Name == "text" {
		return nil
	}
	if err := r.CheckStdout(flag); err != nil {
		return err
	}
	r.onStdout = flag
	return nil
}

// NeedsPages reports whether a requested form shows the pages of the site.
func (r *Requests) NeedsPages() bool {
	return slices.ContainsFunc(r.List, func(q Request) bool { return q.Pages })
}

// OnStdout reports whether a document goes to standard output.
func (r *Requests) OnStdout() bool { return r.onStdout != "" }

// CheckStdout returns an error if a document goes to standard output, because flag prints there
// too.
func (r *Requests) CheckStdout(flag string) error {
	if r.onStdout == "" {
		return nil
	}
	form := strings.TrimLeft(strings.TrimPrefix(r.onStdout, "--report "), "-")
	return diag.Hintedf("write one of them into a file, as in --report "+form+"=FILE",
		"%s and %s both print on standard output", r.onStdout, flag)
}

// WantsText reports whether the text for people is printed. It is printed unless a document goes
// to standard output. The form "text" prints it in any case.
func (r *Requests) WantsText() bool {
	talks := true
	for _, q := range r.List {
		switch {
		case q.Name == "text" && q.File == "":
			return true
		case q.Document && q.File == "":
			talks = false
		}
	}
	return talks
}

// RejectPublished checks that no private report is written into one of the published folders
// dirs. For the first such report, it removes the request and returns an error. Empty names in
// dirs are ignored.
func (r *Requests) RejectPublished(d *Env, dirs ...string) error {
	for i, q := range r.List {
		if q.File == "" || !q.Private {
			continue
		}
		folder := resolveLinks(filepath.Dir(d.Path(q.File)))
		for _, dir := range dirs {
			if dir != "" && files.Contains(resolveLinks(dir), folder) {
				r.List = slices.Delete(r.List, i, i+1)
				return diag.Hintedf("name a file elsewhere",
					"--report %s=%s lies in %s and would be published", q.Name, q.File, files.DisplayPath(d.Dir, dir))
			}
		}
	}
	return nil
}

// resolveLinks resolves the symbolic links in the path dir. If dir does not exist, resolveLinks
// returns it cleaned.
func resolveLinks(dir string) string {
	if to, err := filepath.EvalSymlinks(dir); err == nil {
		return to
	}
	return filepath.Clean(dir)
}

// An Env contains the environment in which reports are written.
type Env struct {
	Dir     string                   // working directory
	Path    func(file string) string // returns the absolute path of a file name that the user typed
	Getenv  func(string) string
	Stdout  io.Writer
	Version string // version of sitewalk
}

// Write writes the report in each requested form. talk prints the report as text for people.
// Write continues after an error and returns the first one.
func (r *Requests) Write(ctx context.Context, d *Env, what *Report, talk func(io.Writer)) (first error) {
	o := &Options{PrintText: talk, Rel: d.relFunc(), Version: d.Version}
	for _, q := range r.List {
		if q.Name == "text" && q.File == "" {
			continue
		}
		if err := d.writeReport(ctx, q, what, o); err != nil && first == nil {
			first = fmt.Errorf("--report %s: %w", q.Name, err)
		}
	}
	return first
}

// relFunc returns the function for Options.Rel. That function makes file names relative to the
// checkout of the CI system, or else to the working directory. It returns an absolute path for a
// file outside of that folder.
func (e *Env) relFunc() func(string) string {
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

// writeReport writes the report what in one requested form.
func (e *Env) writeReport(ctx context.Context, q Request, what *Report, o *Options) error {
	to, file := e.Stdout, bytes.Buffer{}
	if q.File != "" {
		to = &file
	}
	err := q.Write(to, what, o)
	if step := e.Getenv("GITHUB_STEP_SUMMARY"); err == nil && q.Name == "github" && step != "" {
		err = appendSummary(step, what, o)
	}
	if err != nil || q.File == "" {
		return err
	}
	path := e.Path(q.File)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return files.Append(path, file.Bytes())
	}
	return files.Replace(path, file.Bytes())
}

// appendSummary appends the report as Markdown to the file name, which GitHub shows as the
// summary of the job. GitHub limits the file to 1 MiB.
// See
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions#job-summaries
func appendSummary(name string, what *Report, o *Options) error {
	room := 1 << 20
	if info, err := os.Stat(name); err == nil {
		room -= int(min(info.Size(), int64(room)))
	}
	if room <= maxFooter {
		return nil
	}
	if err := files.Append(name, []byte(what.formatMarkdown(o, room))); err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	return nil
}

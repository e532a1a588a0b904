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

// Requests are the requested reports. At most one document goes to standard output.
type Requests struct {
	List     []Request
	onStdout string // the flag of the report on standard output, or ""
}

// ReadRequests parses the values of --report. json adds the report of --json.
func ReadRequests(json bool, typed []string) (r Requests, err error) {
	if json {
		err = r.add("json", "--json")
	}
	for _, t := range typed {
		err = cmp.Or(err, r.add(t, "--report "+t))
	}
	return r, err
}

// add parses one value of a flag.
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

// NeedsPages reports whether a report shows the pages of the site.
func (r *Requests) NeedsPages() bool {
	return slices.ContainsFunc(r.List, func(q Request) bool { return q.Pages })
}

// OnStdout reports whether a report goes to standard output.
func (r *Requests) OnStdout() bool { return r.onStdout != "" }

// CheckStdout returns an error if a report goes to standard output. flag prints there, too.
func (r *Requests) CheckStdout(flag string) error {
	if r.onStdout == "" {
		return nil
	}
	form := strings.TrimLeft(strings.TrimPrefix(r.onStdout, "--report "), "-")
	return diag.Hintedf("write one of them into a file, as in --report "+form+"=FILE",
		"%s and %s both print on standard output", r.onStdout, flag)
}

// WantsText reports whether the text for people is printed: always, unless a document goes to standard
// output and the form "text" is not requested.
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

// RejectPublished returns an error for the first private report with a file in one of dirs, and
// drops the request. It ignores a dir of "".
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
					"--report %s=%s lies in %s and would be published", q.Name, q.File, files.Shown(d.Dir, dir))
			}
		}
	}
	return nil
}

// resolveLinks returns a folder without symbolic links, or dir if it does not exist.
func resolveLinks(dir string) string {
	if to, err := filepath.EvalSymlinks(dir); err == nil {
		return to
	}
	return filepath.Clean(dir)
}

// A Env is the environment in which reports are written.
type Env struct {
	Dir     string                   // working directory
	Path    func(file string) string // returns the absolute path of a file that the user typed
	Getenv  func(string) string
	Stdout  io.Writer
	Version string // of the program
}

// Write writes the requested reports. talk prints the text for people. Write returns the first
// error.
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

// relFunc returns a function that returns the name of a file relative to the checkout of the CI system,
// or to the working directory. A file elsewhere keeps its absolute path.
func (d *Env) relFunc() func(string) string {
	root := d.Dir
	for _, name := range []string{"CI_PROJECT_DIR", "GITHUB_WORKSPACE"} {
		if dir := d.Getenv(name); filepath.IsAbs(dir) && files.Contains(dir, d.Dir) {
			root = dir
		}
	}
	return func(file string) string { return filepath.ToSlash(files.Shown(root, d.Path(filepath.FromSlash(file)))) }
}

// writeReport writes one report.
func (d *Env) writeReport(ctx context.Context, q Request, what *Report, o *Options) error {
	to, file := d.Stdout, bytes.Buffer{}
	if q.File != "" {
		to = &file
	}
	err := q.Write(to, what, o)
	if step := d.Getenv("GITHUB_STEP_SUMMARY"); err == nil && q.Name == "github" && step != "" {
		err = appendSummary(step, what, o)
	}
	if err != nil || q.File == "" {
		return err
	}
	path := d.Path(q.File)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return files.Append(path, file.Bytes())
	}
	return files.Replace(path, file.Bytes())
}

// appendSummary adds the report to the summary of a step. GitHub limits the summary to 1 MiB.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions#job-summaries
func appendSummary(name string, what *Report, o *Options) error {
	room := 1 << 20
	if info, err := os.Stat(name); err == nil {
		room -= int(min(info.Size(), int64(room)))
	}
	if room <= maxFooter {
		return nil
	}
	if err := files.Append(name, []byte(what.markdown(o, room))); err != nil {
		return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	return nil
}

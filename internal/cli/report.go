package cli

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sitewalk/sitewalk/internal/baseline"
	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/writer"
)

// reportFlags are the reports that the user asks for.
type reportFlags struct {
	forms    []string
	requests []report.Request
	onStdout string // the flag whose report goes to standard output, "" when none does

	baseline string // the file of accepted findings, as typed
	accept   string // the file to write it to
	memory   *baseline.Baseline
}

// addReports adds the flags of a command that makes reports.
func (b *buildFlags) addReports(env Env, cmd *cobra.Command) {
	b.talkFlags(cmd)
	f, o := cmd.Flags(), &b.reports
	f.StringArrayVar(&o.forms, "report", nil, "write a report as `FORM[=FILE]` (repeatable): "+strings.Join(report.Names(), ", "))
	_ = cmd.RegisterFlagCompletionFunc("report", completeReport(env.Dir))
	f.StringVar(&o.baseline, "baseline", "", "accept the findings that `FILE` knows")
	f.StringVar(&o.accept, "write-baseline", "", "accept all findings of today, and write them to `FILE`")
	f.BoolVar(&b.noProgress, "no-progress", false, "do not show how far reading is")
}

// settle reads what was typed, and the baseline. One document at most fits on
// standard output, where --json prints one, too.
func (o *reportFlags) settle(env Env, json bool) (err error) {
	o.requests, o.onStdout = nil, ""
	if o.memory, err = o.readBaseline(env); err != nil {
		return err
	}
	if json {
		if err := o.add("json", "--json"); err != nil {
			return err
		}
	}
	for _, typed := range o.forms {
		if err := o.add(typed, "--report "+typed); err != nil {
			return err
		}
	}
	return nil
}

// add reads one report as it was typed behind a flag.
func (o *reportFlags) add(typed, flag string) error {
	q, err := report.Parse(typed)
	if err != nil {
		return fmt.Errorf("--report: %w", err)
	}
	o.requests = append(o.requests, q)
	if q.File != "" || !q.Printed {
		return nil
	}
	if err := o.alone(flag); err != nil {
		return err
	}
	o.onStdout = flag
	return nil
}

// alone returns an error when another report goes to standard output already.
func (o *reportFlags) alone(flag string) error {
	if o.onStdout == "" {
		return nil
	}
	form := strings.TrimLeft(strings.TrimPrefix(o.onStdout, "--report "), "-")
	return diag.Hinted{
		Err:  fmt.Errorf("%s and %s both print on standard output", o.onStdout, flag),
		Hint: "write one of them into a file, as in --report " + form + "=FILE",
	}
}

// wantsAll reports whether a report or a baseline needs all findings, and not only
// those that a person reads.
func (o *reportFlags) wantsAll() bool {
	return len(o.requests) > 0 || o.baseline != "" || o.accept != ""
}

// talks reports whether a person is told as well: always, unless a document
// takes the place of talk and nobody asked for it.
func (o *reportFlags) talks() bool {
	talks := true
	for _, q := range o.requests {
		switch {
		case q.Name == "text" && q.File == "":
			return true
		case q.Document && q.File == "":
			talks = false
		}
	}
	return talks
}

// tell ends a command that has a report: it prints what a person reads, by talk,
// writes the reports that were asked for, and returns the command's own error or
// what the verdict asks for.
func (c *common) tell(env Env, p *printer, r *report.Report, talk func(*printer), failed error) error {
	if err := c.reports.weigh(env, r); err != nil && failed == nil {
		failed, r.Error = err, err.Error()
	}
	own := talk
	talk = func(p *printer) {
		own(p)
		c.reports.tellBaseline(p, r)
	}
	if c.reports.talks() {
		talk(p)
	}
	o := &report.Options{
		Talk: func(w io.Writer) error {
			talk(&printer{out: w, err: w, quiet: p.quiet})
			return nil
		},
		Rel: below(repository(env), env.Dir), Version: version(),
	}
	for _, q := range c.reports.requests {
		if q.Name == "text" && q.File == "" {
			continue
		}
		if err := c.put(env, p, q, r, o); err != nil && failed == nil {
			failed = fmt.Errorf("--report %s: %w", q.Name, err)
		}
	}
	switch {
	case failed != nil:
		return failed
	case r.Verdict() == report.Failed:
		return errFindings
	}
	return nil
}

// repository is the folder from which the reports of a CI system name files: that
// of its checkout, else the working directory.
func repository(env Env) string {
	for _, name := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR"} {
		if root := env.Getenv(name); root != "" && filepath.IsAbs(root) {
			if rel, err := filepath.Rel(root, env.Dir); err == nil && filepath.IsLocal(rel) {
				return root
			}
		}
	}
	return env.Dir
}

// below returns a function that names a file, which was typed in the working
// directory, from a folder; one outside of it keeps its whole name.
func below(root, wd string) func(string) string {
	return func(file string) string {
		return filepath.ToSlash(build.UserPath(root, build.Path(wd, filepath.FromSlash(file))))
	}
}

// summarize opens the summary of the job for the form that fills it, and tells
// how much it takes: 1 MiB for each step, all that is written to it together.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions#job-summaries
func summarize(env Env, o *report.Options) (io.Closer, error) {
	const most = 1 << 20
	name := env.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return io.NopCloser(nil), nil
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
	}
	o.Summary, o.Room = f, most
	if info, err := f.Stat(); err == nil {
		o.Room -= int(min(info.Size(), most))
	}
	return f, nil
}

// put writes one report, a file whole or not at all.
func (c *common) put(env Env, p *printer, q report.Request, r *report.Report, o *report.Options) error {
	if q.Name == "github" {
		summary, err := summarize(env, o)
		if err != nil {
			return err
		}
		defer summary.Close()
	}
	if q.File == "" {
		return q.Write(p.out, r, o)
	}
	var b bytes.Buffer
	if err := q.Write(&b, r, o); err != nil {
		return err
	}
	file := env.path(q.File)
	if info, err := os.Stat(file); err == nil && !info.Mode().IsRegular() {
		return os.WriteFile(file, b.Bytes(), 0o644) // a device or a pipe
	}
	return writer.Replace(file, b.Bytes())
}

package cli

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
	"github.com/sitewalk/sitewalk/internal/baseline"
	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/terminal"
	"github.com/sitewalk/sitewalk/internal/view"
	"github.com/sitewalk/sitewalk/writer"
	"github.com/spf13/cobra"
)

// reportFlags are the reports that the user asks for.
type reportFlags struct {
	forms    []string
	requests []report.Request
	pages    bool   // one of them shows the pages of the site
	onStdout string // the flag whose report goes to standard output, "" when none does

	baseline string // the file of accepted findings, as typed
	accept   string // the file to write it to
	memory   *baseline.Baseline
}

// addReports adds the flags of a command that makes reports.
func (b *flags) addReports(env Env, cmd *cobra.Command) {
	b.addTalk(cmd)
	f, o := cmd.Flags(), &b.reports
	f.StringArrayVar(&o.forms, "report", nil, "write a report as `FORM[=FILE]` (repeatable): "+strings.Join(report.Names(), ", "))
	f.StringVar(&o.baseline, "baseline", "", "accept the findings that `FILE` knows")
	f.StringVar(&o.accept, "write-baseline", "", "accept all findings of today, and write them to `FILE`")
	f.BoolVar(&b.noProgress, "no-progress", false, "do not show progress")
}

// settle reads what was typed, and the baseline. One document at most fits on
// standard output, where --json prints one, too.
func (o *reportFlags) settle(ctx context.Context, env Env, json bool) (err error) {
	o.requests, o.pages, o.onStdout = nil, false, ""
	if o.baseline != "" {
		if o.memory, err = o.readBaseline(ctx, env); err != nil {
			return err
		}
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
	o.requests, o.pages = append(o.requests, q), o.pages || q.Pages
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
	return len(o.forms) > 0 || len(o.requests) > 0 || o.baseline != "" || o.accept != ""
}

// talks reports whether a person is told as well: always, unless a document
// replaces the messages without having been asked for.
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
func (b *flags) tell(ctx context.Context, env Env, p *terminal.Printer, r *report.Report, talk func(*terminal.Printer), failed error) error {
	if b.reports.memory != nil || b.reports.accept != "" {
		if err := b.reports.weigh(env, r); err != nil && failed == nil {
			failed, r.Error = err, err.Error()
		}
		own := talk
		talk = func(p *terminal.Printer) {
			own(p)
			view.Baseline(p, r, b.reports.baseline, b.reports.accept)
		}
	}
	if len(b.reports.requests) > 0 {
		failed = cmp.Or(failed, b.write(ctx, env, p, r, talk, failed))
	} else {
		talk(p)
	}
	if failed == nil && r.Verdict() == report.Failed {
		return errFindings
	}
	return failed
}

// write writes the reports that were asked for, and tells a person by talk if one is to
// be told; of why the command failed, only the reports tell. It returns the first error.
func (b *flags) write(ctx context.Context, env Env, p *terminal.Printer, r *report.Report, talk func(*terminal.Printer), failed error) (first error) {
	if b.reports.talks() {
		talk(p)
	}
	o := &report.Options{
		Talk: func(w io.Writer) error {
			file := &terminal.Printer{Out: w, Err: w, Quiet: p.Quiet}
			talk(file)
			if r.Error != "" {
				file.Fail(failed)
			}
			return nil
		},
		Rel: below(repository(env), env.Dir), Version: version(),
	}
	for _, q := range b.reports.requests {
		if q.Name == "text" && q.File == "" {
			continue
		}
		if err := b.put(ctx, env, p, q, r, o); err != nil && first == nil {
			first = fmt.Errorf("--report %s: %w", q.Name, err)
		}
	}
	return first
}

// repository is the folder from which the reports of a CI system name files: that
// of its checkout, else the working directory.
func repository(env Env) string {
	for _, name := range []string{"GITHUB_WORKSPACE", "CI_PROJECT_DIR"} {
		if root := env.Getenv(name); filepath.IsAbs(root) && files.Within(root, env.Dir) {
			return root
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

// put writes one report, a file whole or not at all.
func (b *flags) put(ctx context.Context, env Env, p *terminal.Printer, q report.Request, r *report.Report, o *report.Options) error {
	var summary, file bytes.Buffer
	step := env.Getenv("GITHUB_STEP_SUMMARY")
	if q.Name == "github" && step != "" {
		o.Summary, o.Room = &summary, summaryRoom(step)
	}
	to := p.Out
	if q.File != "" {
		to = &file
	}
	if err := q.Write(to, r, o); err != nil {
		return err
	}
	if summary.Len() > 0 {
		if err := files.Append(ctx, step, summary.Bytes()); err != nil {
			return fmt.Errorf("GITHUB_STEP_SUMMARY: %w", err)
		}
	}
	if q.File == "" {
		return nil
	}
	path := env.path(q.File)
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return files.Append(ctx, path, file.Bytes())
	}
	return writer.Replace(path, file.Bytes())
}

// summaryRoom is how much the summary of a step still takes: 1 MiB, all that is
// written to it together.
// https://docs.github.com/actions/reference/workflow-commands-for-github-actions#job-summaries
func summaryRoom(name string) int {
	const most = 1 << 20
	info, err := os.Stat(name)
	if err != nil {
		return most
	}
	return most - int(min(info.Size(), most))
}

// A result is what a command with a report did, as far as it came.
type result struct {
	*build.Build
	report *report.Report          // what this command alone says
	talk   func(*terminal.Printer) // tells a person the same, below the findings, when all went well
	failed func(*terminal.Printer) // tells a person what was done before the rest failed; nil is nothing
	hide   []string                // codes of findings that talk shows
}

// perform runs a command that has a report. Its work reads the site with the options
// of a build; where it goes on after that, it calls end, which ends the progress.
func (b *flags) perform(ctx context.Context, env Env, p *terminal.Printer, work func(o build.Options, end func()) (result, error)) error {
	p.Quiet = b.quiet
	if b.json || b.reports.wantsAll() {
		if err := b.reports.settle(ctx, env, b.json); err != nil {
			return err
		}
	}
	o := b.options(env)
	end := b.progress(env, p, &o)
	defer end()
	out, err := work(o, end)
	end()
	r := out.report
	r.Findings = out.Findings.Kinds()
	if out.Settings != nil {
		r.Base = out.Settings.Site.Base.String()
	}
	if err != nil {
		r.Error = err.Error()
	}
	return b.tell(ctx, env, p, r, func(p *terminal.Printer) {
		if b.verbose {
			view.Origins(p, out.Origins())
		}
		shown := slices.DeleteFunc(slices.Clone(r.Findings), func(k diag.Kind) bool { return slices.Contains(out.hide, k.Code) })
		if len(shown) > 0 {
			p.Findings(shown, b.verbose)
		}
		if err == nil && !p.Quiet {
			view.Around(p, out.Settings)
			out.talk(p)
		} else if err != nil && out.failed != nil {
			out.failed(p)
		}
	}, err)
}

// learn reads the site for a command without a report, and decides what is listed.
func (b *flags) learn(ctx context.Context, env Env, p *terminal.Printer, in config.Input) (*build.Build, error) {
	p.Quiet = b.quiet
	o := b.options(env)
	end := b.progress(env, p, &o)
	defer end()
	r := build.New(o)
	err := r.Resolve(ctx, in)
	if err == nil {
		err = r.Learn(ctx)
	}
	if end(); err != nil {
		p.Findings(r.Findings.Kinds(), b.verbose)
		return r, err
	}
	if b.verbose {
		view.Origins(p, r.Origins())
	}
	if !b.json {
		view.Around(p, r.Settings)
	}
	return r, nil
}

// failsAt is the mildest finding that makes check, diff or submit fail.
func (b *flags) failsAt() *diag.Severity {
	least := diag.Error
	if b.strict {
		least = diag.Warning
	}
	return &least
}

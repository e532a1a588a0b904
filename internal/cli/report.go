package cli

import (
	"cmp"
	"context"
	"io"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/spf13/cobra"
)

// reportFlags are the reports that the user asks for.
type reportFlags struct {
	forms []string // as typed
	asked report.Requests

	baseline string           // the file of accepted findings, as typed
	accept   string           // the file to write it to
	known    *report.Baseline // the accepted findings; nil without a file of them
}

// addReports adds the flags of a command that makes reports.
func (b *flags) addReports(cmd *cobra.Command) {
	b.addTalk(cmd)
	f, o := cmd.Flags(), &b.reports
	f.StringArrayVar(&o.forms, "report", nil, "write a report as `FORM[=FILE]` (repeatable)")
	f.StringVar(&o.baseline, "baseline", "", "accept the findings that `FILE` knows")
	f.StringVar(&o.accept, "write-baseline", "", "accept today's findings, write them to `FILE`")
	f.BoolVar(&b.noProgress, "no-progress", false, "do not show progress")
}

// read reads what was typed, and the baseline.
func (o *reportFlags) read(ctx context.Context, env Env, json bool) (err error) {
	if o.baseline != "" {
		if o.known, err = report.ReadBaseline(ctx, o.baseline, env.path); err != nil {
			return err
		}
	}
	o.asked, err = report.ReadRequests(json, o.forms)
	return err
}

// wantsAll reports whether a report or a baseline needs all findings, and not only
// those that a person reads.
func (o *reportFlags) wantsAll() bool {
	return len(o.forms) > 0 || len(o.asked.List) > 0 || o.baseline != "" || o.accept != ""
}

// applyBaseline removes the findings that the baseline knows from the report, or writes
// all of them to a new baseline. A command that could not do its job has not found all
// there is: nothing is written for it, and no finding counts as fixed.
func (o *reportFlags) applyBaseline(env Env, r *report.Report) error {
	all := r.Findings
	if o.known != nil {
		r.Findings, r.Accepted, r.Fixed = o.known.Split(all)
	}
	if r.Error != "" {
		r.Fixed = nil
		return nil
	}
	if o.accept == "" {
		return nil
	}
	b, err := report.WriteBaseline(o.accept, env.path, all)
	if err == nil {
		r.Findings, r.Accepted, _ = b.Split(all)
	}
	return err
}

// desk is where reports are written.
func (e *Env) desk() *report.Desk {
	return &report.Desk{Dir: e.Dir, Path: e.path, Getenv: e.Getenv, Stdout: e.Stdout, Version: version()}
}

// outside refuses a report that would be published with the site, and drops it.
// Without settings it is not known.
func (o *reportFlags) outside(env Env, c *config.Settings) error {
	if c == nil {
		return nil
	}
	dirs := []string{c.Writer.Publish, c.Writer.Dir}
	if c.Site.Pages != nil {
		dirs = append(dirs, c.Site.Pages.Dir)
	}
	return o.asked.RefusePublished(env.desk(), dirs...)
}

// pagesOf are the pages of a site as reports show them; nil when none does.
func (o *reportFlags) pagesOf(res *site.Result) []report.Page {
	if !o.asked.Pages() {
		return nil
	}
	return pageRows(res)
}

// A result is what a command did, as far as it came.
type result struct {
	*engine.Build
	report *report.Report // what this command alone says
	talk   func(*Printer) // tells a person the same, below the findings, when all went well
	failed func(*Printer) // tells a person what was done before the rest failed; nil is nothing
	shows  bool           // talk is what the user asked to see, and the findings are not
}

// perform runs a command: its work, with the options of a build. Where that goes on after
// it has read the site, it calls end, which ends the progress.
func (b *flags) perform(ctx context.Context, env Env, p *Printer, work func(o engine.Options, end func()) (result, error)) error {
	p.Quiet = b.quiet
	if b.json || b.reports.wantsAll() {
		if err := b.reports.read(ctx, env, b.json); err != nil {
			return err
		}
		b.opts.Titles = b.reports.asked.Pages()
	}
	o := b.options(env)
	end := b.progress(env, p, &o)
	defer end()
	out, err := work(o, end)
	end()
	return b.finish(ctx, env, p, out, err)
}

// finish prints what a person reads of a command and writes the reports that were asked
// for. err is why the command failed. finish returns it, or the error of the verdict.
func (b *flags) finish(ctx context.Context, env Env, p *Printer, out result, err error) error {
	r, done := out.report, err == nil
	if !out.shows {
		r.Findings = out.Findings.Kinds()
	}
	if out.Settings != nil {
		r.Base = out.Settings.Site.Base.String()
	}
	if err != nil {
		r.Error = err.Error()
	}
	if b.reports.known != nil || b.reports.accept != "" {
		if wrong := b.reports.applyBaseline(env, r); wrong != nil {
			err, r.Error = wrong, wrong.Error()
		}
	}
	talk := func(p *Printer) { b.talk(p, out, done) }
	some := len(b.reports.asked.List) > 0
	if !some || b.reports.asked.Talks() {
		talk(p)
	}
	if some {
		err = cmp.Or(err, b.reports.asked.Write(ctx, env.desk(), r, func(w io.Writer) {
			file := &Printer{Out: w, Err: w, Quiet: p.Quiet}
			if talk(file); r.Error != "" {
				file.Fail(err)
			}
		}))
	}
	if err == nil && r.Verdict() == report.Failed {
		return errFindings
	}
	return err
}

// talk prints what a person reads of a result; done says that the command did its work.
func (b *flags) talk(p *Printer, out result, done bool) {
	if b.verbose {
		printOrigins(p, out.Origins())
	}
	shown := out.report.Findings
	if !p.Quiet {
		shown = out.report.OtherFindings()
	}
	if len(shown) > 0 && !out.shows {
		p.Findings(shown, b.verbose)
	}
	if done && (!p.Quiet || out.shows) {
		printProjectFolder(p, out.Settings)
		out.talk(p)
	} else if !done && out.failed != nil {
		out.failed(p)
	}
	if b.reports.known != nil || b.reports.accept != "" {
		printBaseline(p, out.report, b.reports.baseline, b.reports.accept)
	}
}

// learn reads the site of a command that shows it, and decides what is listed.
func learn(ctx context.Context, o engine.Options, in config.Input) (*engine.Build, error) {
	r := engine.New(o)
	err := r.Resolve(in)
	if err == nil {
		err = r.Learn(ctx)
	}
	return r, err
}

// failsAt is the mildest finding that makes check, diff or submit fail.
func (b *flags) failsAt() *diag.Severity {
	least := diag.Error
	if b.strict {
		least = diag.Warning
	}
	return &least
}

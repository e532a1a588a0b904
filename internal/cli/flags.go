package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/fetch"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/writer"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flags contains the values of the flags that several commands share. Each command adds the flags
// that it accepts.
type flags struct {
	opts        engine.Options // options of a build that a flag sets directly
	reports     reportFlags
	endProgress func() // ends the progress that startProgress shows; may be called several times

	json, verbose, quiet        bool
	strict, noCache, noProgress bool
}

// addSiteFlags adds the flags that describe the site.
func (b *flags) addSiteFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	f.StringP("config", "c", "", "read `FILE` instead of the project's sitemap.yaml")
	f.StringP("base-url", "b", "", "the `URL` at which the site is published")
	f.String("content", "", "read the front matter of the files in `DIR`")
	f.StringArray("include", nil, "list only files that match `GLOB` (repeatable)")
	f.StringArray("exclude", nil, "never list files that match `GLOB` (repeatable)")
	f.String("host", "", "write URLs as the host `NAME` serves them")
	f.String("generator", "", "read the files of the generator `NAME`")
	f.String("lastmod", "", "take dates from the sources in `LIST`")
	f.String("ledger", "", "record page changes in `FILE`")
	f.StringArray("level", nil, "set a level `CODE=LEVEL`: "+strings.Join(diag.LevelNames, ", "))
	f.DurationVar(&b.opts.Timeout, "timeout", fetch.DefaultTotal, "end all requests after `TIME` (default 10m)")
	f.String("jobs", "", "read with `N` workers; 0 chooses the number")
}

// addOutputFlags adds the flags about the files to write.
func (b *flags) addOutputFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringP("output", "o", "", "write into `DIR` instead; - prints the sitemap")
	f.String("format", "", "write a `LIST` of "+strings.Join(writer.Formats, ", "))
	f.String("gzip", "", "compress; `MODE` is also (the default) or only")
	f.Lookup("gzip").NoOptDefVal = "also"
}

// addMessageFlags adds the flags about printed messages.
func (b *flags) addMessageFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&b.json, "json", false, "print one JSON report on standard output")
	f.BoolVarP(&b.quiet, "quiet", "q", false, "print errors only")
	f.BoolVarP(&b.verbose, "verbose", "v", false, "print who decided each setting, and every finding")
}

func (b *flags) addNoCacheFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&b.noCache, "no-cache", false, "neither read nor keep the list of the last build")
}

func (b *flags) addMaxLossFlag(cmd *cobra.Command) {
	cmd.Flags().String("max-loss", "", "allow `NUMBER` missing URLs, or a share such as 5%")
}

// absPath returns the absolute path of a file that the user names relative to the working
// directory.
func (e *Env) absPath(file string) string { return engine.ResolvePath(e.Dir, file) }

// buildOptions returns the options of a build that the flags and the environment set.
func (b *flags) buildOptions(env Env) engine.Options {
	o := b.opts
	o.Dir, o.Stdin, o.Stdout = env.Dir, env.Stdin, env.Stdout
	if !b.noCache {
		o.Cache = env.Cache
	}
	switch r := &b.reports; {
	case b.verbose || r.baselineFile != "" || r.newBaselineFile != "":
		o.MaxKept = -1
	case b.json || len(r.forms) > 0:
		o.MaxKept = report.MaxFindings
	}
	return o
}

// startProgress shows on the terminal how many files have been read, or how many URLs requested,
// until the caller calls b.endProgress. It shows nothing if p does not print to a terminal, or if a
// flag or the environment forbids progress.
func (b *flags) startProgress(env Env, p *Printer, o *engine.Options) {
	if !p.Messages.Terminal || b.noProgress || b.quiet || b.json || env.Getenv("CI") != "" || env.Getenv("TERM") == "dumb" {
		b.endProgress = func() {}
		return
	}
	bar, end := startProgress(p.Err, p.Messages)
	b.endProgress, o.Progress, o.RequestProgress = end, bar.setFiles, bar.setRequests
}

// newInput returns the input of config.Resolve: the flags that the user passed, the environment and
// the time. args is empty, or contains the argument DIR.
func newInput(env Env, cmd *cobra.Command, args []string) config.Input {
	given := config.Flags{}
	cmd.Flags().Visit(func(f *pflag.Flag) {
		given[f.Name] = []string{f.Value.String()}
		if list, ok := f.Value.(pflag.SliceValue); ok {
			given[f.Name] = list.GetSlice()
		}
	})
	if len(args) > 0 {
		given["dir"] = args[:1]
	}
	return config.Input{Flags: given, Getenv: env.Getenv, Dir: env.Dir, Now: env.Now()}
}

// reportFlags contains the values of the flags about reports and the baseline. The baseline is a
// file with findings that the user accepts.
type reportFlags struct {
	forms    []string // values of --report
	requests report.Requests

	baselineFile    string           // value of --baseline
	newBaselineFile string           // value of --write-baseline
	accepted        *report.Baseline // the accepted findings; nil without --baseline
}

// addReportFlags adds the flags about reports and --no-progress. It also adds the flags of
// addMessageFlags, such as --json.
func (b *flags) addReportFlags(cmd *cobra.Command) {
	b.addMessageFlags(cmd)
	f, o := cmd.Flags(), &b.reports
	f.StringArrayVar(&o.forms, "report", nil, "write a report `FORM[=FILE]`, as html=report.html")
	f.StringVar(&o.baselineFile, "baseline", "", "accept the findings listed in `FILE`")
	f.StringVar(&o.newBaselineFile, "write-baseline", "", "accept today's findings, write them to `FILE`")
	f.BoolVar(&b.noProgress, "no-progress", false, "do not show progress")
}

// applyBaseline removes the findings that the baseline accepts from r.Findings. With
// --write-baseline, it writes all findings to a new baseline, which then accepts them. If the
// command failed, its findings are incomplete. applyBaseline then writes no baseline and counts no
// finding as fixed.
func (o *reportFlags) applyBaseline(env Env, r *report.Report) error {
	all := r.Findings
	if o.accepted != nil {
		r.Findings, r.Accepted, r.Fixed = o.accepted.SplitAccepted(all)
	}
	if r.Error != "" {
		r.Fixed = nil
		return nil
	}
	if o.newBaselineFile == "" {
		return nil
	}
	b, err := report.WriteBaseline(o.newBaselineFile, env.absPath, all)
	if err == nil {
		r.Findings, r.Accepted, _ = b.SplitAccepted(all)
	}
	return err
}

// reportEnv returns the environment for writing reports: standard output, folder and variables.
func (e *Env) reportEnv() *report.Env {
	return &report.Env{Dir: e.Dir, Path: e.absPath, Getenv: e.Getenv, Stdout: e.Stdout, Version: version()}
}

// dropPrivateReportsInSite removes the requests of private reports that would be written into the
// publish directory or the output folder. It returns an error about the first of them. If c is nil,
// it does nothing.
func (o *reportFlags) dropPrivateReportsInSite(env Env, c *config.Settings) error {
	if c == nil {
		return nil
	}
	dirs := []string{c.Writer.Publish, c.Writer.Dir}
	if c.Site.Pages != nil {
		dirs = append(dirs, c.Site.Pages.Dir)
	}
	return o.requests.DropPrivateReportsIn(env.reportEnv(), dirs...)
}

// reportedPages converts all pages of a site for reports. It returns nil if no requested report
// contains pages.
func (o *reportFlags) reportedPages(res *site.Result) []report.Page {
	if !o.requests.NeedsPages() {
		return nil
	}
	return pageRows(res)
}

// A result contains what a command has computed. After an error, it is incomplete.
type result struct {
	*engine.Build
	report        *report.Report
	print         func(*Printer) // prints the result; not nil if the command succeeded or printsFailure is set
	printsFailure bool           // print the result also if the command failed
	isQuery       bool           // the user asked for the printed result and not for findings
}

// prepareRun reads the baseline, parses the values of --report, and starts to show progress. It
// returns the options of the build. If it returns no error, the caller must call finishRun.
func (b *flags) prepareRun(ctx context.Context, env Env, p *Printer) (o engine.Options, err error) {
	p.Quiet = b.quiet
	if b.opts.Timeout <= 0 {
		return o, fmt.Errorf("--timeout %v is not above 0s", b.opts.Timeout)
	}
	r := &b.reports
	if r.baselineFile != "" {
		if r.accepted, err = report.ReadBaseline(ctx, r.baselineFile, env.absPath); err != nil {
			return o, err
		}
	}
	if r.requests, err = report.ParseRequests(b.json, r.forms); err != nil {
		return o, err
	}
	b.opts.Titles = r.requests.NeedsPages()
	o = b.buildOptions(env)
	b.startProgress(env, p, &o)
	return o, nil
}

// finishRun ends the progress, prints the result of a command and writes the requested reports. err is the error of
// the command. finishRun returns the first of these errors, or nil: an error of the baseline, err,
// an error of a report, errFindings if the findings make the command fail.
func (b *flags) finishRun(ctx context.Context, env Env, p *Printer, out result, err error) error {
	b.endProgress()
	r, done := out.report, err == nil
	if !out.isQuery {
		r.Findings = out.Findings.Kinds()
	}
	if out.Settings != nil {
		r.Base = out.Settings.Site.Base.String()
	}
	if err != nil {
		r.Error = err.Error()
	}
	if b.reports.accepted != nil || b.reports.newBaselineFile != "" {
		if wrong := b.reports.applyBaseline(env, r); wrong != nil {
			err, r.Error = wrong, wrong.Error()
		}
	}
	hasRequests := len(b.reports.requests.List) > 0
	if !hasRequests || b.reports.requests.ShouldPrintText() {
		b.printResult(p, out, done)
	}
	if hasRequests {
		err = cmp.Or(err, b.reports.requests.WriteAll(ctx, env.reportEnv(), r, func(w io.Writer) {
			file := &Printer{Out: w, Err: w, Quiet: p.Quiet}
			b.printResult(file, out, done)
			if r.Error != "" {
				file.PrintError(err)
			}
		}))
	}
	if err == nil && r.Outcome() == report.Failed {
		return errFindings
	}
	return err
}

// printResult prints the findings and the result of a command. done is false for a command that
// failed.
func (b *flags) printResult(p *Printer, out result, done bool) {
	if b.verbose {
		printOrigins(p, out.Origins())
	}
	shown := out.report.Findings
	if !p.Quiet {
		shown = out.report.FindingsWithoutChanges()
	}
	if len(shown) > 0 && !out.isQuery {
		p.PrintFindings(shown, b.verbose)
	}
	if done && (!p.Quiet || out.isQuery) || !done && out.printsFailure {
		printProjectFolder(p, out.Settings)
		out.print(p)
	}
	if b.reports.accepted != nil || b.reports.newBaselineFile != "" {
		printBaseline(p, out.report, b.reports.baselineFile, b.reports.newBaselineFile)
	}
}

// readSite resolves the settings, reads the site and decides what is listed.
func readSite(ctx context.Context, o engine.Options, in config.Input) (*engine.Build, error) {
	r := engine.New(o)
	err := r.Resolve(in)
	if err == nil {
		err = r.ReadSite(ctx)
	}
	return r, err
}

// minFailingSeverity returns the lowest severity for which a finding makes the command fail: error,
// or warning with --strict.
func (b *flags) minFailingSeverity() *diag.Severity {
	lowest := diag.Error
	if b.strict {
		lowest = diag.Warning
	}
	return &lowest
}

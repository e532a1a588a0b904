package cli

import (
	"cmp"
	"context"
	"fmt"
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
	endProgress func()         // ends the progress that startProgress shows; may be called several times

	json, verbose, quiet        bool
	strict, noCache, noProgress bool

	reports         []string         // values of --report
	requests        report.Requests  // the reports that the user requested
	baselineFile    string           // value of --baseline
	newBaselineFile string           // value of --write-baseline
	accepted        *report.Baseline // findings that the user accepts; nil without --baseline
}

// addSiteFlags adds the flags that describe the site.
func (f *flags) addSiteFlags(cmd *cobra.Command) {
	flagSet := cmd.Flags()
	flagSet.SortFlags = false
	flagSet.StringP("config", "c", "", "read `FILE` instead of the project's sitemap.yaml")
	flagSet.StringP("base-url", "b", "", "the `URL` at which the site is published")
	flagSet.String("content", "", "read the front matter of the files in `DIR`")
	flagSet.StringArray("include", nil, "list only files that match `GLOB` (repeatable)")
	flagSet.StringArray("exclude", nil, "never list files that match `GLOB` (repeatable)")
	flagSet.String("host", "", "write URLs as the host `NAME` serves them")
	flagSet.String("generator", "", "read the files of the generator `NAME`")
	flagSet.String("lastmod", "", "take dates from the sources in `LIST`")
	flagSet.String("ledger", "", "record page changes in `FILE`")
	flagSet.StringArray("level", nil, "set a level `CODE=LEVEL`: "+strings.Join(diag.LevelNames, ", "))
	flagSet.DurationVar(&f.opts.Timeout, "timeout", fetch.DefaultTotal, "end all requests after `TIME` (default 10m)")
	flagSet.String("jobs", "", "read with `N` workers; 0 chooses the number")
}

// addOutputFlags adds the flags about the files to write.
func (f *flags) addOutputFlags(cmd *cobra.Command) {
	flagSet := cmd.Flags()
	flagSet.StringP("output", "o", "", "write into `DIR` instead; - prints the sitemap")
	flagSet.String("format", "", "write a `LIST` of "+strings.Join(writer.Formats, ", "))
	flagSet.String("gzip", "", "compress; `MODE` is also (the default) or only")
	flagSet.Lookup("gzip").NoOptDefVal = "also"
}

// addMessageFlags adds the flags about printed messages.
func (f *flags) addMessageFlags(cmd *cobra.Command) {
	flagSet := cmd.Flags()
	flagSet.BoolVar(&f.json, "json", false, "print one JSON report on standard output")
	flagSet.BoolVarP(&f.quiet, "quiet", "q", false, "print errors only")
	flagSet.BoolVarP(&f.verbose, "verbose", "v", false, "print who decided each setting, and every finding")
}

func (f *flags) addNoCacheFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&f.noCache, "no-cache", false, "neither read nor keep the list of the last build")
}

func (f *flags) addMaxLossFlag(cmd *cobra.Command) {
	cmd.Flags().String("max-loss", "", "allow `NUMBER` missing URLs, or a share such as 5%")
}

// absPath returns the absolute path of a file that may be relative to the working directory. It
// returns a URL unchanged.
func (e *Env) absPath(file string) string { return engine.ResolvePath(e.Dir, file) }

// buildOptions returns the options of a build that the flags and the environment set.
func (f *flags) buildOptions(env Env) engine.Options {
	o := f.opts
	o.Dir, o.Stdin, o.Stdout = env.Dir, env.Stdin, env.Stdout
	if !f.noCache {
		o.Cache = env.Cache
	}
	switch {
	case f.verbose || f.baselineFile != "" || f.newBaselineFile != "":
		o.MaxKept = -1
	case f.json || len(f.reports) > 0:
		o.MaxKept = report.MaxFindings
	}
	return o
}

// startProgress shows on the terminal how many files have been read, or how many URLs have been
// requested, until the caller calls f.endProgress. It shows nothing if p does not print to a
// terminal, or if a flag or the environment forbids progress.
func (f *flags) startProgress(env Env, p *Printer, o *engine.Options) {
	if !p.ErrScreen.IsTerminal || f.noProgress || f.quiet || f.json || env.Getenv("CI") != "" || env.Getenv("TERM") == "dumb" {
		f.endProgress = func() {}
		return
	}
	bar, end := startProgress(p.Err, p.ErrScreen)
	f.endProgress, o.Progress, o.RequestProgress = end, bar.setFiles, bar.setRequests
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

// firstArg returns the first of args, or "" if there is none.
func firstArg(args []string) string {
	if len(args) == 0 {
		return ""
	}
	return args[0]
}

// addReportFlags adds the flags about reports and --no-progress. It also adds the flags of
// addMessageFlags, such as --json.
func (f *flags) addReportFlags(cmd *cobra.Command) {
	f.addMessageFlags(cmd)
	flagSet := cmd.Flags()
	flagSet.StringArrayVar(&f.reports, "report", nil, "write a report `FORM[=FILE]`, as html=report.html")
	flagSet.StringVar(&f.baselineFile, "baseline", "", "accept the findings listed in `FILE`")
	flagSet.StringVar(&f.newBaselineFile, "write-baseline", "", "accept today's findings, write them to `FILE`")
	flagSet.BoolVar(&f.noProgress, "no-progress", false, "do not show progress")
}

// applyBaseline removes from r.Findings the findings that the baseline accepts. With
// --write-baseline, it writes all findings to a new baseline, which then accepts them. If the
// command failed, its findings are incomplete. applyBaseline then writes no baseline and counts no
// finding as fixed.
func (f *flags) applyBaseline(env Env, r *report.Report) error {
	all := r.Findings
	if f.accepted != nil {
		r.Findings, r.Accepted, r.Fixed = f.accepted.SplitAccepted(all)
	}
	if r.Error != "" {
		r.Fixed = nil
		return nil
	}
	if f.newBaselineFile == "" {
		return nil
	}
	b, err := report.WriteBaseline(f.newBaselineFile, env.absPath, all)
	if err == nil {
		r.Findings, r.Accepted, _ = b.SplitAccepted(all)
	}
	return err
}

// reportedPages converts all pages of a site for reports. It returns nil if no requested report
// contains pages.
func (f *flags) reportedPages(res *site.Result) []report.Page {
	if !f.requests.NeedsPages() {
		return nil
	}
	return pageRows(res)
}

// A result contains the data that a command has computed. After an error, it is incomplete.
type result struct {
	build         *engine.Build // contains the findings and the settings
	report        *report.Report
	print         func() // prints the result; not nil if the command succeeded or printsFailure is set
	printsFailure bool   // print the result also if the command failed
	isQuery       bool   // the user asked for the printed result and not for findings
}

// prepareRun reads the baseline, parses the values of --report, and starts to show progress. It
// returns the options of the build. If it returns no error, the caller must call finishRun.
func (f *flags) prepareRun(ctx context.Context, env Env, p *Printer) (o engine.Options, err error) {
	p.Quiet = f.quiet
	if f.opts.Timeout <= 0 {
		return o, fmt.Errorf("--timeout %v is not above 0s", f.opts.Timeout)
	}
	if f.baselineFile != "" {
		if f.accepted, err = report.ReadBaseline(ctx, f.baselineFile, env.absPath); err != nil {
			return o, err
		}
	}
	if f.requests, err = report.ParseRequests(f.json, f.reports); err != nil {
		return o, err
	}
	f.opts.Titles = f.requests.NeedsPages()
	o = f.buildOptions(env)
	f.startProgress(env, p, &o)
	return o, nil
}

// finishRun ends the progress, prints the result of a command, and writes the requested reports.
// err is the error of the command. finishRun returns the first of these errors, or nil if there is
// none: an error of the baseline, err, an error of a report, errFindings if the findings make the
// command fail.
func (f *flags) finishRun(env Env, p *Printer, out result, err error) error {
	f.endProgress()
	r, done := out.report, err == nil
	if !out.isQuery {
		r.Findings = out.build.Findings.Kinds()
	}
	if out.build.Settings != nil {
		r.Base = out.build.Settings.Site.Base.String()
	}
	if err != nil {
		r.Error = err.Error()
	}
	if wrong := f.applyBaseline(env, r); wrong != nil {
		err, r.Error = wrong, wrong.Error()
	}
	if f.requests.ShouldPrintText() {
		f.printResult(p, out, done)
	}
	if len(f.requests) > 0 {
		e := &report.Env{Dir: env.Dir, Path: env.absPath, Getenv: env.Getenv, Stdout: env.Stdout, Version: version(), Published: publishedDirs(out.build.Settings)}
		err = cmp.Or(err, f.requests.WriteAll(e, r))
	}
	if err == nil && r.Outcome() == report.Failed {
		return errFindings
	}
	return err
}

// publishedDirs returns the folders whose files are published: the publish directory, the folder of
// the sitemap, and the folder of the pages. c may be nil.
func publishedDirs(c *config.Settings) (dirs []string) {
	if c == nil {
		return nil
	}
	if c.Site.Pages != nil {
		dirs = append(dirs, c.Site.Pages.Dir)
	}
	return append(dirs, c.Writer.Publish, c.Writer.Dir)
}

// printResult prints the findings and the result of a command. done is false for a command that
// failed.
func (f *flags) printResult(p *Printer, out result, done bool) {
	if f.verbose {
		printOrigins(p, out.build.Origins())
	}
	shown := out.report.Findings
	if !p.Quiet {
		shown = out.report.FindingsWithoutChanges()
	}
	if len(shown) > 0 && !out.isQuery {
		p.PrintFindings(shown, f.verbose)
	}
	if done && (!p.Quiet || out.isQuery) || !done && out.printsFailure {
		printProjectFolder(p, out.build.Settings)
		out.print()
	}
	printBaseline(p, out.report, f.baselineFile, f.newBaselineFile)
}

// readSite resolves the settings, reads the site and decides which pages are listed.
func readSite(ctx context.Context, o engine.Options, in config.Input) (*engine.Build, error) {
	b := engine.New(o)
	err := b.Resolve(in)
	if err == nil {
		err = b.ReadSite(ctx)
	}
	return b, err
}

// minFailingSeverity returns the lowest severity for which a finding makes the command fail: error,
// or warning with --strict.
func (f *flags) minFailingSeverity() *diag.Severity {
	lowest := diag.Error
	if f.strict {
		lowest = diag.Warning
	}
	return &lowest
}

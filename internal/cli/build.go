package cli

import (
	"cmp"
	"context"
	"errors"
	"path/filepath"
	"sync"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/terminal"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/writer"
	"github.com/spf13/cobra"
)

type buildFlags struct {
	common
	dryRun     bool
	strict     bool
	allowEmpty bool
	force      bool
	noProgress bool
	noCache    bool
}

var buildCommand = command{
	use:     "build [DIR]",
	short:   "write the sitemap of the site built in DIR",
	most:    1,
	prepare: prepareBuild,
	long: `Reads the site built in DIR and writes its sitemap there. Without DIR it finds
the folder in sitemap.yaml or in the generator's own files.

Exit codes: 0 success; 1 with --strict, there are findings; 2 the sitemap
could not be built, and nothing was changed.`,
	example: `  sitewalk build public -b https://example.com/
  sitewalk build public -b https://example.com/ -o - --format txt
  sitewalk build --content content -o out -b https://example.com/`,
}

func prepareBuild(env Env, p *printer, cmd *cobra.Command) {
	var b buildFlags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return b.run(cmd.Context(), env, p, b.input(env, cmd, args))
	}
	b.siteFlags(cmd)
	b.outputFlags(cmd)
	f := cmd.Flags()
	f.String("from", "", "list the URLs of the sitemaps in `FILE` (a glob, an index, a list of URLs; - reads standard input)")
	f.BoolVarP(&b.dryRun, "dry-run", "n", false, "write nothing, say what would be written")
	f.BoolVar(&b.strict, "strict", false, "exit with 1 for warnings and errors")
	f.BoolVar(&b.allowEmpty, "allow-empty", false, "write a sitemap without URLs if no page is listed")
	f.BoolVar(&b.force, "force", false, "replace an llms.txt that was written by hand or by another tool")
	b.lossFlag(cmd)
	b.cacheFlag(cmd)
	b.addReports(env, cmd)
}

// cacheFlag adds the flag that leaves the user's cache alone.
func (b *buildFlags) cacheFlag(cmd *cobra.Command) {
	cmd.Flags().BoolVar(&b.noCache, "no-cache", false, "neither read nor keep the list of the last build")
}

// lossFlag adds the flag that lets a part of a site go.
func (b *buildFlags) lossFlag(cmd *cobra.Command) {
	cmd.Flags().String("max-loss", "", "allow this `NUMBER` of missing URLs, or a percentage such as 5%")
}

func (b *buildFlags) run(ctx context.Context, env Env, p *printer, in config.Input) error {
	return b.perform(ctx, env, p, func(o build.Options, end func()) (result, error) {
		start := env.Now()
		r := build.New(o)
		err := b.build(ctx, env, r, in, end)
		r.Took = env.Now().Sub(start)
		return result{Build: r, report: b.reportOf(r, err), talk: func(p *printer) { p.summary(r, b.dryRun, b.verbose) }}, err
	})
}

// build does the work, as far as it comes.
func (b *buildFlags) build(ctx context.Context, env Env, r *build.Build, in config.Input, end func()) error {
	err := r.Resolve(ctx, in)
	if len(b.reports.requests) > 0 {
		err = cmp.Or(err, b.reports.outside(env, r.Settings))
	}
	if err != nil {
		return err
	}
	if r.Settings.Stdout {
		if err := b.reports.alone("-o -"); err != nil {
			return err
		}
	}
	if r.Settings.Skip != "" {
		return nil
	}
	if r.Settings.Writer.Dir == "" && !r.Settings.Stdout {
		return diag.Hinted{
			Err:  errors.New("there is no publish directory to write into"),
			Hint: "name a folder with -o, or print the sitemap with -o -",
		}
	}
	err = r.Learn(ctx)
	if err == nil {
		err = r.Guard(ctx)
	}
	if end(); err != nil {
		return err
	}
	if err := r.Write(ctx); err != nil {
		return err
	}
	r.Remember(ctx)
	return nil
}

// options are those of the flags.
func (b *buildFlags) options(env Env) build.Options {
	o := build.Options{
		DryRun: b.dryRun, AllowEmpty: b.allowEmpty, Force: b.force, Titles: b.reports.pages, Program: "sitewalk " + version(),
		Online: b.online,
		Dir:    env.Dir, Stdin: env.Stdin, Stdout: env.Stdout,
	}
	if !b.noCache {
		o.Cache = env.Cache
	}
	if b.verbose || b.reports.wantsAll() {
		o.Keep = -1
	}
	return o
}

// progress shows a person who waits how far learning is, until end is called.
func (b *buildFlags) progress(env Env, p *printer, o *build.Options) (end func()) {
	if !env.Terminal || b.noProgress || b.quiet || b.json || env.Getenv("CI") != "" || env.Getenv("TERM") == "dumb" {
		return func() {}
	}
	bar := terminal.StartProgress(p.Err, p.Messages)
	o.Progress, o.Asking = bar.Read, bar.Ask
	return sync.OnceFunc(bar.End)
}

// origins says who decided each setting.
func (p *printer) origins(all []config.Origin) {
	for _, o := range all {
		from := o.By
		if o.Pos.File != "" {
			from += " " + o.Pos.String()
		}
		if o.Why != "" {
			from += " " + o.Why
		}
		p.Say("%s: %s (%s)", o.Key, o.Value, from)
	}
}

// A buildDetails is what only build says in JSON; docs/json.md describes it.
type buildDetails struct {
	DryRun   bool            `json:"dry_run"`
	Skipped  string          `json:"skipped,omitempty"` // why nothing was to be written
	Sitemap  string          `json:"sitemap,omitempty"` // the file that search engines are told of
	URLs     int             `json:"urls"`
	LeftOut  map[string]int  `json:"left_out"` // pages by reason, every reason named
	Paired   int             `json:"paired"`
	Unpaired int             `json:"unpaired"`
	Dated    int             `json:"dated"`
	Dates    map[string]int  `json:"dates"` // dates by source
	Files    []writer.File   `json:"files"`
	Settings []config.Origin `json:"settings"`
	Seconds  float64         `json:"seconds"`
}

// reportOf is what a build has to say, err being why it failed: nothing but the verdict
// unless a report is asked for.
func (b *buildFlags) reportOf(r *build.Build, err error) *report.Report {
	out := &report.Report{Command: "build"}
	if b.strict {
		out.FailsAt = b.failsAt()
	}
	if len(b.reports.requests) == 0 {
		return out
	}
	d := buildDetails{
		DryRun: b.dryRun,
		URLs:   r.URLs(), LeftOut: map[string]int{},
		Paired: r.Result.Paired, Unpaired: r.Result.Unpaired,
		Dated: r.Result.Dated, Dates: r.Result.Dates,
		Files: append([]writer.File{}, r.Files.Files...), Seconds: r.Took.Seconds(),
	}
	for i, why := range page.Reasons {
		if page.Reason(i) != page.Listed {
			d.LeftOut[why.Name] = r.Result.Left[i]
		}
	}
	if r.Settings != nil {
		d.Settings, d.Skipped = r.Origins(), r.Settings.Skip
		if !r.Settings.Stdout {
			d.Sitemap = filepath.ToSlash(filepath.Join(r.Dir, r.Settings.Writer.Entry()))
		}
	}
	if d.Dates == nil {
		d.Dates = map[string]int{}
	}
	out.Details, out.Pages = d, b.reports.pagesOf(r.Result)
	if out.Pages != nil && err == nil {
		out.Changes = changesOf(r.Since, out.Pages)
	}
	return out
}

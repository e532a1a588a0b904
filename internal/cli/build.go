package cli

import (
	"cmp"
	"context"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/spf13/cobra"
)

var buildCommand = command{
	use:     "build [DIR]",
	short:   "write the sitemap of the site built in DIR",
	maxArgs: 1,
	prepare: prepareBuild,
	long: `Reads the site built in DIR and writes its sitemap there. Without DIR it finds
the folder in sitemap.yaml or in the generator's own files.

Exit codes: 0 success; 1 with --strict, there are findings; 2 the sitemap
could not be built, and nothing was changed, or a report could not be written.`,
	example: `  sitewalk build public -b https://example.com/
  sitewalk build public -b https://example.com/ -o - --format txt
  sitewalk build --content content -o out -b https://example.com/`,
}

func prepareBuild(env Env, p *Printer, cmd *cobra.Command) {
	var b flags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return b.run(cmd.Context(), env, p, input(env, cmd, args))
	}
	b.addSite(cmd)
	b.addOutput(cmd)
	f := cmd.Flags()
	f.String("from", "", "take the URLs from the sitemaps in `FILE`; - is stdin")
	f.BoolVarP(&b.opts.DryRun, "dry-run", "n", false, "write nothing, print what would be written")
	f.BoolVar(&b.strict, "strict", false, "exit with 1 for warnings and errors")
	f.BoolVar(&b.opts.AllowEmpty, "allow-empty", false, "write a sitemap without URLs if no page is listed")
	f.BoolVar(&b.opts.Force, "force", false, "replace an llms.txt that sitewalk did not write")
	b.addLoss(cmd)
	b.addCache(cmd)
	b.addReports(cmd)
}

func (b *flags) run(ctx context.Context, env Env, p *Printer, in config.Input) error {
	o, endProgress, err := b.begin(ctx, env, p)
	if err != nil {
		return err
	}
	defer endProgress()
	start := env.Now()
	r := engine.New(o)
	err = b.build(ctx, env, r, in, endProgress)
	endProgress()
	r.Took = env.Now().Sub(start)
	out := &report.Report{Command: "build"}
	if b.strict {
		out.FailsAt = b.failsAt()
	}
	if len(b.reports.requests.List) > 0 {
		out.Details, out.Pages = newBuildDetails(r, b.opts.DryRun), b.reports.pagesOf(r.Result)
	}
	if out.Pages != nil && err == nil {
		out.Changes = reportChanges(r.Since, out.Pages)
	}
	printSummary := func(p *Printer) { printBuild(p, r, b.opts.DryRun, b.verbose) }
	return b.finish(ctx, env, p, result{Build: r, report: out, print: printSummary}, err)
}

// build resolves the settings, reads the site and writes the sitemap. It calls endProgress
// when the site is read. If it fails, r has the results of the steps that were done.
func (b *flags) build(ctx context.Context, env Env, r *engine.Build, in config.Input, endProgress func()) error {
	in.Skips = true
	err := r.Resolve(in)
	if len(b.reports.requests.List) > 0 {
		err = cmp.Or(err, b.reports.refusePublished(env, r.Settings))
	}
	if err != nil {
		return err
	}
	if r.Settings.Stdout {
		if err := b.reports.requests.ClashesWith("-o -"); err != nil {
			return err
		}
	}
	if r.Settings.Skip != "" {
		return nil
	}
	if r.Settings.Writer.Dir == "" && !r.Settings.Stdout {
		return diag.Hintedf("name a folder with -o, or print the sitemap with -o -",
			"there is no publish directory to write into")
	}
	err = r.Learn(ctx)
	if err == nil {
		err = r.Guard(ctx)
	}
	endProgress()
	if err != nil {
		return err
	}
	if err := r.Write(ctx); err != nil {
		return err
	}
	r.KeepPast(ctx)
	return nil
}

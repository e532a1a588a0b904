package cli

import (
	"cmp"
	"context"
	"errors"

	"github.com/spf13/cobra"

	"github.com/sitewalk/sitewalk/internal/audit"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/report"
)

var diffCommand = command{
	use:     "diff [OLD [NEW]]",
	short:   "say what a deploy adds, loses, moves, hides and changes",
	maxArgs: 2,
	prepare: prepareDiff,
	long: `Compares two lists of URLs, and says what a deploy would add, lose, move, hide
and change. OLD is what is published now: by default the sitemap of the live
site. NEW is by default the built site.

OLD and NEW may be a sitemap or an index, a feed, a list of URLs, a JSON
report, - for standard input, the folder of a built site, or the address of
one of these.

A URL is lost if OLD lists it and the new site neither serves it nor redirects
it to a listed page. It is hidden if it is served, but no longer listed.
Redirects that are temporary, take several steps, or end nowhere are badly
moved.

For a lost page, diff names the page that took its place and the redirect to
paste. If OLD is the live sitemap, it reads up to 20 lost pages that the live
site still serves, to compare their content with the new pages.

A first deploy passes, with a note, if the live site has no sitemap: its host
is not known yet, or it answers 404, with an empty file or with a web page. If
another tool wrote OLD, hidden and redirected pages in it are no loss.

Exit codes: 0 success; 1 more URLs are lost or hidden than --max-loss allows,
or there are findings that fail; 2 the lists could not be compared.`,
	example: `  sitewalk diff
  sitewalk diff old/sitemap.xml public -b https://example.com/ --max-loss 1%
  sitewalk diff before.xml after.xml`,
}

func prepareDiff(env Env, p *Printer, cmd *cobra.Command) {
	var d flags
	var noPages bool
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in := input(env, cmd, nil)
		return d.diff(cmd.Context(), env, p, in, append(args, "", "")[:2], !noPages)
	}
	d.addSite(cmd)
	d.addLoss(cmd)
	cmd.Flags().BoolVar(&noPages, "no-live-pages", false, "do not read lost pages on the live site")
	cmd.Flags().BoolVar(&d.strict, "strict", false, "exit with 1 for warnings and errors")
	d.addReports(cmd)
}

func (d *flags) diff(ctx context.Context, env Env, p *Printer, in config.Input, names []string, livePages bool) error {
	if names[0] == "-" && names[1] == "-" {
		return errors.New("OLD and NEW are both standard input; name a file for one of them")
	}
	o, endProgress, err := d.begin(ctx, env, p)
	if err != nil {
		return err
	}
	defer endProgress()
	r, err := audit.RunDiff(ctx, audit.Options{Build: o, Input: in, First: true, LivePages: livePages}, names[0], names[1])
	err = cmp.Or(err, d.reports.refusePublished(env, r.Settings))
	endProgress()
	out := &report.Report{Command: "diff", Changes: r.Changes, Pages: d.reports.pagesOf(r.Result), FailsAt: d.failsAt()}
	printSummary := func(p *Printer) { printDiff(p, r.Changes, d.verbose) }
	return d.finish(ctx, env, p, result{Build: r.Build, report: out, print: printSummary}, err)
}

package cli

import (
	"bufio"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/page"
)

var listCommand = command{
	use:     "list [DIR]",
	short:   "print every page of the site, in or out, and why",
	maxArgs: 1,
	prepare: prepareList,
	long: `Prints a line for each page of the site, sorted by URL. At a terminal it is a
table; elsewhere tabs separate the columns

  in or out, why it is out, URL, date, the source of the date, file

and a hyphen is an empty column. sitewalk explain says more about a page.`,
	example: `  sitewalk list --out
  sitewalk list --reason noindex,canonical
  sitewalk list public -b https://example.com/ | cut -f 3`,
}

type listFlags struct {
	flags
	in, out bool
	reasons string
}

func prepareList(env Env, p *Printer, cmd *cobra.Command) {
	var l listFlags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		return l.run(cmd.Context(), env, p, input(env, cmd, args))
	}
	l.addSite(cmd)
	f := cmd.Flags()
	f.String("from", "", "take the URLs from the sitemaps in `FILE`")
	f.BoolVar(&l.in, "in", false, "only what is in the sitemap")
	f.BoolVar(&l.out, "out", false, "only what is left out")
	f.StringVar(&l.reasons, "reason", "", "only what is left out for the reasons in `LIST`")
	l.addMessages(cmd)
	f.Lookup("quiet").Usage = "print no progress"
	f.Lookup("verbose").Usage = "print what decided each page and setting, and where"
}

func (l *listFlags) run(ctx context.Context, env Env, p *Printer, in config.Input) error {
	shown, err := l.shownReasons()
	if err != nil {
		return err
	}
	o, endProgress, err := l.begin(ctx, env, p)
	if err != nil {
		return err
	}
	defer endProgress()
	r, err := readSite(ctx, o, in)
	endProgress()
	out := result{Build: r, report: &report.Report{Command: "list"}, isQuery: true}
	if err != nil {
		out.isQuery = false
		return l.finish(ctx, env, p, out, err)
	}
	pages := func(yield func(report.Page) bool) {
		for p := range r.Result.Pages() {
			if shown[p.Reason()] && !yield(pageRow(r.Result, p)) {
				return
			}
		}
	}
	if out.report.Findings = r.Findings.Kinds(); l.json {
		out.report.Pages = slices.Collect(pages)
	}
	out.print = func(p *Printer) {
		w := bufio.NewWriter(p.Out)
		if p.Page.Terminal {
			printTable(w, p.Page, r.Settings.Site.Base.String(), slices.Collect(pages), l.verbose)
		} else {
			printLines(w, pages, l.verbose)
		}
		_ = w.Flush() // p.Out keeps the error
	}
	return l.finish(ctx, env, p, out, nil)
}

// shownReasons returns, for each reason, whether pages with the reason are printed.
func (l *listFlags) shownReasons() (filter [len(page.Reasons)]bool, err error) {
	if l.in && l.out {
		return filter, diag.Hintedf("leave both out for all pages", "--in and --out leave nothing to list")
	}
	if l.in && l.reasons != "" {
		return filter, diag.Hintedf("leave --in out for what is left out", "--in and --reason leave nothing to list")
	}
	names := strings.FieldsFunc(l.reasons, func(r rune) bool { return r == ',' || r == ' ' })
	for _, name := range names {
		if names := page.ReasonNames(); !slices.Contains(names, name) {
			hint := strings.Join(names, ", ")
			if guess := strict.NearestWord(name, names); guess != "" {
				hint = "did you mean " + guess + "?"
			}
			return filter, diag.Hintedf(hint, "--reason %q is not a reason", name)
		}
	}
	all := len(names) == 0
	for i, r := range page.Reasons {
		listed := page.Reason(i) == page.Listed
		filter[i] = listed && !l.out && all || !listed && !l.in && (all || slices.Contains(names, r.Name))
	}
	return filter, nil
}

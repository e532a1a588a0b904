package cli

import (
	"bufio"
	"context"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
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
	l.addTalk(cmd)
	f.Lookup("quiet").Usage = "print no progress"
	f.Lookup("verbose").Usage = "print what decided each page and setting, and where"
}

func (l *listFlags) run(ctx context.Context, env Env, p *Printer, in config.Input) error {
	shows, err := l.filter()
	if err != nil {
		return err
	}
	return l.perform(ctx, env, p, func(o engine.Options, _ func()) (result, error) {
		out := &report.Report{Command: "list"}
		r, err := learn(ctx, o, in)
		if err != nil {
			return result{Build: r, report: out}, err
		}
		pages := func(yield func(report.Page) bool) {
			for p := range r.Result.Pages() {
				if shows[p.Reason()] && !yield(pageRow(r.Result, p)) {
					return
				}
			}
		}
		if out.Findings = r.Findings.Kinds(); l.json {
			out.Pages = slices.Collect(pages)
		}
		return result{Build: r, report: out, shows: true, talk: func(p *Printer) {
			w := bufio.NewWriter(p.Out)
			if p.Page.Terminal {
				printTable(w, p.Page, r.Settings.Site.Base.String(), slices.Collect(pages), l.verbose)
			} else {
				printLines(w, pages, l.verbose)
			}
			_ = w.Flush() // the output remembers why
		}}, nil
	})
}

// filter returns which reasons are to be listed.
func (l *listFlags) filter() (filter [len(page.Reasons)]bool, err error) {
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

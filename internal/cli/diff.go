package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/diff"
	"github.com/sitewalk/sitewalk/internal/guard"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/terminal"
)

var diffCommand = command{
	use:     "diff [OLD [NEW]]",
	short:   "say what a deploy adds, loses, moves, hides and changes",
	most:    2,
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

If the live site answers 404 for OLD, there is nothing to compare with: a
first deploy passes, with a note.

Exit codes: 0 success; 1 more URLs are lost or hidden than --max-loss allows,
or there are findings that fail; 2 the lists could not be compared.`,
	example: `  sitewalk diff
  sitewalk diff old/sitemap.xml public -b https://example.com/ --max-loss 1%
  sitewalk diff before.xml after.xml`,
}

func prepareDiff(env Env, p *printer, cmd *cobra.Command) {
	var d flags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in := input(env, cmd, nil)
		return d.diff(cmd.Context(), env, p, in, append(args, "", "")[:2])
	}
	d.addSite(cmd)
	d.addLoss(cmd)
	cmd.Flags().BoolVar(&d.strict, "strict", false, "exit with 1 for warnings, too")
	d.addReports(env, cmd)
}

func (d *flags) diff(ctx context.Context, env Env, p *printer, in config.Input, names []string) error {
	if names[0] == "-" && names[1] == "-" {
		return errors.New("OLD and NEW are both standard input; name a file for one of them")
	}
	return d.perform(ctx, env, p, func(o build.Options, _ func()) (result, error) {
		r, err := guard.Lists(ctx, guard.Options{Build: o, Input: in, First: true}, names[0], names[1])
		err = cmp.Or(err, d.reports.outside(env, r.Settings))
		out := &report.Report{Command: "diff", Changes: r.Changes, Pages: d.reports.pagesOf(r.Result), FailsAt: d.failsAt()}
		done := result{Build: r.Build, report: out, talk: func(p *printer) { p.changes(r.Changes, d.verbose) }}
		if !d.quiet {
			done.hide = []string{"lost-url", "hidden-url", "badly-moved"}
		}
		return done, err
	})
}

// mostOfClass is how many changes of one class are shown to a person.
const mostOfClass = 10

// changes prints what became of the URLs, by class, and the sum of it.
func (p *printer) changes(c *report.Changes, all bool) {
	number, shown := map[string]int{}, map[string]int{}
	for _, change := range c.List {
		number[change.Class]++
	}
	for _, change := range c.List {
		shown[change.Class]++
		if n := shown[change.Class]; all || n <= mostOfClass {
			p.change(change)
		} else if n == mostOfClass+1 {
			fmt.Fprintf(p.Out, "%-15s  and %d more; -v prints all\n", change.Class, number[change.Class]-mostOfClass)
		}
	}
	var parts []string
	for _, class := range diff.Classes {
		if n := number[class]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, class))
		}
	}
	same := fmt.Sprintf("%d the same", c.Same)
	if c.Same > 0 && !c.Content {
		same += " (content not compared)"
	}
	parts = append(parts, same)
	p.Say("%s before, %s now: %s", diag.Count(c.Was, "URL"), diag.Count(c.Is, "URL"), strings.Join(parts, ", "))
	if c.Lost > c.Max {
		p.Say("%s lost or hidden, and --max-loss allows %d", diag.Count(c.Lost, "URL"), c.Max)
		p.Say("to accept it once: --max-loss %d; for good: list the URLs under diff.gone in sitemap.yaml", c.Lost)
	}
}

// change prints what became of one URL.
func (p *printer) change(c report.Change) {
	line := fmt.Sprintf("%-15s  %s", c.Class, c.URL)
	if c.To != "" && c.Class != diff.Lost {
		line += " → " + c.To
	}
	if why := strings.Join(nonEmpty(c.Reason, parens(c.Pos.String())), " "); why != "" {
		line += "  " + why
	}
	if c.Was != c.Is && (c.Class == diff.Changed || c.Class == diff.Redated) {
		line += fmt.Sprintf("  %s, was %s", cmp.Or(c.Is, "no date"), cmp.Or(c.Was, "no date"))
	}
	colour := terminal.Severities[c.Level]
	if c.Class == diff.Added {
		colour = terminal.Green
	}
	line = p.Page.Wrap(diag.Plain(line), len(c.Class)+2+max(0, 15-len(c.Class)))
	fmt.Fprintln(p.Out, p.Page.Paint(colour, c.Class)+strings.TrimPrefix(line, c.Class))
	if c.Fix != "" {
		fmt.Fprintf(p.Out, "%15s  %s\n", "", diag.Plain("add to "+c.In+": "+c.Fix))
	}
}

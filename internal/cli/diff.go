package cli

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/audit"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/spf13/cobra"
)

func newDiffCommand(env Env, p *Printer) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "diff [OLD [NEW]]",
		Short: "show what a deploy adds, loses, moves, hides and changes",
		Args:  limitArguments(0, 2),
		Long: `Compares two lists of URLs, and shows what a deploy would add, lose, move, hide
and change. OLD is what is published now: by default the sitemap of the live
site. NEW is by default the built site. If you name only the publish
directory, it is NEW.

OLD and NEW may be a sitemap or an index, a feed, a list of URLs, a JSON
report, - for standard input, the folder of a built site, or the address of
one of these.

A URL is lost if OLD lists it and the new site neither serves it nor redirects
it to a listed page. It is hidden if it is served, but no longer listed.
Redirects that are temporary, take several steps, or end nowhere are badly
moved.

For a lost page, diff names the page that took its place and the redirect to
paste: a line for the host's file, front matter, or a page that redirects. It
does not read the configuration of nginx and Caddy: write an address that is
redirected there under diff.gone in sitemap.yaml. If OLD is the live sitemap,
diff reads up to 20 lost pages that the live site still serves, to compare
their content with the new pages.

A first deploy passes, with a note, if the live site has no sitemap: its host
is not known yet, or it answers 404, with an empty file or with a web page. If
another tool wrote OLD, hidden and redirected pages in it are no loss.
SITEWALK_LIVE_HEADER="Name: value" opens a protected live site.

Exit codes: 0 success; 1 more URLs are lost or hidden than --max-loss allows,
or there are findings that fail; 2 the lists could not be compared.`,
		Example: `  sitewalk diff
  sitewalk diff old/sitemap.xml public -b https://example.com/ --max-loss 1%
  sitewalk diff before.xml after.xml`,
	}
	var f flags
	var noPages bool
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in := newInput(env, cmd, nil)
		return f.runDiff(cmd.Context(), env, p, in, append(args, "", "")[:2], !noPages)
	}
	f.addSiteFlags(cmd)
	f.addMaxLossFlag(cmd)
	cmd.Flags().BoolVar(&noPages, "no-live-pages", false, "do not read lost pages on the live site")
	cmd.Flags().BoolVar(&f.strict, "strict", false, "exit with 1 for warnings and errors")
	f.addReportFlags(cmd)
	return cmd
}

func (f *flags) runDiff(ctx context.Context, env Env, p *Printer, in config.Input, names []string, livePages bool) error {
	if names[0] == "-" && names[1] == "-" {
		return errors.New("OLD and NEW are both standard input; name a file for one of them")
	}
	o, err := f.prepareRun(ctx, env, p)
	if err != nil {
		return err
	}
	r, err := audit.RunDiff(ctx, audit.Options{Build: o, Input: in, Client: env.Client, First: true, LivePages: livePages, Header: env.Getenv("SITEWALK_LIVE_HEADER")}, names[0], names[1])
	out := &report.Report{Command: "diff", Changes: r.Changes, Pages: f.reportedPages(r.Result), FailsAt: f.minFailingSeverity()}
	printSummary := func() { printDiff(p, out, r, f.verbose) }
	return f.finishRun(env, p, result{build: r.Build, report: out, print: printSummary}, err)
}

// maxChangesPerClass is the maximum number of changes in one class that printDiff prints without
// -v.
const maxChangesPerClass = 10

// printDiff prints the changes, the number of changes in each class, and why the command failed, if
// it did. Unless all is true, it prints at most maxChangesPerClass changes of each class. If the
// old list is empty, as before the first deploy, it prints only the changes and the number of URLs.
func printDiff(p *Printer, r *report.Report, d *audit.DiffRun, all bool) {
	c := r.Changes
	number, shown := map[string]int{}, map[string]int{}
	for _, change := range c.List {
		number[change.Class]++
	}
	for _, change := range c.List {
		shown[change.Class]++
		if n := shown[change.Class]; all || n <= maxChangesPerClass {
			printChange(p, change)
		} else if n == maxChangesPerClass+1 {
			fmt.Fprintf(p.Out, "%-15s  and %d more; -v prints all\n", change.Class, number[change.Class]-maxChangesPerClass)
		}
	}
	var parts []string
	for _, class := range audit.Classes {
		if n := number[class]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, class))
		}
	}
	same := fmt.Sprintf("%d the same", c.Unchanged)
	if c.Unchanged > 0 && !c.Content {
		same += " (content not compared)"
	}
	parts = append(parts, same)
	if c.OldCount == 0 { // the first deploy
		p.Printf("%s now", diag.Count(c.NewCount, "URL"))
		return
	}
	p.Printf("%s before, %s now: %s", diag.Count(c.OldCount, "URL"), diag.Count(c.NewCount, "URL"), strings.Join(parts, ", "))
	if c.Lost > c.MaxLoss {
		p.Printf("to accept it once: --max-loss %d; for good: %s", c.Lost, goneHint(d.GoneGlobs()))
	}
	if d.NeedsHost() {
		p.Printf("write host: in sitemap.yaml to get the redirect lines")
	}
	switch {
	case r.Outcome() != report.Failed:
	case c.Lost > c.MaxLoss:
		p.printFailure("%s lost or hidden, and --max-loss allows %d", diag.Count(c.Lost, "URL"), c.MaxLoss)
	default:
		p.printFailure("%s, %s", diag.Count(r.CountSeverity(diag.Error), "error"), diag.Count(r.CountSeverity(diag.Warning), "warning"))
	}
}

// goneHint returns a hint with the line for sitemap.yaml that accepts the loss of the URLs that
// match globs. For more than maxChangesPerClass globs, the hint names only the setting diff.gone.
func goneHint(globs []string) string {
	if len(globs) > maxChangesPerClass {
		return "list the URLs under diff.gone in sitemap.yaml"
	}
	list, _ := json.Marshal(globs)
	return "write into sitemap.yaml diff: {gone: " + strings.ReplaceAll(string(list), `","`, `", "`) + "}"
}

// printChange prints the change of one URL.
func printChange(p *Printer, c report.Change) {
	line := fmt.Sprintf("%-15s  %s", c.Class, c.URL)
	if c.To != "" && c.Class != audit.Lost {
		line += " → " + c.To
	}
	if why := strings.Join(nonEmpty(c.Reason, parenthesize(c.Pos.String())), " "); why != "" {
		line += "  " + why
	}
	if c.OldDate != c.NewDate && (c.Class == audit.Changed || c.Class == audit.Redated) {
		line += fmt.Sprintf("  %s, was %s", cmp.Or(c.NewDate, "no date"), cmp.Or(c.OldDate, "no date"))
	}
	colour := SeverityColours[c.Level]
	if c.Class == audit.Added {
		colour = Green
	}
	fmt.Fprintln(p.Out, p.OutScreen.Paint(colour, c.Class)+strings.TrimPrefix(diag.Plain(line), c.Class))
	if c.Fix != "" {
		fmt.Fprintf(p.Out, "%15s  %s\n", "", diag.Plain("add to "+c.FixFile+": "+c.Fix))
	}
}

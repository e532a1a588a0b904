package cli

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/spf13/cobra"
)

func newExplainCommand(env Env, p *Printer) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "explain PATH|URL...",
		Short: "show why a page is listed or not, and where each field comes from",
		Args:  limitArguments(1, math.MaxInt),
		Long: `Shows whether a page is in the sitemap or why it is left out, how its URL was
chosen, where each field comes from, which rules match, and which content
file belongs to it.

Name a built file, a content file, a folder, or an address in any spelling, as
in a browser, a log or the last sitemap. For a content file or a page that is
gone, it prints what git and the last build know, and the next step.`,
		Example: `  sitewalk explain public/about/index.html
  sitewalk explain https://example.com/about/ --dir public`,
	}
	var f flags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in := newInput(env, cmd, nil)
		in.Explain = true
		if i := slices.IndexFunc(args, func(t string) bool { return engine.FileExists(filepath.Join(env.Dir, t)) }); i >= 0 {
			in.TargetFile = args[i]
		}
		return f.runExplain(cmd.Context(), env, p, in, args)
	}
	cmd.Flags().String("dir", "", "the folder `DIR` of the built site")
	f.addSiteFlags(cmd)
	cmd.Flags().String("from", "", "explain a build with the URLs of `FILE`")
	f.addNoCacheFlag(cmd)
	f.addMessageFlags(cmd)
	cmd.Flags().Lookup("verbose").Usage = "show why sources have no date; print all settings"
	return cmd
}

func (f *flags) runExplain(ctx context.Context, env Env, p *Printer, in config.Input, targets []string) error {
	o, err := f.prepareRun(ctx, env, p)
	if err != nil {
		return err
	}
	b, err := readSite(ctx, o, in)
	out := result{build: b, report: &report.Report{Command: "explain"}}
	if err != nil {
		return f.finishRun(env, p, out, err)
	}
	all := explainAll(ctx, env, b, targets)
	out.report.Details, out.isQuery, out.printsFailure = newExplainDetails(all), true, true
	out.print = func() {
		for i, e := range all {
			if i > 0 {
				fmt.Fprintln(p.Out)
			}
			printExplanation(p, e, f.verbose)
		}
	}
	return f.finishRun(env, p, out, errUnknownTargets(b, all))
}

// explainAll returns an explanation for each target, a file or URL on the command line.
func explainAll(ctx context.Context, env Env, b *engine.Build, targets []string) (all []explain.Explanation) {
	explainer := explain.New(b.Result)
	for _, t := range targets {
		e := explainer.Explain(ctx, t)
		if here := filepath.Join(env.Dir, t); !e.Known && engine.FileExists(here) { // t may be relative to the working directory
			if as := explainer.Explain(ctx, here); as.Known {
				e, e.Target = as, t
			} else if info, err := os.Stat(here); err == nil && info.Mode().IsRegular() && !e.IsTargetKnown() {
				e.File, e.How, e.Similar, e.Next = t, "it is outside of the built site and its content", nil, ""
			}
		}
		e.Diags = b.Settings.Findings.Apply(e.Diags)
		all = append(all, e)
	}
	addPastListings(ctx, b, all)
	for i := range all {
		if !all[i].IsTargetKnown() {
			all[i].Next = ""
		}
	}
	return all
}

// errUnknownTargets returns an error that names the targets about which nothing is known, or nil if
// there are none.
func errUnknownTargets(b *engine.Build, all []explain.Explanation) error {
	var quoted []string
	what := "no page was built from %s, which does not exist"
	for _, e := range all {
		if e.IsTargetKnown() {
			continue
		}
		quoted = append(quoted, strconv.Quote(e.Target))
		if !e.IsMissing {
			what = "no page is known for %s"
		}
	}
	if len(quoted) == 0 {
		return nil
	}
	return diag.Hintedf("name a built file, a content file, or a URL below "+b.Settings.Site.Base.String(), what, strings.Join(quoted, " and "))
}

// addPastListings looks up the URLs of unknown targets in the previous sitemap and in the lists of
// earlier builds on this machine. For each URL that it finds, it sets Last and the exact URL in the
// explanation.
func addPastListings(ctx context.Context, b *engine.Build, all []explain.Explanation) {
	var gone []*explain.Explanation
	for i := range all {
		if e := &all[i]; !e.Known && e.URL != "" {
			gone = append(gone, e)
		}
	}
	if len(gone) == 0 {
		return
	}
	b.ReadPastLists(ctx, func(u sitemap.Entry, pos diag.Pos) {
		for _, e := range gone {
			if e.Last == nil && e.MatchesURLLoosely(u.Loc) {
				e.URL, e.Last = u.Loc, &pos
			}
		}
	})
}

// printExplanation prints one explanation. With verbose, it also prints why a source has no value
// for a field.
func printExplanation(p *Printer, e explain.Explanation, verbose bool) {
	line := func(label, text string) { // prints nothing if text is ""
		if text != "" {
			fmt.Fprintf(p.Out, "  %-10s  %s\n", label, diag.Plain(text))
		}
	}
	colour := Yellow
	if e.Listed {
		colour = Green
	}
	fmt.Fprintln(p.Out, p.OutScreen.Paint(Bold, diag.Plain(e.Target))+": "+p.OutScreen.Paint(colour, outcomeText(e)))
	if !e.Known {
		line("git", e.Removed)
		line("url", urlOfMissingFile(e))
		if e.Exclusion.Reason != page.Listed {
			line("reason", exclusionText(e.Exclusion))
		}
		if e.Last != nil {
			line("last", e.Last.String()+" lists it")
		}
		for _, loc := range e.Similar {
			line("similar", loc)
		}
		line("next", e.Next)
		return
	}
	switch {
	case isContentWithUnknownPages(e):
		line("reason", e.How)
		e.How = ""
	case !e.Listed:
		line("reason", exclusionText(e.Exclusion))
	}
	for _, d := range e.Also {
		line("also", exclusionText(d))
	}
	if e.Unbuilt != "" {
		line("page", "none: the generator did not build "+e.Unbuilt)
	}
	line("url", e.URL)
	line("", e.How)
	line("file", e.File)
	if e.Source != "" {
		line("source", strings.TrimSpace(e.Source+"  "+parenthesize(e.Pairing)))
	} else if e.Pairing != "" {
		line("source", "none: "+e.Pairing)
	}
	for _, m := range e.Rules {
		line("rule", m.Match+"  "+parenthesize(m.Pos.String()))
	}
	for _, f := range e.Fields {
		printField(f, verbose, line)
	}
	for _, d := range e.Diags {
		line("finding", d.String())
	}
	line("next", e.Next)
}

func outcomeText(e explain.Explanation) string {
	switch {
	case e.IsMissing && !e.Known && e.IsTargetKnown():
		return "the file does not exist any more"
	case e.IsMissing && !e.Known:
		return "the file does not exist"
	case e.Last != nil:
		return "not a page of this site any more"
	case !e.Known && e.Exclusion.Reason == page.Listed && e.How == "":
		return "not a page of this site"
	case !e.Known && e.URL != "" && e.File == "" && e.Exclusion.Reason == page.Listed:
		return "not a page of this site: " + e.How
	case !e.Known:
		return "not a page: " + e.How
	case isContentWithUnknownPages(e):
		return "its pages are not known"
	case e.Listed && strings.Contains(e.Target, "://") && e.Target != e.URL:
		return "listed as " + diag.Plain(e.URL)
	case e.Listed:
		return "listed"
	}
	return "left out: " + e.Exclusion.Reason.String()
}

// urlOfMissingFile returns the URL of the page of a content file that does not exist, with a remark
// if the URL is only a guess from the file name. For other targets, it returns "".
func urlOfMissingFile(e explain.Explanation) string {
	switch {
	case !e.IsMissing || e.URL == "":
		return ""
	case e.Last == nil && e.File == "":
		return e.URL + "  (a guess from the name of the file)"
	}
	return e.URL
}

// isContentWithUnknownPages reports whether e is about a content file whose pages only the
// generator knows.
func isContentWithUnknownPages(e explain.Explanation) bool {
	return e.Known && !e.Listed && e.Exclusion.Reason == page.Listed
}

// printField prints a field of a sitemap entry, such as lastmod, and the value that each source has
// for the field. With verbose, it also prints why other sources have no value. It calls line for
// each line to print.
func printField(f explain.Field, verbose bool, line func(label, text string)) {
	line(f.Name, cmp.Or(f.Value, "none"))
	for _, c := range f.Claims {
		if c.Value == "" && !c.Wins && !verbose {
			continue
		}
		mark := "-"
		if c.Wins {
			mark = "*"
		}
		line("", mark+" "+c.Source+": "+strings.Join(nonEmpty(cmp.Or(c.Value, "silent"), c.Note, parenthesize(c.Pos.String())), "  "))
	}
}

// exclusionText returns the name and the meaning of the reason why a page is left out, details such
// as another URL, and the position of the cause, such as "about.html:3:1". For page.NotRendered,
// the details replace the meaning if there are details.
func exclusionText(v site.Exclusion) string {
	text := v.Reason.String() + ": " + page.Reasons[v.Reason].Text
	if v.Reason == page.NotRendered && v.Text != "" {
		text, v.Text = v.Reason.String()+": "+v.Text, ""
	}
	return strings.Join(nonEmpty(text, v.Text, parenthesize(v.Pos.String())), "  ")
}

// explainDetails contains the fields that the command explain adds to the JSON report. docs/json.md
// describes them.
type explainDetails struct {
	Explanations []explanation `json:"explanations"`
}

// An explanation is an explain.Explanation in JSON. It has the field "verdict" only if the target
// is listed, or is left out for a known reason.
type explanation struct {
	explain.Explanation
	Exclusion *site.Exclusion `json:"verdict,omitempty"`
}

// newExplainDetails returns the fields of the JSON report about the given explanations.
func newExplainDetails(all []explain.Explanation) explainDetails {
	d := explainDetails{Explanations: make([]explanation, len(all))}
	for i := range all {
		e := &d.Explanations[i]
		e.Explanation = all[i]
		if e.Listed || e.Explanation.Exclusion.Reason != page.Listed {
			e.Exclusion = &all[i].Exclusion
		}
	}
	return d
}

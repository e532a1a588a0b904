package cli

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/complete"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/internal/terminal"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

var explainCommand = command{
	use:     "explain PATH|URL...",
	short:   "say why a page is in or out, and where each field comes from",
	least:   1,
	most:    -1,
	prepare: prepareExplain,
	long: `Says for each page whether it is in the sitemap or why it is out, how its URL
was chosen, where each field comes from, which rules match, and which content
file belongs to it.

Name a built file, a content file, a folder, or an address in any spelling, as
in a browser, a log or the last sitemap.`,
	example: `  sitewalk explain public/about/index.html
  sitewalk explain https://example.com/about/ --dir public -b https://example.com/`,
}

// An explainDetails is what only explain says in JSON; docs/json.md describes it.
type explainDetails struct {
	Explanations []explain.Explanation `json:"explanations"`
}

func prepareExplain(env Env, p *printer, cmd *cobra.Command) {
	var b flags
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		in := input(env, cmd, nil)
		if i := slices.IndexFunc(args, func(t string) bool { return build.Exists(filepath.Join(env.Dir, t)) }); i >= 0 {
			in.About = args[i]
		}
		return b.explain(cmd.Context(), env, p, in, args)
	}
	cmd.Flags().String("dir", "", "the publish directory `DIR`")
	b.addSite(cmd)
	cmd.Flags().String("from", "", "explain a build that lists the URLs of the sitemaps in `FILE`")
	b.addCache(cmd)
	b.addTalk(cmd)
	cmd.Flags().Lookup("verbose").Usage = "say why sources are silent, and who decided each setting"
	cmd.ValidArgsFunction = complete.Pages(func(cmd *cobra.Command) config.Input { return input(env, cmd, nil) })
}

func (b *flags) explain(ctx context.Context, env Env, p *printer, in config.Input, targets []string) error {
	r, err := b.learn(ctx, env, p, in)
	if err != nil {
		return err
	}
	var all []explain.Explanation
	var quoted []string
	for _, t := range targets {
		e := explain.Explain(ctx, r.Result, t)
		if here := filepath.Join(env.Dir, t); !e.Known && build.Exists(here) { // the trees are elsewhere
			if as := explain.Explain(ctx, r.Result, here); as.Known {
				e, e.Target = as, t
			} else if info, err := os.Stat(here); err == nil && info.Mode().IsRegular() && !e.Answered() {
				e.File, e.How, e.Similar = t, "it lies outside of the built site and of its content", nil
			}
		}
		e.Diags = r.Settings.Findings.Apply(e.Diags)
		all = append(all, e)
	}
	recallLast(ctx, r, all)
	for _, e := range all {
		if !e.Answered() {
			quoted = append(quoted, strconv.Quote(e.Target))
		}
	}
	var failure error
	if len(quoted) > 0 {
		failure = diag.Hinted{
			Err:  fmt.Errorf("no page is known for %s", strings.Join(quoted, " and ")),
			Hint: "name a file of the publish directory or a URL below " + r.Settings.Site.Base.String(),
		}
	}
	if b.json {
		out := &report.Report{Command: "explain", Base: r.Settings.Site.Base.String(), Details: explainDetails{all}}
		if failure != nil {
			out.Error = failure.Error()
		}
		return cmp.Or(out.WriteJSON(p.Out), failure)
	}
	for i, e := range all {
		if i > 0 {
			fmt.Fprintln(p.Out)
		}
		p.explanation(e, b.verbose)
	}
	return failure
}

// recallLast adds to each target that is no page where the last sitemap lists
// it, and until when builds on this machine did.
func recallLast(ctx context.Context, b *build.Build, all []explain.Explanation) {
	var gone []*explain.Explanation
	for i := range all {
		if e := &all[i]; !e.Known && e.URL != "" {
			gone = append(gone, e)
		}
	}
	if len(gone) == 0 {
		return
	}
	_ = b.Last(ctx, func(u sitemap.Entry, pos diag.Pos) { // what cannot be read tells nothing
		for _, e := range gone {
			if e.Last == nil && e.Means(u.Loc) {
				e.Last = &pos
			}
		}
	})
	_ = b.Past(ctx, func(was build.Bygone) {
		for _, e := range gone {
			if e.Until.IsZero() && e.Means(was.URL) {
				e.Until = was.Until
			}
		}
	})
}

// explanation prints one, for a person.
func (p *printer) explanation(e explain.Explanation, verbose bool) {
	line := func(label, format string, args ...any) {
		text := fmt.Sprintf("  %-10s  %s", label, diag.Plain(fmt.Sprintf(format, args...)))
		fmt.Fprintln(p.Out, p.Page.Wrap(text, len("  changefreq    ")))
	}
	colour := terminal.Yellow
	if e.Listed {
		colour = terminal.Green
	}
	fmt.Fprintln(p.Out, p.Page.Paint(terminal.Bold, diag.Plain(e.Target))+": "+p.Page.Paint(colour, outcome(e)))
	if !e.Known {
		if e.Verdict.Reason != page.Listed {
			line("reason", "%s", decision(e.Verdict))
		}
		if e.Last != nil {
			line("last", "%s lists it", e.Last)
		}
		if !e.Until.IsZero() {
			line("last", "the build of %s listed it, here", e.Until.Local().Format(time.DateTime))
		}
		for _, loc := range e.Similar {
			line("similar", "%s", loc)
		}
		return
	}
	switch {
	case unplaced(e):
		line("reason", "%s", e.How)
		e.How = ""
	case !e.Listed:
		line("reason", "%s", decision(e.Verdict))
	}
	for _, d := range e.Also {
		line("also", "%s", decision(d))
	}
	if e.Unbuilt != "" {
		line("page", "none: the generator did not build %s", e.Unbuilt)
	}
	for _, l := range []struct{ label, text string }{{"url", e.URL}, {"", e.How}, {"file", e.File}} {
		if l.text != "" {
			line(l.label, "%s", l.text)
		}
	}
	if e.Source != "" {
		line("source", "%s", strings.TrimSpace(e.Source+"  "+parens(e.Pairing)))
	} else if e.Pairing != "" {
		line("source", "none: %s", e.Pairing)
	}
	for _, m := range e.Rules {
		line("rule", "%s  %s", m.Match, parens(m.Pos.String()))
	}
	for _, f := range e.Fields {
		p.field(f, verbose, line)
	}
	for _, d := range e.Diags {
		line("finding", "%s", d)
	}
}

func outcome(e explain.Explanation) string {
	switch {
	case e.Last != nil || !e.Until.IsZero():
		return "not a page of this site any more"
	case !e.Known && e.Verdict.Reason == page.Listed && e.How == "":
		return "not a page of this site"
	case !e.Known && e.URL != "" && e.File == "" && e.Verdict.Reason == page.Listed:
		return "not a page of this site: " + e.How
	case !e.Known:
		return "not a page: " + e.How
	case unplaced(e):
		return "its pages are not known"
	case e.Listed && strings.Contains(e.Target, "://") && e.Target != e.URL:
		return "listed as " + diag.Plain(e.URL)
	case e.Listed:
		return "listed"
	}
	return "left out: " + e.Verdict.Reason.String()
}

// unplaced reports whether the generator alone knows which pages a file makes.
func unplaced(e explain.Explanation) bool {
	return e.Known && !e.Listed && e.Verdict.Reason == page.Listed
}

// field prints a field with what each source says of it; those that say nothing
// are named, and with verbose also why.
func (p *printer) field(f explain.Field, verbose bool, line func(label, format string, args ...any)) {
	value := f.Value
	if value == "" {
		if len(f.Claims) == 0 {
			return
		}
		value = "none"
	}
	line(f.Name, "%s", value)
	var silent []string
	for _, c := range f.Claims {
		mark, text := "-", c.Value
		switch {
		case c.Wins:
			mark = "*"
		case text == "" && !verbose:
			silent = append(silent, c.Source)
			continue
		case text == "":
			text = "silent"
		}
		line("", "%s %s: %s", mark, c.Source, strings.Join(nonEmpty(text, c.Note, parens(c.Pos.String())), "  "))
	}
	if len(silent) > 0 {
		line("", "silent: %s (-v says why)", strings.Join(silent, ", "))
	}
}

func decision(v site.Verdict) string {
	return strings.Join(nonEmpty(v.Reason.String()+": "+page.Reasons[v.Reason].Text, v.Text, parens(v.Pos.String())), "  ")
}

func nonEmpty(ss ...string) []string {
	var out []string
	for _, s := range ss {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

func parens(s string) string {
	if s == "" {
		return ""
	}
	return "(" + s + ")"
}

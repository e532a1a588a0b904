package cli

import (
	"fmt"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/explain"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
)

// printExplanation prints what is known of a file or a URL; with verbose also why sources are
// silent.
func printExplanation(p *Printer, e explain.Explanation, verbose bool) {
	line := func(label, format string, args ...any) {
		text := fmt.Sprintf("  %-10s  %s", label, diag.Plain(fmt.Sprintf(format, args...)))
		fmt.Fprintln(p.Out, p.Page.Wrap(text, len("  changefreq    ")))
	}
	colour := Yellow
	if e.Listed {
		colour = Green
	}
	fmt.Fprintln(p.Out, p.Page.Paint(Bold, diag.Plain(e.Target))+": "+p.Page.Paint(colour, outcome(e)))
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
		field(p, f, verbose, line)
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

// field prints a field with the claim of each source. With verbose it also prints why the other
// sources are silent.
func field(p *Printer, f explain.Field, verbose bool, line func(label, format string, args ...any)) {
	value := f.Value
	if value == "" {
		if len(f.Claims) == 0 {
			return
		}
		value = "none"
	}
	line(f.Name, "%s", value)
	for _, c := range f.Claims {
		mark, text := "-", c.Value
		switch {
		case c.Wins:
			mark = "*"
		case text == "" && !verbose:
			continue
		case text == "":
			text = "silent"
		}
		line("", "%s %s: %s", mark, c.Source, strings.Join(nonEmpty(text, c.Note, parens(c.Pos.String())), "  "))
	}
}

func decision(v site.Verdict) string {
	return strings.Join(nonEmpty(v.Reason.String()+": "+page.Reasons[v.Reason].Text, v.Text, parens(v.Pos.String())), "  ")
}

// An explainDetails is what only explain says in JSON; docs/json.md describes it.
type explainDetails struct {
	Explanations []explanation `json:"explanations"`
}

// An explanation has a verdict only if it is known whether its target is listed.
type explanation struct {
	explain.Explanation
	Verdict *site.Verdict `json:"verdict,omitempty"`
}

// newExplanationDetails are what a report says of explanations alone, as docs/json.md
// describes it.
func newExplanationDetails(all []explain.Explanation) any {
	d := explainDetails{Explanations: make([]explanation, len(all))}
	for i := range all {
		e := &d.Explanations[i]
		e.Explanation = all[i]
		if e.Listed || e.Explanation.Verdict.Reason != page.Listed {
			e.Verdict = &all[i].Verdict
		}
	}
	return d
}

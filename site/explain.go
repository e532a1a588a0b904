package site

import (
	"context"
	"iter"
	"maps"
	"slices"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/gitdates"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// An Explanation says of one file or URL whether it is listed, why, and where
// each field comes from.
type Explanation struct {
	Target  string      `json:"target"` // as it was asked for
	Known   bool        `json:"known"`  // a file, a content file or an extra URL stands for it
	Listed  bool        `json:"listed"`
	File    string      `json:"file,omitempty"`   // in the pages tree, as the user would type it
	Source  string      `json:"source,omitempty"` // the paired content file
	Pairing string      `json:"pairing,omitempty"`
	URL     string      `json:"url,omitempty"`
	How     string      `json:"how,omitempty"` // how the URL came about
	Verdict Verdict     `json:"verdict"`
	Also    []Verdict   `json:"also,omitempty"` // further reasons that would hold
	Rules   []RuleMatch `json:"rules,omitempty"`
	Fields  []Field     `json:"fields,omitempty"`
	Similar []string    `json:"similar,omitempty"` // URLs of pages that may have been meant
	Unbuilt string      `json:"unbuilt,omitempty"` // the file that the generator would write for Source, and did not
	Last    *diag.Pos   `json:"last,omitempty"`    // where the last sitemap lists what is no page any more
	Diags   diag.List   `json:"findings,omitempty"`
}

// A RuleMatch is a rule that applies to the page.
type RuleMatch struct {
	Pos   diag.Pos `json:"pos"`
	Match string   `json:"match"`
}

// A Field is one field of the entry: what it is, and what every source said in
// the order in which they are asked.
type Field struct {
	Name   string  `json:"name"`
	Value  string  `json:"value,omitempty"`
	Claims []Claim `json:"claims,omitempty"`
}

// A Claim is what one source says of a field.
type Claim struct {
	Source string   `json:"source"`
	Value  string   `json:"value,omitempty"` // "" when the source is silent
	Note   string   `json:"note,omitempty"`  // the key it stood under, or why the source is silent
	Pos    diag.Pos `json:"pos"`
	Wins   bool     `json:"wins"`
}

// An explainer answers what somebody asks of a result.
type explainer struct {
	*view
	res *Result
}

// explainer returns one with a view of its own, so that several may be asked at
// once.
func (r *Result) explainer() *explainer {
	s := new(view)
	if *s = *r.List.view; r.Ledger != nil {
		s.memory = r.Ledger.Lookup()
	}
	return &explainer{s, r}
}

// filed are the pages that a file stands for, sorted by file.
func (r *Result) filed() iter.Seq[*record] {
	return func(yield func(*record) bool) {
		for i := range r.records {
			if !yield(&r.records[i]) {
				return
			}
		}
	}
}

// Explain says why a file or URL is in or out. The target is whatever somebody has at hand: the path of a file
// or folder of either tree, with slashes or backslashes, or an address in any
// spelling, whole or from its path on.
func (r *Result) Explain(ctx context.Context, target string) Explanation {
	s, e := r.explainer(), Explanation{Target: target}
	what := s.lookup(ctx, target)
	if what.page != nil {
		s.explainPage(ctx, &e, what.page)
	} else {
		s.explainNoPage(&e, what)
	}
	return e
}

func (s *explainer) explainPage(ctx context.Context, e *Explanation, r *record) {
	e.Known, e.Listed = true, r.reason == page.Listed
	s.explainFile(e, r)
	e.Verdict, e.Also = s.verdicts(r)
	s.explainURL(e, r)
	s.askGitFor(ctx, r)
	e.Fields = s.fields(r)
	s.explainFindings(ctx, e, r)
	e.Diags = append(e.Diags, s.gapsOf(r)...)
}

func (s *explainer) explainFile(e *Explanation, r *record) {
	if r.File == "" {
		e.File = s.pos(r).String()
		return
	}
	e.File = s.pos(r).File
	switch {
	case r.src != nil:
		e.Source = s.contentPos(r).File
		e.Pairing = r.src.note
		if s.editFile(r.Page) != "" {
			e.Pairing = "named by the page's own edit link"
		}
	case s.editFile(r.Page) != "":
		e.Pairing = "the page's own edit link names " + s.editFile(r.Page) + ", which is not in the content tree; git dates it"
	case s.o.Content != nil:
		e.Pairing = "no content file is known to be the source of " + r.File
	}
}

func (s *explainer) explainURL(e *Explanation, r *record) {
	e.URL = s.where(r)
	switch {
	case r.File == "" && r.from != 0:
		e.How = "listed by the sitemaps that --from names"
	case r.File == "":
		e.How = "written in the configuration's extra"
	case r.set != nil && r.set.url.Loc != "":
		e.How = "url of a rule"
	default:
		e.How = s.how(r)
	}
	if r.set == nil {
		return
	}
	for _, rule := range r.set.rules {
		e.Rules = append(e.Rules, RuleMatch{rule.Pos, rule.Match})
	}
}

func (p *part) hostName() string {
	if !p.host.IsKnown() {
		return "a plain file server"
	}
	return p.host.Name()
}

// fields says of each field what every speaker says.
func (s *explainer) fields(r *record) (all []Field) {
	var entry sitemap.URL
	s.url(r, &entry)
	entry.Alternates = r.translations()
	for i := range Fields {
		if Fields[i].values == nil {
			all = append(all, s.dateField(r))
			continue
		}
		all = append(all, s.field(r, &Fields[i], &entry)...)
	}
	return all
}

func (s *explainer) dateField(r *record) Field {
	f := Field{Name: "lastmod"}
	var after sitemap.Date
	for _, src := range s.sources() {
		a := src.ask(s.view, r)
		c := Claim{Source: src.Name, Value: a.date.String()}
		c.Note, c.Pos = a.remark(s.view, r)
		if why := s.passedOver(&src, a.date, after); why != "" {
			if f.Value == "" || s.doubt(a.date) != "" {
				c.Note += "; not used: " + why
			}
		} else if c.Value != "" && f.Value == "" {
			f.Value, c.Wins = c.Value, true
		}
		after = latest(after, a.after)
		f.Claims = append(f.Claims, c)
	}
	if len(f.Claims) == 0 {
		f.Claims = []Claim{{Source: "lastmod", Note: "no source of dates is asked"}}
	}
	return f
}

// explainFindings says what is wrong with a page. It reads its file once more, for what
// its record does not hold: that, and the line that keeps it out.
func (s *explainer) explainFindings(ctx context.Context, e *Explanation, r *record) {
	if r.Rest != nil {
		e.Diags = append(e.Diags, r.Rest.Diags...)
	}
	if r.src != nil && r.src.Facts != nil {
		e.Diags = append(e.Diags, r.src.Facts.Diags...)
	}
	if again, ok := s.again(ctx, r); ok {
		e.Diags = append(e.Diags, again.Diags...).Sorted()
		pinpoint(&e.Verdict, &again)
	}
}

// again reads the file of a page once more; ok is false when it has none, or
// none any longer.
func (s *explainer) again(ctx context.Context, r *record) (out facts.Reading, ok bool) {
	if s.o.Pages == nil || r.File == "" || ctx.Err() != nil {
		return out, false
	}
	return s.facts.Read(ctx, r.File)
}

// pinpoint completes a verdict that the page's own file gives by the text and
// the line that say so.
func pinpoint(v *Verdict, r *facts.Reading) {
	if v.Reason == r.Own && r.Own != page.Listed {
		v.Text = r.Facts.SkipNote
		v.Pos.Line, v.Pos.Col = r.Facts.SkipPos.Line, r.Facts.SkipPos.Col
	}
}

// askGitFor asks git for the page's date even when an earlier source speaks.
func (s *explainer) askGitFor(ctx context.Context, r *record) {
	file := s.historyFile(r)
	if _, asked := s.git.dates[file]; asked || file == "" || !slices.Contains(s.o.LastMod, "git") {
		return
	}
	dates, _ := gitdates.Read(ctx, []string{file}, s.gitOptions())
	maps.Copy(dates, s.git.dates)
	w := *s.World
	w.git.dates = dates
	s.World = &w
}

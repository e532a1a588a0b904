package site

import (
	"context"
	"fmt"
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

// An explainer answers what somebody asks of a result. It writes to none of it.
type explainer struct {
	world *World
	res   *Result
}

// dating returns what asks the sources of dates as the fold did.
func (r *Result) dating() *dating {
	d := &dating{world: r.world, clock: clock{now: r.now}, days: r.days}
	if r.Ledger != nil {
		d.memory = r.Ledger.Lookup()
	}
	return d
}

// Explain says why a file or URL is in or out. The target is whatever somebody has at hand: the path of a file
// or folder of either tree, with slashes or backslashes, or an address in any
// spelling, whole or from its path on.
func (r *Result) Explain(ctx context.Context, target string) Explanation {
	s, e := &explainer{r.world, r}, Explanation{Target: target}
	what := s.lookup(ctx, target)
	if what.page != nil {
		s.explainPage(ctx, &e, what.page)
	} else {
		s.explainNoPage(&e, what)
	}
	return e
}

func (s *explainer) explainPage(ctx context.Context, e *Explanation, r *Page) {
	e.Known, e.Listed = true, r.Listed()
	s.explainFile(e, r)
	if r.Out != nil {
		e.Verdict = *r.Out
	}
	e.Also = s.world.FurtherReasons(r, s.res.now)
	s.explainURL(e, r)
	e.Fields = s.fields(ctx, r)
	s.explainFindings(ctx, e, r)
	e.Diags = append(e.Diags, s.res.gapsOf(r)...)
}

func (s *explainer) explainFile(e *Explanation, r *Page) {
	if r.Said.File == "" {
		e.File = s.world.pos(r).String()
		return
	}
	e.File = s.world.pos(r).File
	switch {
	case r.Content != nil:
		e.Source = s.world.contentPos(r).File
		e.Pairing = r.Content.note
		if s.world.editFile(r.Said) != "" {
			e.Pairing = "named by the page's own edit link"
		}
	case s.world.editFile(r.Said) != "":
		e.Pairing = "the page's own edit link names " + s.world.editFile(r.Said) + ", which is not in the content tree; git dates it"
	case s.world.o.Content != nil:
		e.Pairing = "no content file is known to be the source of " + r.Said.File
	}
}

func (s *explainer) explainURL(e *Explanation, r *Page) {
	e.URL = s.world.where(r)
	switch {
	case r.Said.File == "" && r.Given != nil:
		e.How = "listed by the sitemaps that --from names"
	case r.Said.File == "":
		e.How = "written in the configuration's extra"
	case r.Rules != nil && r.Rules.url.Loc != "":
		e.How = "url of a rule"
	default:
		e.How = s.world.how(r)
	}
	if r.Rules == nil {
		return
	}
	for _, rule := range r.Rules.rules {
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
func (s *explainer) fields(ctx context.Context, r *Page) (all []Field) {
	entry := r.Entry
	if !r.Listed() {
		s.world.fillEntry(r, &entry)
		entry.Alternates = nil
	}
	for i := range Fields {
		if Fields[i].values == nil {
			all = append(all, s.dateField(ctx, r))
			continue
		}
		all = append(all, s.field(r, &Fields[i], &entry)...)
	}
	return all
}

func (s *explainer) dateField(ctx context.Context, r *Page) Field {
	f := Field{Name: "lastmod"}
	d := s.res.dating()
	d.world = s.askGitFor(ctx, r)
	var after sitemap.Date
	for _, src := range s.world.sources() {
		a := src.ask(d, r)
		c := Claim{Source: src.Name, Value: a.date.String()}
		c.Note, c.Pos = a.remark(d, r)
		if why := d.passedOver(&src, a.date, after); why != "" {
			if f.Value == "" || d.doubt(a.date) != "" {
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
func (s *explainer) explainFindings(ctx context.Context, e *Explanation, r *Page) {
	if r.Said.Rest != nil {
		e.Diags = append(e.Diags, r.Said.Rest.Diags...)
	}
	if r.Content != nil && r.Content.Facts != nil {
		e.Diags = append(e.Diags, r.Content.Facts.Diags...)
	}
	if again, ok := s.again(ctx, r); ok {
		e.Diags = append(e.Diags, again.Diags...).Sorted()
		pinpoint(&e.Verdict, &again)
	}
}

// again reads the file of a page once more; ok is false when it has none, or
// none any longer.
func (s *explainer) again(ctx context.Context, r *Page) (out facts.Reading, ok bool) {
	if s.world.o.Pages == nil || r.Said.File == "" || ctx.Err() != nil {
		return out, false
	}
	return s.world.facts.Read(ctx, r.Said.File)
}

// pinpoint completes a verdict that the page's own file gives by the text and
// the line that say so.
func pinpoint(v *Verdict, r *facts.Reading) {
	if v.Reason == r.Own && r.Own != page.Listed {
		v.Text = r.Facts.SkipNote
		v.Pos.Line, v.Pos.Col = r.Facts.SkipPos.Line, r.Facts.SkipPos.Col
	}
}

// askGitFor returns the world in which git was asked for the page's date even when
// an earlier source speaks.
func (s *explainer) askGitFor(ctx context.Context, r *Page) *World {
	file := s.world.historyFile(r)
	if _, asked := s.world.git.dates[file]; asked || file == "" || !slices.Contains(s.world.o.LastMod, "git") {
		return s.world
	}
	dates, _ := gitdates.Read(ctx, []string{file}, s.world.gitOptions())
	maps.Copy(dates, s.world.git.dates)
	w := *s.world
	w.git.dates = dates
	return &w
}

// how says in words how the page's URL came about.
func (w *World) how(r *Page) string {
	p := w.part(r)
	switch _, by := w.ending(r); by {
	case bySettings:
		return "from the path " + r.Said.File + ", as urls in the configuration says"
	case byGiven:
		return "spelled as the sitemaps that --from names list it"
	case byCanonical:
		return "spelled as the page's canonical link does"
	case byOpenGraph:
		return "spelled as the page's og:url does"
	case byGenerator:
		return "spelled as the generator writes it for " + w.contentPos(r).File
	case byLinks:
		file, _ := p.Below(r.Said.File)
		k, _ := kind(file)
		return "spelled as the site's own links are: " + p.linkStyles[k].String()
	case byHost:
		return "from the path " + r.Said.File + "; " + p.hostName() + " answers no other spelling"
	}
	return fmt.Sprintf("from the path %s as %s serves it", r.Said.File, p.hostName())
}

// claims returns what every speaker says of a field, in their order, value by
// value.
func (w *World) claims(r *Page, field *FieldOf) (all []Claim) {
	for i := range Speakers {
		if !slices.Contains(field.By, Speakers[i].Name) {
			continue
		}
		for _, st := range Speakers[i].statements(w, r) {
			for _, value := range field.values(&st.url) {
				all = append(all, Claim{Source: Speakers[i].Name, Value: value, Note: st.note, Pos: st.pos})
			}
		}
	}
	return all
}

// statements returns what it says of a page, place by place.
func (sp *Speaker) statements(w *World, r *Page) []statement {
	u, ok := sp.says(w, r)
	switch {
	case !ok:
		return nil
	case sp.places != nil:
		return sp.places(w, r)
	case sp.pos != nil:
		return []statement{{url: u, pos: sp.pos(w, r)}}
	}
	return []statement{{url: u}}
}

// field explains one field of a page: a Field for each of its values, with what
// every speaker says of it; what else is said stands with the first.
func (s *explainer) field(r *Page, field *FieldOf, entry *sitemap.URL) (all []Field) {
	claims := s.world.claims(r, field)
	for _, value := range field.values(entry) {
		f := Field{Name: field.Name, Value: value}
		for i := range claims {
			if c := claims[i]; c.Value == value {
				c.Wins = !slices.ContainsFunc(f.Claims, func(c Claim) bool { return c.Wins })
				f.Claims = append(f.Claims, c)
			}
		}
		all = append(all, f)
	}
	var lost []Claim
	for _, c := range claims {
		if !slices.ContainsFunc(all, func(f Field) bool { return f.Value == c.Value }) {
			lost = append(lost, c)
		}
	}
	switch {
	case len(all) > 0:
		all[0].Claims = append(all[0].Claims, lost...)
	case len(lost) > 0:
		all = []Field{{Name: field.Name, Claims: lost}}
	}
	return all
}

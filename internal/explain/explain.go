// Package explain explains why a file or a URL is listed or left out, where each field of its
// entry comes from, and how the host answers requests for it. It reads the result of a build.
package explain

import (
	"context"
	"slices"
	"strings"
	"sync"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// An Explanation describes whether a file or URL is listed in the sitemap, and why. It also
// describes where each field of the sitemap entry comes from.
type Explanation struct {
	Target    string           `json:"target"` // as the user typed it
	Known     bool             `json:"known"`  // the target is a page, a content file, an extra URL or a file that pages.exclude leaves out
	Listed    bool             `json:"listed"`
	File      string           `json:"file,omitempty"`    // path of the file, as the user would type it; for a URL without a file, the position where the URL is written
	Source    string           `json:"source,omitempty"`  // the content file of the page, as the user would type it
	Pairing   string           `json:"pairing,omitempty"` // how Source was found, or why it is unknown
	URL       string           `json:"url,omitempty"`
	How       string           `json:"how,omitempty"`  // why the page has this URL, or why the target is not a page
	Exclusion site.Exclusion   `json:"-"`              // why the target is not listed; zero if it is listed or unknown
	Also      []site.Exclusion `json:"also,omitempty"` // further reasons to leave the page out
	Rules     []RuleMatch      `json:"rules,omitempty"`
	Fields    []Field          `json:"fields,omitempty"`
	Similar   []string         `json:"similar,omitempty"` // URLs of pages that the user may have meant
	IsMissing bool             `json:"-"`                 // Source does not exist
	Removed   string           `json:"removed,omitempty"` // text about the commit that deleted or renamed Source
	Next      string           `json:"next,omitempty"`    // what the user can do, such as redirect a deleted page; or ""
	Unbuilt   string           `json:"unbuilt,omitempty"` // the file that the generator would write for Source, but did not write
	Last      *diag.Pos        `json:"last,omitempty"`    // position of the URL in the last sitemap or in a list of an earlier build, if the URL has no page any more
	Diags     diag.List        `json:"findings,omitempty"`
}

// IsTargetKnown reports whether anything is known about the target. The target may be a page,
// another file, a removed content file, a URL for which the host has a rule, or a URL that an
// earlier sitemap listed.
func (e *Explanation) IsTargetKnown() bool {
	return e.Known || e.File != "" || e.Exclusion.Reason != page.Listed || e.Last != nil || e.Removed != ""
}

// A RuleMatch is a rule of the settings file that matches the page, with its position and glob.
type RuleMatch struct {
	Pos   diag.Pos `json:"pos"`
	Match string   `json:"match"`
}

// A Field is one value of a field of a sitemap entry, such as priority. Claims contains the values
// that the sources give, the strongest source first. A field with several values, such as several
// images, has one Field for each value; see newFieldPerValue.
type Field struct {
	Name   string       `json:"name"`
	Value  string       `json:"value,omitempty"`
	Claims []site.Claim `json:"claims,omitempty"`
}

// An Explainer explains files and URLs from the result of a build, and predicts how the host
// responds to requests. It does not change the result. It is safe for concurrent use. New creates
// an Explainer.
type Explainer struct {
	*site.Result
	o *site.Options

	unbuilt   func() map[string]*site.ContentFile // content files without a built page, by the path the page would have
	aliases   func() map[string][]string          // listed URLs by the file that would redirect to them
	spellings func() map[string]string            // listed URLs by part and mapping.SpellingKey of the path

	mu    sync.Mutex
	names map[*facts.Tree]map[string]bool // by tree: the paths of all its files; isFile fills it on demand
}

// New returns an Explainer for the site in r.
func New(r *site.Result) *Explainer {
	s := &Explainer{Result: r, o: &r.World.Options, names: map[*facts.Tree]map[string]bool{}}
	s.unbuilt, s.aliases, s.spellings = sync.OnceValue(s.unbuiltContentFiles), sync.OnceValue(s.listedURLsByAliasFile), sync.OnceValue(s.listedURLsBySpelling)
	return s
}

// Explain explains why a file or URL is listed or left out. target may be the path of a file or
// folder in the pages or content tree, with slashes or backslashes. It may also be a URL, or the
// path of a URL. If nothing is known about target, IsTargetKnown of the result is false.
func (s *Explainer) Explain(ctx context.Context, target string) Explanation {
	e := Explanation{Target: target}
	var locs []string
	if target = strings.TrimPrefix(strings.TrimSpace(target), "file://"); target != "" {
		if s.explainPath(ctx, &e, target) || s.explainMissingContentFile(ctx, &e, target) { // a path is tried before an address
			return e
		}
		locs = s.possibleURLs(target)
	}
	s.explainFirstKnownURL(ctx, &e, locs)
	return e
}

func (s *Explainer) explainPage(ctx context.Context, e *Explanation, p *site.Page) {
	e.Known, e.Listed = true, p.Listed()
	s.explainFile(e, p)
	if p.Exclusion != nil {
		e.Exclusion = *p.Exclusion
	}
	if s.hasNoIndexOnlyInFrontMatter(p) {
		e.Next = "let the template print the noindex: the built page has none, so search engines may index it"
	}
	e.Also = s.FurtherExclusions(p)
	s.explainURL(e, p)
	e.Fields = s.newFields(p)
	s.explainFindings(ctx, e, p)
	e.Diags = append(e.Diags, s.AlternateFindings(p)...)
}

// hasNoIndexOnlyInFrontMatter reports whether the page p is left out because of a noindex in its
// front matter, although the HTML of the page has no noindex.
func (s *Explainer) hasNoIndexOnlyInFrontMatter(p *site.Page) bool {
	return p.Reason() == page.NoIndex && p.File() != "" && p.Facts.OwnReason == page.Listed &&
		p.Content != nil && p.Exclusion.Pos.File == s.World.ContentPos(p).File
}

func (s *Explainer) explainFile(e *Explanation, p *site.Page) {
	if p.File() == "" {
		e.File = s.World.Pos(p).String()
		return
	}
	e.File = s.World.Pos(p).File
	switch {
	case p.Content != nil:
		e.Source = s.World.ContentPos(p).File
		e.Pairing = p.Content.Note
		if s.World.Edited[p.File()] != "" {
			e.Pairing = "named by the page's own edit link"
		}
	case s.World.Edited[p.File()] != "":
		e.Pairing = "the page's own edit link names " + s.World.EditedFileName(p) + ", which is not in the content tree; git dates it"
	case s.World.IsFromEarlierBuild(p):
		e.Pairing = "no content file is known, and other pages are newer: an earlier build seems to have left it"
	case s.o.Content != nil:
		e.Pairing = "no content file is known to be the source of " + p.File()
	}
}

func (s *Explainer) explainURL(e *Explanation, p *site.Page) {
	e.URL = p.Loc
	switch {
	case p.File() == "" && p.FromSitemap != nil:
		e.How = "listed by the sitemaps that --from names"
	case p.File() == "":
		e.How = "written in the configuration's extra"
	case p.Rules != nil && p.Rules.URL.Loc != "":
		e.How = "url of a rule"
	default:
		e.How = s.World.ExplainURL(p)
	}
	if p.Rules == nil {
		return
	}
	for _, rule := range p.Rules.Matching {
		e.Rules = append(e.Rules, RuleMatch{rule.Pos, rule.Match})
	}
}

// newFields returns all fields of the sitemap entry of p, with the values that the sources have for
// them. If p is not listed, it returns the fields that the entry would have, without alternates.
func (s *Explainer) newFields(p *site.Page) (all []Field) {
	entry := s.Entry(p).URL
	if !p.Listed() {
		entry = s.World.EntryFromSources(p)
		entry.Alternates = nil
	}
	all = append(all, s.newDateField(p))
	for i := range site.EntryFields {
		all = append(all, s.newFieldPerValue(p, &site.EntryFields[i], &entry)...)
	}
	return all
}

// newDateField returns the field lastmod of p, with the dates of all configured sources.
func (s *Explainer) newDateField(p *site.Page) Field {
	f := Field{Name: "lastmod", Claims: s.DateClaims(p)}
	for _, c := range f.Claims {
		if c.Wins {
			f.Value = c.Value
		}
	}
	if len(f.Claims) == 0 {
		f.Claims = []site.Claim{{Source: "lastmod", Note: "no source of dates is used"}}
	}
	return f
}

// explainFindings adds the findings about the page p to e. It reads the page file again to find the
// line that causes the exclusion, and further reasons for e.Also.
func (s *Explainer) explainFindings(ctx context.Context, e *Explanation, p *site.Page) {
	e.Diags = append(e.Diags, p.Facts.Rare().Diags...)
	if p.Content != nil && p.Content.Facts != nil {
		e.Diags = append(e.Diags, p.Content.Facts.Diags...)
	}
	if again, ok := s.readAgain(ctx, p); ok {
		e.Diags = append(e.Diags, again.Diags...).Sorted()
		addExclusionDetails(&e.Exclusion, &again)
		for _, skip := range again.Facts.Skips {
			if skip.Reason != e.Exclusion.Reason && skip.Reason != again.OwnReason {
				skip.Pos.File = e.File
				e.Also = append(e.Also, site.Exclusion{Reason: skip.Reason, Pos: skip.Pos, Text: skip.Note})
			}
		}
	}
}

// readAgain reads the built file of p again. ok is false if p has no built file, if the file no
// longer exists, or if ctx has already ended.
func (s *Explainer) readAgain(ctx context.Context, p *site.Page) (out facts.Reading, ok bool) {
	if s.o.Pages == nil || p.File() == "" || ctx.Err() != nil {
		return out, false
	}
	return s.World.Facts.ReadDetails(ctx, p.File())
}

// addExclusionDetails adds details to v, the exclusion of a page, if its cause is in the page file.
// It sets the line and the column of v.Pos. It also sets v.Text, unless the cause is a canonical
// link. r is a new reading of the page file.
func addExclusionDetails(v *site.Exclusion, r *facts.Reading) {
	first := r.Facts.Skips.First()
	pos := first.Pos
	switch {
	case v.Reason == page.Canonical:
		pos = r.Facts.CanonicalPos
	case v.Reason == r.OwnReason && r.OwnReason != page.Listed:
		v.Text = first.Note
	default:
		return
	}
	v.Pos.Line, v.Pos.Col = pos.Line, pos.Col
}

// newFieldPerValue returns one Field for each value of field in entry, with the claims for this
// value. The first of these claims wins. Claims for values that are not in entry go to the first
// Field. If entry has no value, newFieldPerValue returns one Field with all claims, or nil if there
// are no claims.
func (s *Explainer) newFieldPerValue(p *site.Page, field *site.EntryField, entry *sitemap.URL) (all []Field) {
	claims := s.World.FieldClaims(p, field)
	for _, value := range field.Values(entry) {
		f := Field{Name: field.Name, Value: value}
		for i := range claims {
			if c := claims[i]; c.Value == value {
				c.Wins = !slices.ContainsFunc(f.Claims, func(c site.Claim) bool { return c.Wins })
				f.Claims = append(f.Claims, c)
			}
		}
		all = append(all, f)
	}
	var lost []site.Claim
	for _, c := range claims {
		if !slices.ContainsFunc(all, func(f Field) bool { return f.Value == c.Value }) {
			if field.Name == "news" && s.HasOldNews(p) {
				c.Note = strings.TrimPrefix(c.Note+"; not used: published more than 48 hours ago", "; ")
			}
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

package site

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A statement contains the values of one source for the entry of a page.
type statement struct {
	source string
	url    sitemap.URL
	note   string // as in Claim
	pos    diag.Pos
}

// statements returns the values of all sources for a page. The first source that sets a field
// wins. Dates have their own Sources.
func (w *World) statements(r *Page) (all []statement) {
	if r.Facts.File == "" && r.FromSitemap == nil && r.Facts.Rest != nil {
		all = append(all, statement{"extra", w.resolveBelowBase(r, *r.Facts.Rest.URL), "", w.Pos(r)})
	}
	if r.Rules != nil {
		for _, rule := range slices.Backward(r.Rules.Matching) {
			all = append(all, statement{"rule", w.resolveBelowBase(r, rule.Set), rule.Match, rule.Pos})
		}
	}
	if r.Content != nil && r.Content.Facts != nil {
		all = append(all, statement{"frontmatter", w.resolveOnPage(r, r.Content.Facts.URL), "", w.ContentPos(r)})
	}
	if r.FromSitemap != nil {
		all = append(all, statement{"sitemap", r.FromSitemap.URL, "", r.FromSitemap.Pos})
	}
	if r.Facts.File != "" && r.Facts.Rest != nil {
		all = append(all, statement{"html", r.Facts.Rest.StatedURL(), "", w.Pos(r)})
	}
	return append(all, statement{"defaults", w.Options.Defaults, "", diag.Pos{}})
}

// A Claim is the value of one source for a field.
type Claim struct {
	Source string   `json:"source"`
	Value  string   `json:"value,omitempty"` // "" if the source has no value
	Note   string   `json:"note,omitempty"`  // the key of the value, or why the source has none
	Pos    diag.Pos `json:"pos"`
	Wins   bool     `json:"wins"`
}

// Claims returns the values of all sources for a field of a page.
func (w *World) Claims(r *Page, field *EntryField) (all []Claim) {
	for _, st := range w.statements(r) {
		if !slices.Contains(field.By, st.source) {
			continue
		}
		for _, value := range field.Values(&st.url) {
			all = append(all, Claim{Source: st.source, Value: value, Note: st.note, Pos: st.pos})
		}
	}
	return all
}

// A EntryField is a field of a sitemap entry, with the sources that can set the field.
type EntryField struct {
	Name   string                        // as in explanations
	By     []string                      // the sources that can set it, in order
	Values func(u *sitemap.URL) []string // the values of the field in an entry; nil for the date
}

// inHTML lists the extensions that a built page can set.
const inHTML = sitemap.Hreflang | sitemap.ImageExt

// Fields returns all fields of an entry.
func Fields() []EntryField {
	all := []EntryField{
		{"lastmod", SourceNames(), nil},
		{"changefreq", []string{"extra", "rule", "frontmatter", "sitemap", "defaults"}, func(u *sitemap.URL) []string {
			return oneValue(u.ChangeFreq.String())
		}},
		{"priority", []string{"extra", "rule", "frontmatter", "sitemap", "defaults"}, func(u *sitemap.URL) []string {
			return oneValue(u.Priority.String())
		}},
	}
	for _, x := range sitemap.ExtensionFields() {
		by := []string{"extra", "rule", "frontmatter", "sitemap"}
		if x.Extension&inHTML != 0 {
			by = append(by, "html")
		}
		all = append(all, EntryField{x.Name, by, x.Values})
	}
	return all
}

// oneValue returns a list of one value, or an empty list for "".
func oneValue(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// fillEntries fills the entries of listed pages, except their dates. It drops news that is too old.
func fillEntries(w *World, listed []*Page, c *clock) {
	files.ParallelEach(len(listed), func(i int) {
		r, loc := listed[i], listed[i].Entry.Loc
		w.fillEntry(r, &r.Entry)
		r.Entry.Loc, r.Entry.LastMod = loc, sitemap.Date{}
		if r.Entry.News != nil && !c.isNews(r.Entry.News) {
			r.Entry.News = nil
		}
	})
}

// FullEntry returns the entry of a page by all sources, including alternates that do not link back.
func (w *World) FullEntry(r *Page) (u sitemap.URL) {
	w.fillEntry(r, &u)
	return u
}

// fillEntry sets *u to the entry of a page by all sources.
func (w *World) fillEntry(r *Page, u *sitemap.URL) {
	switch {
	case r.Rules == nil && r.Content == nil && r.FromSitemap == nil && r.Facts.Rest == nil: // most pages of most sites
		*u = w.Options.Defaults
	case r.Rules == nil && r.Content == nil && r.FromSitemap == nil && r.Facts.File != "": // most pages of sites in several languages
		*u = r.Facts.Rest.StatedURL()
		u.Fill(&w.Options.Defaults)
	default:
		var all sitemap.URL
		for _, st := range w.statements(r) {
			all.Fill(&st.url)
		}
		*u = all
	}
	if u.News != nil && w.Options.Page.Titles {
		u.News = r.completeNews(*u.News)
	}
}

// completeNews fills the empty fields of an article's news element from the facts of the page.
func (r *Page) completeNews(n sitemap.News) *sitemap.News {
	n.Title = cmp.Or(n.Title, r.Title())
	n.PublicationDate = cmp.Or(n.PublicationDate, r.published())
	if n.Publication.Language == "" {
		n.Publication.Language, _, _ = strings.Cut(strings.ToLower(cmp.Or(r.Lang(), r.rest().HTMLLang)), "-")
	}
	return &n
}

// maxNewsAge is the maximum age of a news article.
// https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
const maxNewsAge = 48 * time.Hour

// isNews reports whether an article is not older than maxNewsAge, or has no date. A day begins in UTC.
func (c *clock) isNews(n *sitemap.News) bool {
	if n.PublicationDate.IsZero() {
		return true
	}
	end := n.PublicationDate.Time().Add(maxNewsAge)
	if c.now.Before(end) {
		c.note(end)
		return true
	}
	return false
}

// OldNews reports whether the page lost its news element because the article is too old.
func (r *Result) OldNews(p *Page) bool {
	if p.Entry.News != nil {
		return false
	}
	said := r.World.FullEntry(p)
	return said.News != nil && !(&clock{now: r.now}).isNews(said.News)
}

// checkEntries removes values that the protocol does not allow from the entries of listed pages, and
// reports them. Alternates that pages share are checked once.
func checkEntries(w *World, listed []*Page, report *diag.Report) {
	files.ParallelParts(len(listed), func(from, to int) (_ struct{}) {
		right := map[*sitemap.Alternate]bool{} // by the first one: the alternates may be written
		var (
			at *Page // the page whose entry e is, and what was found there
			e  sitemap.Entry
			ok bool
		)
		add := func(code, message, hint string) {
			ok = false
			report.Add(diag.Diagnostic{Pos: w.Pos(at), Severity: diag.Warning, Code: code, Message: message, Hint: hint})
		}
		for _, at = range listed[from:to] {
			alts := at.Entry.Alternates
			if !w.Options.Page.Titles && at.Entry.Extensions()&^sitemap.Hreflang == 0 && (len(alts) == 0 || right[&alts[0]]) {
				continue
			}
			e, ok = sitemap.Entry{URL: at.Entry}, true
			if w.Options.Page.Titles {
				e.Title, e.Summary = at.Title(), at.summary()
			}
			if e.Check(add); ok && len(alts) > 0 {
				right[&alts[0]] = true
			}
			at.Entry = e.URL
		}
		return
	})
}

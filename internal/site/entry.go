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

// Entries gives access to the sitemap entries of a List by index. It is safe for concurrent use.
type Entries struct {
	result *Result
	pages  List
}

// Entries returns the entries of a list.
func (r *Result) Entries(l List) Entries { return Entries{r, l} }

// Len returns the number of entries.
func (es Entries) Len() int { return len(es.pages) }

// Entry sets *e to the sitemap entry of the page with the index i.
func (es Entries) Entry(i int, e *sitemap.Entry) { *e = es.result.Entry(es.pages[i]) }

// Entry returns the sitemap entry of a listed page. It sets the title, the summary and the date of
// publication only if page.Options.Titles is set.
func (r *Result) Entry(p *Page) sitemap.Entry {
	e := sitemap.Entry{URL: r.uncheckedEntry(p)}
	if r.World.Options.Page.Titles {
		e.Title, e.Summary, e.Published = p.Title(), p.summary(), p.publicationDate()
	}
	e.Check(func(_, _, _ string) {}) // only removes invalid values; checkEntries reported them
	e.Alternates = p.Alternates      // checkEntries removed the invalid alternates
	return e
}

// uncheckedEntry returns the sitemap entry of a listed page, without alternates. It may have values
// that the sitemap protocol does not allow. It has no news element if the article is older than
// maxNewsAge.
func (r *Result) uncheckedEntry(p *Page) sitemap.URL {
	u := r.World.EntryFromSources(p)
	u.Loc, u.LastMod, u.Alternates = p.Loc, p.LastMod, nil
	if u.News != nil && !r.isRecentNews(u.News) {
		u.News = nil
	}
	return u
}

// EntryFromSources returns the page's sitemap entry with the values that the sources give. It may
// have values that Result.Entry leaves out: invalid values, alternates that do not link back, and
// news that is too old. Its Loc and LastMod have no meaning.
func (w *World) EntryFromSources(p *Page) (u sitemap.URL) {
	if p.Rules == nil && p.Content == nil && p.FromSitemap == nil && p.Extra == nil { // most pages
		u = p.Facts.Rare().EntryFields().Or(w.Options.Defaults)
	} else {
		w.visitSources(p, func(st sourceEntry) { u.Fill(&st.url) })
	}
	if u.News != nil && w.Options.Page.Titles {
		u.News = p.completeNews(*u.News)
	}
	return u
}

// completeNews returns a copy of n. If the title, the publication date or the language of n is
// empty, the copy has the title, the date or the language of the page.
func (p *Page) completeNews(n sitemap.News) *sitemap.News {
	n.Title = cmp.Or(n.Title, p.Title())
	n.PublicationDate = cmp.Or(n.PublicationDate, p.publicationDate())
	if n.Publication.Language == "" {
		n.Publication.Language, _, _ = strings.Cut(strings.ToLower(cmp.Or(p.KnownLang(), p.Facts.Rare().HTMLLang)), "-")
	}
	return &n
}

// A sourceEntry contains the values that one source, such as a rule or front matter, gives for the
// sitemap entry of a page.
type sourceEntry struct {
	source string
	url    sitemap.URL
	note   string // as in Claim
	pos    diag.Pos
}

// visitSources calls visit with the values that each source gives for the sitemap entry of a page.
// The strongest source comes first: for each field except lastmod, the first source with a value
// wins. A dater resolves lastmod.
//
// visitSources resolves relative addresses, such as the address of an image. In front matter, they
// are relative to the page. In a rule or an extra URL, they are paths below the base URL.
func (w *World) visitSources(p *Page, visit func(sourceEntry)) {
	part := w.PartOf(p)
	if p.Extra != nil {
		visit(sourceEntry{"extra", resolveAddresses(p.Extra.URL, part.ResolveURL), "", p.Extra.Pos})
	}
	if p.Rules != nil {
		for _, rule := range slices.Backward(p.Rules.Matching) {
			visit(sourceEntry{"rule", resolveAddresses(rule.Set, part.ResolveURL), rule.Match, rule.Pos})
		}
	}
	if p.Content != nil && p.Content.Facts != nil {
		onPage := func(ref string) (string, error) { return part.Base.Resolve(ref, p.Loc, "") }
		visit(sourceEntry{"frontmatter", resolveAddresses(p.Content.Facts.URL, onPage), "", w.ContentPos(p)})
	}
	if p.FromSitemap != nil {
		visit(sourceEntry{"sitemap", p.FromSitemap.URL, "", p.FromSitemap.Pos})
	}
	if html := p.Facts.Rare().EntryFields(); html.Extensions() != 0 {
		visit(sourceEntry{"html", html, "", w.Pos(p)})
	}
	visit(sourceEntry{"defaults", w.Options.Defaults, "", diag.Pos{}})
}

// resolveAddresses returns a copy of u with resolved addresses: each address except Loc, such as
// the address of an image, is replaced by resolve(address). An address stays unchanged if resolve
// returns an error.
func resolveAddresses(u sitemap.URL, resolve func(ref string) (string, error)) sitemap.URL {
	if u.Extensions() == 0 {
		return u
	}
	v := u
	v.EditURLs(func(ref *string) {
		if *ref == "" {
			return
		}
		if loc, err := resolve(*ref); err == nil {
			*ref = loc
		}
	})
	return v
}

// A Claim is the value that one source gives for a field of a page's sitemap entry, or the reason
// why the source gives none.
type Claim struct {
	Source string   `json:"source"`
	Value  string   `json:"value,omitempty"` // "" if the source has no value
	Note   string   `json:"note,omitempty"`  // the origin of the value, such as a front matter key, or why the source has none
	Pos    diag.Pos `json:"pos"`
	Wins   bool     `json:"wins"`
}

// FieldClaims returns the values that the sources give for a field of the page's sitemap entry,
// such as priority. It sorts them by source, the strongest first. A source with several values,
// such as several images, has several claims. FieldClaims does not set Claim.Wins.
func (w *World) FieldClaims(p *Page, field *EntryField) (all []Claim) {
	w.visitSources(p, func(st sourceEntry) {
		for _, value := range field.Values(&st.url) {
			all = append(all, Claim{Source: st.source, Value: value, Note: st.note, Pos: st.pos})
		}
	})
	return all
}

// An EntryField is a field of a sitemap entry, such as priority.
type EntryField struct {
	Name   string                        // name in the output of explain, "changefreq"
	Values func(u *sitemap.URL) []string // the values of the field in an entry
}

// EntryFields lists the fields of a sitemap entry, except its URL and its date.
var EntryFields = []EntryField{
	{"changefreq", func(u *sitemap.URL) []string { return nonEmptyList(u.ChangeFreq.String()) }},
	{"priority", func(u *sitemap.URL) []string { return nonEmptyList(u.Priority.String()) }},
	{"alternate", func(u *sitemap.URL) []string {
		return formatAll(u.Alternates, func(a sitemap.Alternate) string { return a.Lang + " " + a.Href })
	}},
	{"image", func(u *sitemap.URL) []string {
		return formatAll(u.Images, func(m sitemap.Image) string { return m.Loc })
	}},
	{"video", func(u *sitemap.URL) []string {
		return formatAll(u.Videos, func(v sitemap.Video) string { return v.Title })
	}},
	{"news", func(u *sitemap.URL) []string {
		if u.News == nil {
			return nil
		}
		return []string{u.News.Title}
	}},
}

// formatAll returns the results of format for all values.
func formatAll[T any](values []T, format func(T) string) (texts []string) {
	for _, v := range values {
		texts = append(texts, format(v))
	}
	return texts
}

// nonEmptyList returns []string{value}, or nil if value is "".
func nonEmptyList(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// setAlternates sets Alternates of each listed page to the alternates that its sources give.
func (r *Result) setAlternates() {
	files.ParallelEach(len(r.List), func(i int) {
		r.List[i].Alternates = r.World.EntryFromSources(r.List[i]).Alternates
	})
}

// maxNewsAge is the maximum age of an article in a news sitemap.
// See https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
const maxNewsAge = 48 * time.Hour

// isRecentNews reports whether an article is younger than maxNewsAge, or has no date.
func (r *Result) isRecentNews(n *sitemap.News) bool {
	return n.PublicationDate.IsZero() || r.now.Before(newsEnd(n))
}

// newsEnd returns the time at which an article with a date is older than maxNewsAge. A publication
// date without a time means midnight UTC.
func newsEnd(n *sitemap.News) time.Time { return n.PublicationDate.Time().Add(maxNewsAge) }

// HasOldNews reports whether the page's entry lacks a news element because the article is older
// than maxNewsAge.
func (r *Result) HasOldNews(p *Page) bool {
	entry := r.World.EntryFromSources(p)
	return entry.News != nil && !r.isRecentNews(entry.News)
}

// checkEntries reports the values that the sitemap protocol does not allow in the entries of listed
// pages. It removes such alternates; Entry removes the other values. It notes in c when news will
// be too old.
func (r *Result) checkEntries(c *clock) {
	w := r.World
	files.ParallelRanges(len(r.List), func(from, to int) {
		right := map[*sitemap.Alternate]bool{} // lists of alternates without a mistake, by their first element
		var (
			at *Page         // current page
			e  sitemap.Entry // entry of the page
			ok bool          // no finding about the entry so far
		)
		add := func(code, message, hint string) {
			ok = false
			r.Findings.Add(diag.Diagnostic{Pos: w.Pos(at), Severity: diag.Warning, Code: code, Message: message, Hint: hint})
		}
		for _, at = range r.List[from:to] {
			alts := at.Alternates
			e, ok = sitemap.Entry{URL: r.uncheckedEntry(at)}, true
			e.Alternates = alts
			if e.News != nil && !e.News.PublicationDate.IsZero() {
				c.noteNextChange(newsEnd(e.News))
			}
			if !w.Options.Page.Titles && e.Extensions()&^sitemap.Hreflang == 0 && (len(alts) == 0 || right[&alts[0]]) {
				continue
			}
			if w.Options.Page.Titles {
				e.Title, e.Summary = at.Title(), at.summary()
			}
			if e.Check(add); ok && len(alts) > 0 {
				right[&alts[0]] = true
			}
			at.Alternates = e.Alternates
		}
	})
}

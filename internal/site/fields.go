package site

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/parallel"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Speaker is one who may say what a page's entry holds.
type Speaker struct {
	Name string // as in explanations
	Text string // who it is
	// says returns what it says of a page, and false if that is nothing.
	says func(w *World, r *Page) (sitemap.URL, bool)
	// pos returns where that stands; nil: at no place.
	pos func(w *World, r *Page) diag.Pos
	// places, where it speaks at several, returns what it says place by place, the one
	// that counts first.
	places func(w *World, r *Page) []statement
}

// A statement is what somebody says of a page at one place.
type statement struct {
	url  sitemap.URL
	note string
	pos  diag.Pos
}

// Speakers are all who speak for a page's fields but its date, in the order in
// which they are heard: the first that says anything of a field has said it. The
// date has Sources of its own.
var Speakers = []Speaker{
	{"extra", "an extra URL of the configuration", extraSays, (*World).Pos, nil},
	{"rule", "the rules that match, the last one first", ruleSays, nil, rulePlaces},
	{"frontmatter", "the front matter of the page's content file", frontSays, (*World).ContentPos, nil},
	{"generator", "the generator's own configuration", generatorSays, nil, nil},
	{"sitemap", "the sitemap that --from names", sitemapSays, func(_ *World, r *Page) diag.Pos { return r.Given.Pos }, nil},
	{"html", "the built page", htmlSays, (*World).Pos, nil},
	{"defaults", "defaults in sitemap.yaml", defaultsSay, nil, nil},
}

// A FieldOf is one field of an entry, and who may speak for it.
type FieldOf struct {
	Name   string                        // as in explanations
	By     []string                      // names of Speakers in their order; of the date, of Sources
	Values func(u *sitemap.URL) []string // what an entry holds of it; nil of the date
}

// inHTML are the extensions that a built page speaks for.
const inHTML = sitemap.Hreflang | sitemap.ImageExt

// Fields returns all fields of an entry that somebody speaks for.
func Fields() []FieldOf {
	all := []FieldOf{
		{"lastmod", SourceNames(), nil},
		{"changefreq", []string{"extra", "rule", "frontmatter", "generator", "sitemap", "defaults"}, func(u *sitemap.URL) []string {
			return oneValue(u.ChangeFreq.String())
		}},
		{"priority", []string{"extra", "rule", "frontmatter", "generator", "sitemap", "defaults"}, func(u *sitemap.URL) []string {
			return oneValue(u.Priority.String())
		}},
	}
	for _, x := range sitemap.ExtensionFields() {
		by := []string{"extra", "rule", "frontmatter", "sitemap"}
		if x.Extension&inHTML != 0 {
			by = append(by, "html")
		}
		all = append(all, FieldOf{x.Name, by, x.Values})
	}
	return all
}

// oneValue returns a value as a list, an empty one for "".
func oneValue(value string) []string {
	if value == "" {
		return nil
	}
	return []string{value}
}

// fillEntries gives the entries of listed pages all that is said of them. Dates come later,
// and news that is too old is dropped. The pages that the alternates name may not agree.
func fillEntries(w *World, listed []*Page, c *clock) {
	parallel.Each(len(listed), func(i int) {
		r, loc := listed[i], listed[i].Entry.Loc
		w.fillEntry(r, &r.Entry)
		r.Entry.Loc, r.Entry.LastMod = loc, sitemap.Date{}
		if r.Entry.News != nil && !c.isNews(r.Entry.News) {
			r.Entry.News = nil
		}
	})
}

// Said returns what all say of a page. The pages that its alternates name may not agree.
func (w *World) Said(r *Page) (u sitemap.URL) {
	w.fillEntry(r, &u)
	return u
}

// fillEntry fills *u with what all say of a page.
func (w *World) fillEntry(r *Page, u *sitemap.URL) {
	switch {
	case r.Rules == nil && r.Content == nil && r.Given == nil && r.Said.Rest == nil: // as of most pages of most sites
		*u = w.Options.Defaults
	case r.Rules == nil && r.Content == nil && r.Given == nil && r.Said.File != "": // and of those in languages
		*u = r.Said.Rest.Said()
		u.Fill(&w.Options.Defaults)
	default:
		var all sitemap.URL
		for i := range Speakers {
			if says, ok := Speakers[i].says(w, r); ok {
				all.Fill(&says)
			}
		}
		*u = all
	}
	if u.News != nil && w.Options.Page.Titles {
		u.News = r.news(*u.News)
	}
}

// news completes what was said of an article with what the page says of itself.
func (r *Page) news(n sitemap.News) *sitemap.News {
	n.Title = cmp.Or(n.Title, r.Title())
	n.PublicationDate = cmp.Or(n.PublicationDate, r.published())
	if n.Publication.Language == "" {
		n.Publication.Language, _, _ = strings.Cut(strings.ToLower(cmp.Or(r.Lang(), r.rest().HTMLLang)), "-")
	}
	return &n
}

func extraSays(w *World, r *Page) (u sitemap.URL, ok bool) {
	if r.Said.File != "" || r.Given != nil || r.Said.Rest == nil {
		return u, false
	}
	return w.belowBase(r, *r.Said.Rest.URL), true
}

func ruleSays(w *World, r *Page) (u sitemap.URL, ok bool) {
	if r.Rules == nil {
		return u, false
	}
	return w.belowBase(r, r.Rules.URL), true
}

func rulePlaces(w *World, r *Page) (all []statement) {
	for _, rule := range slices.Backward(r.Rules.Matching) {
		all = append(all, statement{w.belowBase(r, rule.Set), rule.Match, rule.Pos})
	}
	return all
}

func frontSays(w *World, r *Page) (u sitemap.URL, ok bool) {
	if r.Content == nil || r.Content.Facts == nil {
		return u, false
	}
	return w.onPage(r, r.Content.Facts.URL), true
}

func generatorSays(w *World, r *Page) (u sitemap.URL, ok bool) {
	if r.Content == nil || r.Content.config == nil {
		return u, false
	}
	return w.onPage(r, *r.Content.config), true
}

func sitemapSays(w *World, r *Page) (u sitemap.URL, ok bool) {
	if r.Given == nil {
		return u, false
	}
	return r.Given.URL, true
}

func htmlSays(w *World, r *Page) (u sitemap.URL, ok bool) {
	if r.Said.File == "" || r.Said.Rest == nil {
		return u, false
	}
	return r.Said.Rest.Said(), true
}

func defaultsSay(w *World, _ *Page) (sitemap.URL, bool) { return w.Options.Defaults, true }

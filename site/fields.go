package site

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Speaker is one who may say what a page's entry holds.
type Speaker struct {
	Name string // as in explanations
	Text string // who it is
	// says returns what it says of a page, and false if that is nothing.
	says func(s *view, r *record) (sitemap.URL, bool)
	// pos returns where that stands; nil: at no place.
	pos func(s *view, r *record) diag.Pos
	// places, where it speaks at several, returns what it says place by place, the one
	// that counts first.
	places func(s *view, r *record) []statement
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
	{"extra", "an extra URL of the configuration", (*view).extraSays, (*view).pos, nil},
	{"rule", "the rules that match, the last one first", (*view).ruleSays, nil, (*view).rulePlaces},
	{"frontmatter", "the front matter of the page's content file", (*view).frontSays, (*view).contentPos, nil},
	{"generator", "the generator's own configuration", (*view).givenSays, nil, nil},
	{"sitemap", "the sitemap that --from names", (*view).sitemapSays, func(s *view, r *record) diag.Pos { return s.givenAs(r).pos() }, nil},
	{"html", "the built page", (*view).htmlSays, (*view).pos, nil},
	{"defaults", "defaults in sitemap.yaml", (*view).defaultsSay, nil, nil},
}

// A FieldOf is one field of an entry, and who may speak for it.
type FieldOf struct {
	Name   string   // as in explanations
	By     []string // names of Speakers in their order; of the date, of Sources
	values func(u *sitemap.URL) []string
}

// Fields are all fields of an entry that somebody speaks for.
var Fields = append([]FieldOf{
	{"lastmod", SourceNames(), nil},
	{"changefreq", []string{"extra", "rule", "frontmatter", "generator", "sitemap", "defaults"}, func(u *sitemap.URL) []string {
		return oneValue(u.ChangeFreq.String())
	}},
	{"priority", []string{"extra", "rule", "frontmatter", "generator", "sitemap", "defaults"}, func(u *sitemap.URL) []string {
		return oneValue(u.Priority.String())
	}},
}, extensionFields()...)

// inHTML are the extensions that a built page speaks for.
const inHTML = sitemap.Hreflang | sitemap.ImageExt

func extensionFields() (all []FieldOf) {
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

// url fills *u with what all say of a page. Its alternates are not agreed with
// those that they name.
func (s *view) url(r *record, u *sitemap.URL) {
	switch {
	case r.set == nil && r.src == nil && r.from == 0 && r.Rest == nil: // as of most pages of most sites
		*u = s.o.Defaults
	case r.set == nil && r.src == nil && r.from == 0 && r.File != "": // and of those in languages
		*u = r.Rest.Said()
		u.Fill(&s.o.Defaults)
	default:
		*u = sitemap.URL{}
		for i := range Speakers {
			if says, ok := Speakers[i].says(s, r); ok {
				u.Fill(&says)
			}
		}
	}
	u.Loc, u.LastMod = r.loc, r.date
	if u.News != nil && s.o.Page.Titles {
		u.News = r.news(*u.News)
	}
}

// news completes what was said of an article with what the page says of itself.
func (r *record) news(n sitemap.News) *sitemap.News {
	n.Title = cmp.Or(n.Title, r.title())
	n.PublicationDate = cmp.Or(n.PublicationDate, r.published())
	if n.Publication.Language == "" {
		n.Publication.Language, _, _ = strings.Cut(strings.ToLower(cmp.Or(r.lang(), r.HTMLLang())), "-")
	}
	return &n
}

// extended reports whether anybody says of a page what only extensions of the
// protocol can say. Of most pages nobody does.
func (s *view) extended(r *record) bool { return s.extensions(r) != 0 }

// extensions returns those that any speaker uses for a page, heard or not.
func (s *view) extensions(r *record) (e sitemap.Extensions) {
	if r.Rest != nil {
		e = r.Rest.Extensions()
	}
	if r.src != nil && r.src.says != nil {
		e |= r.src.says.Extensions()
	}
	if r.set != nil {
		e |= r.set.url.Extensions()
	}
	if r.from != 0 && s.givenAs(r).more != nil {
		e |= s.givenAs(r).more.Extensions()
	}
	return e | s.o.Defaults.Extensions()
}

func (s *view) extraSays(r *record) (u sitemap.URL, ok bool) {
	if r.File != "" || r.from != 0 || r.Rest == nil {
		return u, false
	}
	return s.belowBase(r, *r.Rest.URL), true
}

func (s *view) ruleSays(r *record) (u sitemap.URL, ok bool) {
	if r.set == nil {
		return u, false
	}
	return s.belowBase(r, r.set.url), true
}

func (s *view) rulePlaces(r *record) (all []statement) {
	for _, rule := range slices.Backward(r.set.rules) {
		all = append(all, statement{s.belowBase(r, rule.Set), rule.Match, rule.Pos})
	}
	return all
}

func (s *view) frontSays(r *record) (u sitemap.URL, ok bool) {
	if r.src == nil || r.src.Facts == nil {
		return u, false
	}
	return s.onPage(r, r.src.Facts.URL), true
}

func (s *view) givenSays(r *record) (u sitemap.URL, ok bool) {
	if r.src == nil || r.src.given == nil {
		return u, false
	}
	return s.onPage(r, *r.src.given), true
}

func (s *view) sitemapSays(r *record) (u sitemap.URL, ok bool) {
	if r.from == 0 {
		return u, false
	}
	return s.givenAs(r).url(), true
}

func (s *view) htmlSays(r *record) (u sitemap.URL, ok bool) {
	if r.File == "" || r.Rest == nil {
		return u, false
	}
	return r.Rest.Said(), true
}

func (s *view) defaultsSay(*record) (sitemap.URL, bool) { return s.o.Defaults, true }

// claims returns what every speaker says of a field, in their order, value by
// value.
func (s *view) claims(r *record, field *FieldOf) (all []Claim) {
	for i := range Speakers {
		if !slices.Contains(field.By, Speakers[i].Name) {
			continue
		}
		for _, st := range Speakers[i].statements(s, r) {
			for _, value := range field.values(&st.url) {
				all = append(all, Claim{Source: Speakers[i].Name, Value: value, Note: st.note, Pos: st.pos})
			}
		}
	}
	return all
}

// statements returns what it says of a page, place by place.
func (sp *Speaker) statements(s *view, r *record) []statement {
	u, ok := sp.says(s, r)
	switch {
	case !ok:
		return nil
	case sp.places != nil:
		return sp.places(s, r)
	case sp.pos != nil:
		return []statement{{url: u, pos: sp.pos(s, r)}}
	}
	return []statement{{url: u}}
}

// field explains one field of a page: a Field for each of its values, with what
// every speaker says of it; what else is said stands with the first.
func (s *explainer) field(r *record, field *FieldOf, entry *sitemap.URL) (all []Field) {
	claims := s.claims(r, field)
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

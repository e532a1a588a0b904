package llms

import (
	"bytes"
	"cmp"
	"context"
	_ "embed"
	"html"
	"path"
	"slices"
	"strings"
	"text/template"
	"unicode"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// The page for people stays light: it has so many sections at most, and so many
// links, of each section as many as every other can have too; and its sections
// are open as long as they are quickly read.
const (
	maxTopics = 1000
	maxLinks  = 5000
	openLinks = 200
)

// The page is plain HTML without a script, and without a word of ours, which would be
// foreign to most sites.
var (
	//go:embed people.html
	peopleHTML string
	//go:embed people.css
	peopleCSS string
)

// People returns the page for people: HTML with all sections and their first pages.
func (s *Site) People(ctx context.Context) ([]byte, error) {
	topics, err := s.topics(ctx)
	if err != nil {
		return nil, err
	}
	page := struct {
		*Site
		CSS, File string
		Topics    []*topic
		Open      bool
		More      int // pages of no topic
	}{Site: s, CSS: peopleCSS, File: path.Base(s.All), Topics: topics[:min(len(topics), maxTopics)]}
	pages := 0
	for i, t := range topics {
		if pages += t.Pages; i >= maxTopics {
			page.More += t.Pages
		}
	}
	page.Open = pages <= openLinks
	words := template.FuncMap{"escape": html.EscapeString, "shown": shown, "spaced": spaced}
	var b bytes.Buffer
	err = template.Must(template.New("").Funcs(words).Parse(peopleHTML)).Execute(&b, page)
	return b.Bytes(), err
}

// A topic is a section as people see it.
type topic struct {
	key   string
	lang  string // of its home page; "" where that is not known
	Title string
	Pages int
	Links []link // the first of them
}

// More returns how many of its pages have no link.
func (t *topic) More() int { return t.Pages - len(t.Links) }

type link struct{ Loc, Name, Date string }

// topics returns the sections of a site, the pages at its root first. A
// section of one page is no section to people, and its page goes to the root's. Of
// sections with one title, as those of languages, each names its language.
func (s *Site) topics(ctx context.Context) ([]*topic, error) {
	byKey := map[string]*topic{}
	_ = EachEntry(ctx, s.Entries, func(_ int, e *sitemap.Entry) {
		key := SectionOf(s.Base, e.Loc)
		t := byKey[key]
		if t == nil {
			t = &topic{key: strings.Clone(key)}
			byKey[t.key] = t
		}
		t.Pages++
	})
	topics := joinSingles(byKey)
	counts := make([]int, len(topics))
	for i, t := range topics {
		counts[i] = t.Pages
	}
	each := share(counts, maxLinks)
	err := EachEntry(ctx, s.Entries, func(_ int, e *sitemap.Entry) {
		key := SectionOf(s.Base, e.Loc)
		t := byKey[key]
		if len(t.Links) < each {
			name := cmp.Or(strings.TrimSpace(e.Title), readable(strings.TrimPrefix(e.Loc, strings.TrimSuffix(s.Base, "/")+t.key)))
			t.Links = append(t.Links, link{e.Loc, name, e.LastMod.String()})
		}
		if t.key != "" && e.Loc == s.Base+strings.TrimPrefix(key, "/")+"/" {
			t.Title, t.lang = e.Title, langOf(e)
		}
	})
	if err != nil {
		return nil, err
	}
	titles := map[string]int{}
	for _, t := range topics {
		t.Title = cmp.Or(strings.TrimSpace(t.Title), titleOf(t.key))
		titles[t.Title]++
	}
	for _, t := range topics {
		if titles[t.Title] > 1 && t.key != "" {
			t.Title += " (" + cmp.Or(t.lang, titleOf(t.key)) + ")"
		}
	}
	return topics, nil
}

// langOf returns the language of a page of which translations are known.
func langOf(e *sitemap.Entry) string {
	i := slices.IndexFunc(e.Alternates, func(a sitemap.Alternate) bool { return a.Href == e.Loc && a.Lang != "x-default" })
	if i < 0 {
		return ""
	}
	return e.Alternates[i].Lang
}

// joinSingles makes sections of one page one with the root, and returns what
// there is then, sorted by key.
func joinSingles(byKey map[string]*topic) (topics []*topic) {
	root := cmp.Or(byKey[""], &topic{})
	for key, t := range byKey {
		switch {
		case key == "":
		case t.Pages == 1:
			byKey[key] = root
			root.Pages++
		default:
			topics = append(topics, t)
		}
	}
	if root.Pages > 0 {
		topics = append(topics, root)
	}
	slices.SortFunc(topics, func(a, b *topic) int { return strings.Compare(a.key, b.key) })
	return topics
}

// shown returns a text of the site as HTML, without characters that would turn the
// order of what stands around them, and without control characters.
func shown(s string) string {
	return html.EscapeString(strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r >= '\u202a' && r <= '\u202e' || r >= '\u2066' && r <= '\u2069' {
			return -1
		}
		return r
	}, s))
}

// spaced returns n with a narrow space between thousands, as all languages read
// it.
func spaced(n int) string {
	return strings.ReplaceAll(diag.Number(n), ",", "\u202f")
}

package llms

import (
	"bytes"
	"context"
	_ "embed"
	"html"
	"path"
	"strings"
	"text/template"

	"github.com/sitewalk/sitewalk/diag"
)

// Limits that keep the page for people small.
const (
	maxTopics = 1000 // maximum number of sections
	maxLinks  = 5000 // maximum number of links
	openLinks = 200  // number of pages up to which all sections are open
)

// The page is plain HTML without scripts. It has no words of its own, because they would be in
// a foreign language on most sites.
var (
	//go:embed people.html
	peopleHTML string
	//go:embed people.css
	peopleCSS string
)

// A topic is a section of the page for people.
type topic struct {
	Title string // "" for the root
	Pages int
	Links []topicLink // the first pages
}

// A topicLink is a page with its date, or "".
type topicLink struct {
	Link
	Date string
}

// More returns the number of pages without a link.
func (t *topic) More() int { return t.Pages - len(t.Links) }

// PageForPeople returns the page for people: HTML with all sections and their first pages.
func (s *Site) PageForPeople(ctx context.Context) ([]byte, error) {
	scopes, err := s.scopes(ctx, nil)
	if err != nil {
		return nil, err
	}
	c := scopes[0]
	c.cutTitles(s)
	page := struct {
		*Site
		Name, CSS, File string
		Topics          []topic
		Open            bool
		More            int // number of pages without a section
	}{Site: s, Name: c.name, CSS: peopleCSS, File: path.Base(s.ListFile), Open: len(c.pages) <= openLinks}
	for i, section := range c.sections(maxLinks) {
		if i >= maxTopics {
			page.More += section.total
			continue
		}
		t := topic{Title: section.name, Pages: section.total}
		for j, l := range section.links(c.Base, nil) {
			t.Links = append(t.Links, topicLink{l, section.pages[j].date.String()})
		}
		page.Topics = append(page.Topics, t)
	}
	words := template.FuncMap{"escape": html.EscapeString, "shown": htmlText, "spaced": formatNumber}
	var b bytes.Buffer
	err = template.Must(template.New("").Funcs(words).Parse(peopleHTML)).Execute(&b, page)
	return b.Bytes(), err
}

// htmlText returns text of the site as HTML, without characters that change the direction of the
// text around them and without control characters.
func htmlText(s string) string {
	return html.EscapeString(strings.Map(visibleRune, s))
}

// formatNumber returns n with a narrow space between thousands.
func formatNumber(n int) string { return strings.ReplaceAll(diag.Number(n), ",", "\u202f") }

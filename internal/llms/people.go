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

const (
	maxTopics = 1000 // maximum number of sections on the page for people
	maxLinks  = 5000 // maximum number of links on the page for people
	openLinks = 200  // maximum number of pages for which all sections are shown unfolded
)

// The page for people is plain HTML without scripts. It contains only texts of the site and the
// word "Sitemap" in the title, because other words would be in a foreign language on most sites.
var (
	//go:embed people.html
	peopleHTML string
	//go:embed people.css
	peopleCSS string
)

// A topic is one section of the HTML page that PageForPeople returns.
type topic struct {
	Title string      // "" for pages at the root of the site
	Pages int         // number of pages in the section
	Links []topicLink // first pages of the section; the others have no link
}

// A topicLink is a link to a page, with the page's date.
type topicLink struct {
	Link
	// Date is the date as in a sitemap; "" if the page has none.
	Date string
}

// More returns the number of pages in the topic that have no link. The HTML template calls it.
func (t *topic) More() int { return t.Pages - len(t.Links) }

// PageForPeople returns an HTML page that lists the pages of the site by section. In large
// sections, only the first pages have a link.
func (s *Site) PageForPeople(ctx context.Context) ([]byte, error) {
	scopes, err := s.newScopes(ctx, nil)
	if err != nil {
		return nil, err
	}
	c := scopes[0]
	c.removeSharedNames(s)
	page := struct {
		*Site
		Name, CSS, File string
		Topics          []topic
		Open            bool
		More            int // number of pages in sections that are not shown
	}{Site: s, Name: c.name, CSS: peopleCSS, File: path.Base(s.ListFile), Open: len(c.pages) <= openLinks}
	for i, section := range c.newSections(maxLinks) {
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
	words := template.FuncMap{"escape": html.EscapeString, "shown": escapeHTMLText, "spaced": formatNumber}
	var b bytes.Buffer
	err = template.Must(template.New("").Funcs(words).Parse(peopleHTML)).Execute(&b, page)
	return b.Bytes(), err
}

// escapeHTMLText escapes text of the site for HTML. It first maps each character with visibleRune,
// which removes control characters.
func escapeHTMLText(s string) string {
	return html.EscapeString(strings.Map(visibleRune, s))
}

// formatNumber returns n in decimal, with a narrow space between thousands.
func formatNumber(n int) string { return strings.ReplaceAll(diag.Number(n), ",", "\u202f") }

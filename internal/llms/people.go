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
	maxLinks    = 5000 // maximum number of links on the page for people; each section has at least one link
	maxUnfolded = 200  // maximum number of pages on the page for people for which all sections are shown unfolded
)

// The page for people is plain HTML without scripts. It contains only texts of the site and the
// word "Sitemap" in the title, because other words would be in a foreign language on most sites.
var (
	//go:embed people.html
	peopleHTML string
	//go:embed people.css
	peopleCSS string
)

// A topic is one section on the page for people.
type topic struct {
	Title    string      // heading; "" for pages at the root of the site
	NumPages int         // number of pages in the section
	Links    []topicLink // links to pages of the section; other pages have no link
}

// A topicLink is a link to a page, with the date of the page.
type topicLink struct {
	Link
	// Date is the publication date of the page, or else the date of its last change, in the format
	// of a sitemap, such as "2006-01-02". It is "" if the page has no date.
	Date string
}

// NumUnlinked returns the number of pages in the topic that have no link. The HTML template calls
// it.
func (t *topic) NumUnlinked() int { return t.NumPages - len(t.Links) }

// PageForPeople returns an HTML page that lists the pages of the site by section, except the pages
// of s.Languages. If there are too many pages, it has links to only some of them, and shows the
// number of pages without a link.
func (s *Site) PageForPeople(ctx context.Context) ([]byte, error) {
	scopes, err := s.newScopes(ctx)
	if err != nil {
		return nil, err
	}
	c := scopes[0]
	c.setNameAndTitles(s)
	page := struct {
		*Site
		Name, CSS, File string
		Topics          []topic
		Open            bool
	}{Site: s, Name: c.name, CSS: peopleCSS, File: path.Base(s.ListFile), Open: len(c.pages) <= maxUnfolded}
	for _, section := range c.newSections(maxLinks) {
		t := topic{Title: section.name, NumPages: section.total}
		for j, l := range section.links(c.base, nil) {
			t.Links = append(t.Links, topicLink{l, section.pages[j].date.String()})
		}
		page.Topics = append(page.Topics, t)
	}
	words := template.FuncMap{"escape": html.EscapeString, "shown": escapeHTMLText, "spaced": formatNumber}
	var b bytes.Buffer
	err = template.Must(template.New("").Funcs(words).Parse(peopleHTML)).Execute(&b, page)
	return b.Bytes(), err
}

// escapeHTMLText escapes s for HTML. It first maps each character with visibleRune, which removes
// control characters.
func escapeHTMLText(s string) string {
	return html.EscapeString(strings.Map(visibleRune, s))
}

// formatNumber returns n in decimal, such as "12 345" with narrow no-break spaces between groups of
// three digits.
func formatNumber(n int) string { return strings.ReplaceAll(diag.Number(n), ",", "\u202f") }

package sitemap

import "strings"

// A News is the news article on a page, written as news:news. All fields are required.
// See https://developers.google.com/search/docs/crawling-indexing/sitemaps/news-sitemap
type News struct {
	Publication     Publication `key:"publication"`
	PublicationDate Date        `key:"publication_date"` // when the article was first published
	Title           string      `key:"title"`
}

// A Publication is the newspaper or site that published an article.
type Publication struct {
	Name     string `key:"name"`     // name as printed on the articles
	Language string `key:"language"` // ISO 639 code of two or three lower-case letters, or zh-cn or zh-tw
}

var newsElements = []element[News]{
	{name: "news:name", field: func(n *News) any { return &n.Publication.Name }}, // this element and the next are inside news:publication
	{name: "news:language", field: func(n *News) any { return &n.Publication.Language }},
	{name: "news:publication_date", field: func(n *News) any { return &n.PublicationDate }},
	{name: "news:title", field: func(n *News) any { return &n.Title }},
}

// readNews reads a news:news element into the current entry. If the entry already has news,
// readNews skips the element and adds a problem.
func (r *Reader) readNews() error {
	if r.item.News != nil {
		r.addProblem(r.xml.tokenLine, "duplicate-element", "keep one", "an entry has more than one news:news")
		return r.skipElement()
	}
	r.item.News = new(News)
	return r.readChildren((*Reader).readNewsChild)
}

// readNewsChild reads a child element of news:news or of news:publication into the article of the
// current entry.
func (r *Reader) readNewsChild() error {
	if r.xml.space == NamespaceNews && r.xml.local == "publication" {
		return r.readChildren((*Reader).readNewsChild)
	}
	return readElement(r, NamespaceNews, newsElements, r.item.News)
}

// appendTo appends n as a news:news element.
func (n *News) appendTo(b []byte) []byte {
	b = append(b, "<news:news><news:publication>"...)
	b = appendElements(b, newsElements[:2], n)
	b = append(b, "</news:publication>"...)
	b = appendElements(b, newsElements[2:], n)
	return append(b, "</news:news>"...)
}

// cleanNews cleans the texts of u.News, which must not be nil. If a required field is missing or
// invalid, cleanNews sets u.News to nil and reports that.
func (c *checker) cleanNews(u *URL) {
	n := *u.News
	c.cleanText("news publication", &n.Publication.Name)
	c.cleanText("news title", &n.Title)
	if u.News = nil; c.checkNews(&n) {
		u.News = &n
	}
}

// checkNews reports whether all fields of n are set and valid. If not, it reports a finding about
// the first wrong field.
func (c *checker) checkNews(n *News) bool {
	for _, required := range []struct{ name, text string }{
		{"publication name", n.Publication.Name}, {"publication date", n.PublicationDate.String()}, {"title", n.Title},
	} {
		if required.text == "" {
			c.reportEdit("bad-news", "name the "+required.name, "news without a %s is left out", required.name)
			return false
		}
	}
	if !isNewsLanguage(n.Publication.Language) {
		c.reportEdit("bad-news", "write two or three small letters such as en, or zh-cn or zh-tw",
			"news language %q is not one of ISO 639; the article is left out", n.Publication.Language)
		return false
	}
	return true
}

// isNewsLanguage reports whether s has a form that Google News accepts: two or three lower-case
// letters, "zh-cn" or "zh-tw".
func isNewsLanguage(s string) bool {
	if s == "zh-cn" || s == "zh-tw" {
		return true
	}
	return (len(s) == 2 || len(s) == 3) && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}

package sitemap

import "strings"

// A News is the news:news of a page. All of it is required.
type News struct {
	Publication     Publication `key:"publication"`
	PublicationDate Date        `key:"publication_date"` // when the article first appeared
	Title           string      `key:"title"`
}

// A Publication is where an article appeared.
type Publication struct {
	Name     string `key:"name"`     // as on the articles
	Language string `key:"language"` // ISO 639, two or three letters; or zh-cn, zh-tw
}

var newsElements = []element[News]{
	{name: "news:name", field: func(n *News) any { return &n.Publication.Name }}, // this and the next in a news:publication
	{name: "news:language", field: func(n *News) any { return &n.Publication.Language }},
	{name: "news:publication_date", field: func(n *News) any { return &n.PublicationDate }},
	{name: "news:title", field: func(n *News) any { return &n.Title }},
}

type news struct{}

var newsNotation = notation{
	name: "news", prefix: "news", space: NamespaceNews, root: "news",
	obsolete: []string{"access", "genres", "keywords", "stock_tickers"}, // the documentation of today leaves them out
}

func (news) notation() *notation { return &newsNotation }

func (news) has(local string) bool {
	return local == "publication" || find(newsElements[2:], local) >= 0
}

func (news) addresses(*URL, func(*string)) {}

func (news) values(u *URL) []string {
	if u.News == nil {
		return nil
	}
	return []string{u.News.Title}
}

func (news) read(r *Reader) error {
	if r.item.News != nil {
		r.addProblem(r.xml.tokenLine, "duplicate-element", "keep one", "an entry has more than one news:news")
		return r.skip()
	}
	r.item.News = new(News)
	return r.children((*Reader).readNews)
}

func (r *Reader) readNews() error {
	if r.xml.space == NamespaceNews && r.xml.local == "publication" {
		return r.children((*Reader).readNews)
	}
	return readElement(r, NamespaceNews, newsElements, r.item.News)
}

func (news) appendTo(b []byte, u *URL) []byte {
	b = append(b, "<news:news><news:publication>"...)
	b = appendElements(b, newsElements[:2], u.News)
	b = append(b, "</news:publication>"...)
	b = appendElements(b, newsElements[2:], u.News)
	return append(b, "</news:news>"...)
}

// check drops news without a required field.
func (news) check(c *checker, u *URL) {
	n, before := *u.News, c.edits
	c.cleanText("news publication", &n.Publication.Name)
	c.cleanText("news title", &n.Title)
	if !c.hasRequiredNews(&n) {
		u.News = nil
		return
	}
	if c.edits > before {
		u.News = &n
	}
}

func (c *checker) hasRequiredNews(n *News) bool {
	for _, required := range []struct{ name, text string }{
		{"publication name", n.Publication.Name}, {"publication date", n.PublicationDate.String()}, {"title", n.Title},
	} {
		if required.text == "" {
			c.drop("bad-news", "name the "+required.name, "news without a %s is left out", required.name)
			return false
		}
	}
	if !isNewsLanguage(n.Publication.Language) {
		c.drop("bad-news", "write two or three small letters such as en, or zh-cn or zh-tw",
			"news language %q is not one of ISO 639; the article is left out", n.Publication.Language)
		return false
	}
	return true
}

func isNewsLanguage(s string) bool {
	if s == "zh-cn" || s == "zh-tw" {
		return true
	}
	return (len(s) == 2 || len(s) == 3) && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}

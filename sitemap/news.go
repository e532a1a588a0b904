package sitemap

import "strings"

// A News is the news:news of a page. All of it is required.
type News struct {
	Publication     string // the name as it stands on the articles
	Language        string // ISO 639, two or three letters; or zh-cn, zh-tw
	PublicationDate Date   // when the article first appeared
	Title           string
}

func (n *News) appendTo(b []byte) []byte {
	b = append(b, "<news:news><news:publication>"...)
	b = appendElement(b, "news:name", n.Publication)
	b = appendElement(b, "news:language", n.Language)
	b = append(b, "</news:publication>"...)
	b = appendDate(b, "news:publication_date", n.PublicationDate)
	b = appendElement(b, "news:title", n.Title)
	return append(b, "</news:news>"...)
}

// news drops an article that lacks what is required.
func (c *checker) news(u *URL) {
	if u.News == nil {
		return
	}
	n, before := *u.News, c.edits
	c.text("news publication", &n.Publication)
	c.text("news title", &n.Title)
	if !c.newsRequired(&n) {
		u.News = nil
		return
	}
	if c.edits > before {
		u.News = &n
	}
}

func (c *checker) newsRequired(n *News) bool {
	missing := ""
	switch {
	case n.Publication == "":
		missing = "publication name"
	case n.PublicationDate.IsZero():
		missing = "publication date"
	case n.Title == "":
		missing = "title"
	case !isNewsLanguage(n.Language):
		c.drop("bad-news", "write two or three small letters such as en, or zh-cn or zh-tw",
			"news language %q is not one of ISO 639; the article is left out", n.Language)
		return false
	default:
		return true
	}
	c.drop("bad-news", "name the "+missing, "news without a %s is left out", missing)
	return false
}

func isNewsLanguage(s string) bool {
	if s == "zh-cn" || s == "zh-tw" {
		return true
	}
	return (len(s) == 2 || len(s) == 3) && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz") == ""
}

package sitemap

import (
	"slices"
	"strings"
)

// A News is the news:news of a page. Publication, Language, PublicationDate
// and Title are required.
type News struct {
	Publication     string // the name as it stands on the articles
	Language        string // ISO 639, two or three letters; or zh-cn, zh-tw
	PublicationDate Date   // when the article first appeared
	Title           string

	// What today's engines ignore and the schema still accepts.
	Access       string   // "Subscription", "Registration" or ""
	Genres       []string // of the schema's six
	Keywords     []string // without commas
	StockTickers []string // at most five, each EXCHANGE:SYMBOL
}

func (n *News) appendTo(b []byte) []byte {
	b = append(b, "<news:news><news:publication>"...)
	b = appendElement(b, "news:name", n.Publication)
	b = appendElement(b, "news:language", n.Language)
	b = append(b, "</news:publication>"...)
	b = appendElement(b, "news:access", n.Access)
	b = appendElement(b, "news:genres", strings.Join(n.Genres, ", "))
	b = appendDate(b, "news:publication_date", n.PublicationDate)
	b = appendElement(b, "news:title", n.Title)
	b = appendElement(b, "news:keywords", strings.Join(n.Keywords, ", "))
	b = appendElement(b, "news:stock_tickers", strings.Join(n.StockTickers, ", "))
	return append(b, "</news:news>"...)
}

var (
	newsGenres   = []string{"PressRelease", "Satire", "Blog", "OpEd", "Opinion", "UserGenerated"}
	newsAccesses = []string{"", "Subscription", "Registration"}
)

// news drops an article that lacks what is required, and of the rest what the
// schema refuses.
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
	if !slices.Contains(newsAccesses, n.Access) {
		c.drop("bad-news", "write Subscription or Registration", "news access %q is unknown", n.Access)
		n.Access = ""
	}
	n.Genres = checked(c, n.Genres, c.newsGenre)
	n.Keywords = checked(c, n.Keywords, c.newsKeyword)
	n.StockTickers = checked(c, n.StockTickers, c.newsTicker)
	n.StockTickers = limited(c, "bad-news", "stock tickers of one article", n.StockTickers, 5)
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

func (c *checker) newsGenre(g *string) bool {
	if slices.Contains(newsGenres, *g) {
		return true
	}
	c.drop("bad-news", "write one of "+strings.Join(newsGenres, ", "), "news genre %q is unknown", *g)
	return false
}

func (c *checker) newsKeyword(k *string) bool {
	c.text("news keyword", k)
	if *k != "" && strings.TrimSpace(*k) == *k && !strings.Contains(*k, ",") {
		return true
	}
	c.drop("bad-news", "list each keyword by itself", "news keyword %q is empty, has a comma or outer blanks", *k)
	return false
}

func (c *checker) newsTicker(t *string) bool {
	exchange, symbol, _ := strings.Cut(*t, ":")
	if isWord(exchange) && isWord(symbol) {
		return true
	}
	c.drop("bad-news", "write EXCHANGE:SYMBOL", "news stock ticker %q has no exchange", *t)
	return false
}

// isWord reports whether s is a \w+ of the schema, of ASCII only.
func isWord(s string) bool {
	for i := range len(s) {
		if !isLetter(s[i]) && !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

package sitemap

import "strings"

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

package sitemap

import "cmp"

// A Channel is what a feed says of itself. Title, Link and Self are required;
// all texts are plain and not escaped.
type Channel struct {
	Title   string // also who its author is, whom Atom requires
	Link    string // the site, absolute and percent-encoded
	Self    string // the feed, likewise
	Lang    string // BCP 47 tag or ""
	Updated Date   // the newest date of the entries
}

// AppendRSSOpen appends the beginning of an RSS 2.0 feed.
func AppendRSSOpen(b []byte, c *Channel) []byte {
	b = appendProlog(b, Opening{})
	b = append(b, `<rss version="2.0" xmlns:atom="`+NamespaceAtom+"\">\n<channel>\n"...)
	b = appendElement(b, "title", cmp.Or(c.Title, c.Link))
	b = appendElement(b, "link", c.Link)
	b = appendMarkup(b, "description", cmp.Or(c.Title, c.Link))
	b = appendElement(b, "language", c.Lang)
	b = appendDateAs(b, "lastBuildDate", c.Updated, Date.AppendRFC1123)
	b = append(b, `<atom:link rel="self" type="application/rss+xml"`...)
	b = appendAttr(b, "href", c.Self)
	return append(b, "/>\n"...)
}

// AppendRSSItem appends one item. Its id is its URL; without a title, the URL
// stands for it. pubDate is when the page first appeared, by which readers know
// what is new; what changed since stands in an element of Atom.
func AppendRSSItem(b []byte, e *Entry) []byte {
	b = append(b, "<item>"...)
	b = appendElement(b, "title", cmp.Or(e.Title, e.Loc))
	b = appendElement(b, "link", e.Loc)
	b = appendWith(b, "guid", e.Loc, "isPermaLink", "true")
	b = appendDateAs(b, "pubDate", e.Published, Date.AppendRFC1123)
	b = appendDateAs(b, "atom:updated", e.LastMod, Date.AppendRFC3339)
	b = appendMarkup(b, "description", e.Summary)
	return append(b, "</item>\n"...)
}

// AppendRSSClose appends the end of an RSS 2.0 feed.
func AppendRSSClose(b []byte) []byte { return append(b, "</channel>\n</rss>\n"...) }

// appendMarkup appends an element that readers of RSS take for HTML, as the
// profile of the RSS Advisory Board has it: plain text is escaped twice.
func appendMarkup(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	return appendElement(b, name, markupEscaper.Replace(text))
}

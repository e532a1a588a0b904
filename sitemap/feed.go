package sitemap

import (
	"cmp"
	"strings"
)

// appendRSSHead appends the beginning of an RSS 2.0 feed, up to the first item.
func appendRSSHead(b []byte, p *Preamble) []byte {
	c := &p.Channel
	b = appendProlog(b, p)
	b = append(b, `<rss version="2.0" xmlns:atom="`+NamespaceAtom+"\">\n<channel>\n"...)
	b = appendElement(b, "title", cmp.Or(c.Title, c.Link))
	b = appendElement(b, "link", c.Link)
	b = appendHTMLText(b, "description", cmp.Or(c.Title, c.Link))
	b = appendElement(b, "language", c.Lang)
	b = appendDate(b, "lastBuildDate", c.Updated, Date.appendRFC1123)
	b = append(b, `<atom:link rel="self" type="application/rss+xml"`...)
	b = appendAttr(b, "href", c.Self)
	return append(b, "/>\n"...)
}

// appendRSSItem appends the RSS item of e. The guid of the item is the URL. For a page without a
// title, the title is also the URL. pubDate is the date of publication, which feed readers use to
// find new items. atom:updated is the date of the last change.
func appendRSSItem(b []byte, e *Entry) []byte {
	b = append(b, "<item>"...)
	b = appendElement(b, "title", cmp.Or(e.Title, e.Loc))
	b = appendElement(b, "link", e.Loc)
	b = appendElementWithAttr(b, "guid", e.Loc, "isPermaLink", "true")
	b = appendDate(b, "pubDate", e.Published, Date.appendRFC1123)
	b = appendDate(b, "atom:updated", e.LastMod, Date.appendRFC3339)
	b = appendHTMLText(b, "description", e.Summary)
	return append(b, "</item>\n"...)
}

// appendHTMLText appends an element with text, which is plain text. It escapes the text twice, as
// the RSS Advisory Board recommends, because RSS readers interpret the content as HTML. It appends
// nothing if text is "".
func appendHTMLText(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	return appendElement(b, name, markupEscaper.Replace(text))
}

// appendAtomHead appends the beginning of an Atom 1.0 feed, up to the first entry. The id of the
// feed is its own URL. p.Channel.Updated must be set.
func appendAtomHead(b []byte, p *Preamble) []byte {
	c := &p.Channel
	b = appendProlog(b, p)
	b = append(b, `<feed xmlns="`+NamespaceAtom+`"`...)
	b = appendAttr(b, "xml:lang", c.Lang)
	b = append(b, ">\n"...)
	b = appendElement(b, "title", cmp.Or(c.Title, c.Link))
	b = appendElement(b, "id", c.Self)
	b = appendAtomLink(b, "self", c.Self)
	b = appendAtomLink(b, "alternate", c.Link)
	b = appendDate(b, "updated", c.Updated, Date.appendRFC3339)
	b = append(b, "<author>"...)
	b = appendElement(b, "name", cmp.Or(c.Title, c.Link))
	return append(b, "</author>\n"...)
}

// appendAtomEntry appends the Atom entry of e. e.LastMod must be set.
func appendAtomEntry(b []byte, e *Entry) []byte {
	b = append(b, "<entry>"...)
	b = appendElement(b, "title", cmp.Or(e.Title, e.Loc))
	b = appendAtomLink(b, "alternate", e.Loc)
	b = appendElement(b, "id", e.Loc)
	b = appendDate(b, "published", e.Published, Date.appendRFC3339)
	b = appendDate(b, "updated", e.LastMod, Date.appendRFC3339)
	b = appendElement(b, "summary", e.Summary)
	return append(b, "</entry>\n"...)
}

// appendAtomLink appends a link element with the given relation, such as "self".
func appendAtomLink(b []byte, rel, href string) []byte {
	b = append(b, "<link"...)
	b = appendAttr(b, "rel", rel)
	b = appendAttr(b, "href", href)
	return append(b, "/>"...)
}

// markupEscaper escapes plain text for HTML.
var markupEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

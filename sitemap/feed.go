package sitemap

import (
	"cmp"
	"strings"
)

// appendRSSHead appends the beginning of an RSS 2.0 feed, up to the first item.
func appendRSSHead(b []byte, f *Frame) []byte {
	c := &f.Channel
	b = appendProlog(b, f)
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

// appendRSSItem appends an RSS item for e. The guid is e.Loc, pubDate is e.Published, and
// atom:updated is e.LastMod. The title is e.Loc if e has no title.
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

// appendHTMLText appends an element called name, whose content RSS readers interpret as HTML. text
// is plain text. appendHTMLText escapes it twice, as the RSS Advisory Board recommends: "&" becomes
// "&amp;amp;". It appends nothing if text is "".
func appendHTMLText(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	return appendElement(b, name, markupEscaper.Replace(text))
}

// appendAtomHead appends the beginning of an Atom 1.0 feed, up to the first entry. The id of the
// feed is its own URL, f.Channel.Self. f.Channel.Updated must be set.
func appendAtomHead(b []byte, f *Frame) []byte {
	c := &f.Channel
	b = appendProlog(b, f)
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

// appendAtomEntry appends an Atom entry for e. The id of the entry is e.Loc. e.LastMod must be set,
// because Atom requires a date.
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

// appendAtomLink appends <link rel="…" href="…"/>. rel is a relation such as "self".
func appendAtomLink(b []byte, rel, href string) []byte {
	b = append(b, "<link"...)
	b = appendAttr(b, "rel", rel)
	b = appendAttr(b, "href", href)
	return append(b, "/>"...)
}

// markupEscaper escapes plain text for HTML.
var markupEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

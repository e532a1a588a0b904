package sitemap

import "cmp"

// NamespaceAtom is the namespace of Atom 1.0, RFC 4287.
const NamespaceAtom = "http://www.w3.org/2005/Atom"

// AppendAtomOpen appends the beginning of an Atom 1.0 feed, whose id is the
// feed's own URL. Updated is required.
func AppendAtomOpen(b []byte, c *Channel) []byte {
	b = appendProlog(b, Opening{})
	b = append(b, `<feed xmlns="`+NamespaceAtom+`"`...)
	b = appendAttr(b, "xml:lang", c.Lang)
	b = append(b, ">\n"...)
	b = appendElement(b, "title", cmp.Or(c.Title, c.Link))
	b = appendElement(b, "id", c.Self)
	b = appendAtomLink(b, "self", c.Self)
	b = appendAtomLink(b, "alternate", c.Link)
	b = appendDateAs(b, "updated", c.Updated, Date.AppendRFC3339)
	b = append(b, "<author>"...)
	b = appendElement(b, "name", cmp.Or(c.Title, c.Link))
	return append(b, "</author>\n"...)
}

// AppendAtomEntry appends one entry. LastMod is required.
func AppendAtomEntry(b []byte, e *Entry) []byte {
	b = append(b, "<entry>"...)
	b = appendElement(b, "title", cmp.Or(e.Title, e.Loc))
	b = appendAtomLink(b, "alternate", e.Loc)
	b = appendElement(b, "id", e.Loc)
	b = appendDateAs(b, "published", e.Published, Date.AppendRFC3339)
	b = appendDateAs(b, "updated", e.LastMod, Date.AppendRFC3339)
	b = appendElement(b, "summary", e.Summary)
	return append(b, "</entry>\n"...)
}

// AppendAtomClose appends the end of an Atom 1.0 feed.
func AppendAtomClose(b []byte) []byte { return append(b, "</feed>\n"...) }

func appendAtomLink(b []byte, rel, href string) []byte {
	b = append(b, "<link"...)
	b = appendAttr(b, "rel", rel)
	b = appendAttr(b, "href", href)
	return append(b, "/>"...)
}

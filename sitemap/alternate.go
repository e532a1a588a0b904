package sitemap

// An Alternate names the page in another language, the page itself included:
// xhtml:link rel="alternate" hreflang.
type Alternate struct {
	Lang string // BCP 47 tag or "x-default"
	Href string // absolute, percent-encoded
}

func (a *Alternate) appendTo(b []byte) []byte {
	b = append(b, `<xhtml:link rel="alternate"`...)
	b = appendAttr(b, "hreflang", a.Lang)
	b = appendAttr(b, "href", a.Href)
	return append(b, "/>"...)
}

package sitemap

import (
	"cmp"
	"strings"
)

// An Alternate is a version of a page in another language, or the page itself in its own language.
// It is written as <xhtml:link rel="alternate" hreflang="de" href="https://example.com/de/"/>.
type Alternate struct {
	Lang string `key:"lang"` // language as a BCP 47 tag such as "pt-BR", or "x-default"
	Href string `key:"href"` // absolute, percent-encoded URL of the translation
}

// readAlternate reads an element in the XHTML namespace, and adds it to the alternates of the
// current entry. It skips an element that is not a link with rel="alternate" and hreflang, and
// records it as unknown.
func (r *Reader) readAlternate() error {
	x := r.xml
	a := Alternate{Lang: strings.TrimSpace(x.attr("hreflang")), Href: strings.TrimSpace(x.attr("href"))}
	if x.local != "link" || x.attr("rel") != "alternate" || a.Lang == "" {
		return r.skipUnknown()
	}
	r.item.Alternates = append(r.item.Alternates, a)
	return r.skipElement()
}

// appendTo appends a as an xhtml:link element.
func (a *Alternate) appendTo(b []byte) []byte {
	b = append(b, alternateOpen...)
	b = appendAttr(b, "hreflang", a.Lang)
	b = appendAttr(b, "href", a.Href)
	return append(b, "/>"...)
}

// alternateOpen is the beginning of the XML element of an alternate. The attributes hreflang and
// href follow.
const alternateOpen = `<xhtml:link rel="alternate"`

// dropInvalidAlternates removes alternates with an invalid language or URL, and every further
// alternate for the same language. If more than MaxAlternates remain, it removes all of them: with
// an incomplete list, search engines could show the wrong page for a language.
func (c *checker) dropInvalidAlternates(u *URL) {
	pages := make(map[string]string, len(u.Alternates))
	u.Alternates = filterValid(c, u.Alternates, func(a *Alternate) bool { return c.checkAlternate(a, pages) })
	if len(u.Alternates) > MaxAlternates {
		c.reportEdit("too-many-alternates", "link each language once",
			"%d languages are more than %d; no alternate is written", len(u.Alternates), MaxAlternates)
		u.Alternates = nil
	}
}

// checkAlternate reports whether a is valid and is the first alternate for its language. It reports
// a finding for an invalid language or URL, and for a second URL of the same language. pages maps
// the language of each earlier alternate, in lower case, to its URL; checkAlternate adds the
// language of a.
func (c *checker) checkAlternate(a *Alternate, pages map[string]string) bool {
	const hint = "write a language code such as en, zh-Hant or pt-BR, or x-default"
	if err := CheckLang(a.Lang); err != nil {
		c.reportEdit("bad-alternate", hint, "%v", err)
		return false
	}
	if err := CheckLoc(a.Href); err != nil {
		c.reportEdit("bad-alternate", "link an absolute URL", "hreflang %q: %v", a.Lang, err)
		return false
	}
	lang := strings.ToLower(a.Lang)
	first, again := pages[lang]
	if again && first != a.Href {
		c.reportEdit("duplicate-alternate", "keep one page for each language",
			"hreflang %q names both %s and %s", a.Lang, first, a.Href)
	}
	pages[lang] = cmp.Or(first, a.Href)
	return !again
}

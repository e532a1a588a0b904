package page

import (
	"bytes"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Properties of the elements of a body.
const (
	isInline  = 1 << iota // its tags do not separate words
	isVoid                // has no end tag
	isRaw                 // its text is no markup and not shown
	isMain                // main
	isArticle             // article
	isAside               // nav, footer and others without content
	isHeader              // content only within main and article
	isPlain               // its class, id or role decides
	isAnchor
	isImage
	isForeign // svg, math
	isTime
	isLoose // its end tag may be left out
)

// elementFlags returns the properties of an element, by its name in lower case.
func elementFlags(name []byte) uint32 {
	switch string(name) {
	case "a":
		return isInline | isAnchor
	case "span", "label", "font":
		return isInline | isPlain
	case "abbr", "acronym", "b", "bdi", "bdo", "big", "cite", "code", "data", "del", "dfn", "em", "i", "ins",
		"kbd", "mark", "nobr", "q", "rp", "rt", "ruby", "s", "samp", "small", "strike", "strong", "sub", "sup", "tt",
		"u", "var":
		return isInline
	case "time":
		return isInline | isTime
	case "base", "link", "meta", "param", "track", "wbr":
		return isInline | isVoid
	case "area", "br", "col", "embed", "hr", "input", "source":
		return isVoid
	case "img":
		return isVoid | isImage
	case "script", "style", "noscript", "iframe", "noframes", "noembed", "textarea", "title", "xmp", "plaintext",
		"template":
		return isRaw
	case "main":
		return isMain
	case "article":
		return isArticle
	case "nav", "footer", "aside", "dialog":
		return isAside
	case "header":
		return isHeader
	case "svg", "math":
		return isForeign
	case "div", "section", "form", "ul", "ol", "menu", "dl", "table", "select":
		return isPlain
	case "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "p":
		return isPlain | isLoose
	}
	return 0
}

// A level orders elements by the probability that they contain the main content. The content is
// the text of the highest level on the page.
type level uint8

const (
	levelBody level = iota
	levelArticle
	levelMain
	levelIncluded // FingerprintOptions.Include
)

// A region is an open element and the properties of its text.
type region struct {
	name      span
	flags     uint32
	level     level
	isIgnored bool // its text is not content
	isForeign bool // SVG or MathML
	isHeader  bool // a header within the content
}

// maxRegions is the maximum number of open elements. Elements nested deeper count as their
// parent.
const maxRegions = 128

// readBody reads the rest of the page: the text that people see, links, images and JSON-LD.
func (r *Reader) readBody() {
	r.ownHost = strings.ToLower(sitemap.HostOf(r.f.Canonical))
	for {
		switch r.next() {
		case tokenText:
			r.addText(r.bytes(r.text))
		case tokenStart:
			r.readStartTag()
		case tokenEnd:
			r.readEndTag()
		case tokenCut, tokenNone:
			r.finishBody()
			return
		}
	}
}

// finishBody reads the facts that need the whole page.
func (r *Reader) finishBody() {
	r.endLink()
	r.f.Lead = firstSentence(r.lead)
	r.f.EditLinks = r.edits.best()
	if r.o.Images {
		r.f.URL.Images = r.pictures.atLevel(r.bestLevel)
	}
	if r.o.Body {
		r.setFingerprint()
	}
}

// readStartTag reads the start tag of an element, and the text of an element without markup.
func (r *Reader) readStartTag() {
	name := r.element()
	flags := elementFlags(name)
	if flags&isRaw != 0 {
		r.readRawElement(string(name))
		return
	}
	if flags&isVoid == 0 {
		r.openRegion(flags)
	}
	if flags&isInline == 0 {
		r.endBlock()
		r.startLead()
	}
	switch {
	case flags&isAnchor != 0:
		r.startLink()
	case flags&isImage != 0:
		r.readImage()
	}
}

// readRawElement reads an element whose text is not shown.
func (r *Reader) readRawElement(name string) {
	switch {
	case r.region().isForeign && r.tag.closed:
	case name == "script":
		r.readScript()
	case name == "iframe":
		r.addTarget(attrSrc)
		r.skipRaw(name)
	default:
		r.skipRaw(name)
	}
}

// readEndTag reads the end tag of an element.
func (r *Reader) readEndTag() {
	flags := elementFlags(r.element())
	if flags&(isRaw|isVoid) != 0 {
		return
	}
	if flags&isInline == 0 {
		r.endBlock()
		r.endLead()
	}
	if flags&isAnchor != 0 {
		r.endLink()
	}
	r.closeRegion(flags)
}

// region returns the innermost open element.
func (r *Reader) region() *region {
	if len(r.regions) == 0 {
		return &r.outside
	}
	return &r.regions[len(r.regions)-1]
}

// openRegion opens the element of a start tag. An element with an optional end tag is opened only
// if it decides whether its text is content.
func (r *Reader) openRegion(flags uint32) {
	r.closeLoose(flags)
	g, decides := r.newRegion(flags)
	if r.tag.closed && flags&isForeign != 0 || flags&isLoose != 0 && !decides || len(r.regions) == maxRegions {
		return
	}
	g.name, g.flags = r.tag.name, flags
	r.regions = append(r.regions, g)
}

// closeRegion closes the element of an end tag and the elements inside. The end tag of an inline
// element closes no block.
func (r *Reader) closeRegion(flags uint32) {
	r.closeLoose(flags)
	name := r.name()
	for i := len(r.regions) - 1; i >= 0 && r.regions[i].flags&isInline >= flags&isInline; i-- {
		if g := &r.regions[i]; g.flags == flags && bytes.EqualFold(r.bytes(g.name), name) {
			r.regions = r.regions[:i]
			return
		}
	}
	if flags == 0 && (equalFold(name, "body") || equalFold(name, "html")) {
		r.regions = r.regions[:0]
	}
}

// closeLoose closes the innermost element if its end tag is optional and the last tag ends the
// element. Any block ends a p, and a tag of the same name ends the other elements.
func (r *Reader) closeLoose(flags uint32) {
	g := r.region()
	if g.flags&isLoose == 0 {
		return
	}
	isBlock := flags&(isInline|isVoid) == 0
	isParagraph := equalFold(r.bytes(g.name), "p")
	if isParagraph && isBlock || !isParagraph && flags&isLoose != 0 && !equalFold(r.name(), "p") {
		r.regions = r.regions[:len(r.regions)-1]
	}
}

// newRegion returns the element of a start tag. decides reports whether the element decides
// whether its text is content.
func (r *Reader) newRegion(flags uint32) (g region, decides bool) {
	g = *r.region()
	switch {
	case r.matches(r.exclude):
		g.isIgnored = true
	case len(r.include) > 0 && r.matches(r.include):
		g.level, g.isIgnored = levelIncluded, false
	case g.isIgnored:
		return g, false
	case r.isHidden() || flags&isAside != 0 && !r.isCallout():
		g.isIgnored = true
	case flags&isForeign != 0:
		g.isForeign = true
	case flags&isMain != 0:
		g.level = max(g.level, levelMain)
	case flags&isArticle != 0:
		g.level = max(g.level, levelArticle)
	case flags&isHeader != 0:
		g.isHeader, g.isIgnored = true, g.level == levelBody
	case flags&isTime != 0 && g.isHeader: // the date that the page shows
		g.isIgnored = true
	case flags&isPlain != 0:
		return g, r.readRole(&g)
	default:
		return g, false
	}
	return g, true
}

// isHidden reports whether the last tag hides its element.
func (r *Reader) isHidden() bool {
	return r.has(attrHidden) || r.has(attrAriaHidden) && equalFold(r.attr(attrAriaHidden), "true")
}

// isCallout reports whether an aside is a note within the text, as documentation generators mark
// notes.
func (r *Reader) isCallout() bool {
	if !equalFold(r.name(), "aside") {
		return false
	}
	if equalFold(r.attr(attrRole), "note") {
		return true
	}
	for w := range words(r.attr(attrClass)) {
		switch string(w) {
		case "admonition", "alert", "callout", "note", "notice", "starlight-aside", "tip", "warning":
			return true
		}
	}
	return false
}

// readRole reads the role, the class and the id of the last tag. It reports whether they decide
// that the text is content or not.
func (r *Reader) readRole(g *region) bool {
	if r.tag.has&(1<<attrRole|1<<attrClass|1<<attrID) == 0 {
		return false
	}
	switch string(r.attr(attrRole)) {
	case "main":
		g.level = max(g.level, levelMain)
		return true
	case "article":
		g.level = max(g.level, levelArticle)
		return true
	case "navigation", "banner", "contentinfo", "search", "complementary", "dialog":
		g.isIgnored = true
		return true
	}
	g.isIgnored = isChrome(r.attr(attrID), g.level)
	for w := range words(r.attr(attrClass)) {
		g.isIgnored = g.isIgnored || isChrome(w, g.level)
	}
	return g.isIgnored
}

// isChrome reports whether themes use a class or an id for elements around the content. Some names
// have this meaning only outside of the content.
func isChrome(word []byte, at level) bool {
	switch string(word) {
	case "breadcrumb", "breadcrumbs", "navbar", "page-footer", "pager", "pagination", "post-nav", "post-navigation",
		"prev-next", "related", "related-posts", "site-footer", "site-header", "site-nav", "skip-link", "toc":
		return true
	case "footer", "header", "masthead", "menu", "nav", "navigation", "sidebar":
		return at == levelBody
	}
	return false
}

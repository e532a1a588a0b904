package page

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Properties of HTML elements, as bits that elementFlags returns.
const (
	isInline       = 1 << iota // the tags do not separate words
	isVoid                     // has no end tag
	isRaw                      // the content is not shown, as in script, or is not part of the text, as in textarea
	isMain                     // the element main
	isArticle                  // the element article
	isAside                    // nav, footer, aside, dialog: not content, except a note in an aside; see isCalloutTag
	isHeader                   // header: content only inside main, article or an included element
	isPlain                    // class, id or role decide whether the text is content
	isAnchor                   // the element a
	isImage                    // the element img
	isForeign                  // svg, math
	isTime                     // the element time
	hasOptionalEnd             // the end tag may be left out
)

// elementFlags returns the properties of an element as bits, such as isInline|isAnchor. name is in
// lower case.
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
		return isPlain | hasOptionalEnd
	}
	return 0
}

// A level orders elements by the probability that they contain the main content of a page. Only the
// text at the highest level that occurs in a page counts as its content.
type level uint8

const (
	levelBody level = iota
	levelArticle
	levelMain
	levelIncluded // FingerprintOptions.Include selects the element
)

// An element is an open element of the body. It describes how to treat the text inside.
type element struct {
	name      span
	flags     uint32
	level     level
	isIgnored bool // the text is not content
	isForeign bool // inside svg or math
	isHeader  bool // inside a header element; isIgnored is set too if it is the header of the site
}

// maxOpenElements is the maximum number of nested elements that are recorded. Text in deeper
// elements counts as text of the innermost recorded element.
const maxOpenElements = 128

// A bodyState collects four things from the body of a page: the text for the fingerprint, the first
// paragraph, the images, and the edit links. In the text, white space and the tags of block
// elements become one space. Tags of inline elements, comments, scripts and hidden elements are
// dropped.
type bodyState struct {
	include, exclude []selector

	openElements   []element
	outside        element // properties of text outside of all elements
	bestLevel      level   // the highest level with content
	out            []byte  // the text at bestLevel
	blockStart     int     // offset in out of the current block
	pendingSpace   bool    // a space precedes the next word
	inFragmentLink bool    // inside a link whose address begins with #

	lead       []byte // text of the first paragraph at bestLevel
	inLead     bool
	ownHost    string // host of the canonical link in lower case, or ""
	textBuffer []byte // buffer of addText and removeBuildNoise
	pictures   pictures
	edits      editLinks
}

// resetBody prepares r to read the body of another page.
func (r *Reader) resetBody() {
	r.openElements = r.openElements[:0]
	r.bestLevel = levelBody
	r.inFragmentLink, r.inLead = false, false
	r.pictures.reset()
	r.edits.reset()
	r.dropText()
}

// dropText drops the text that was collected so far.
func (r *Reader) dropText() {
	r.lead, r.out = r.lead[:0], r.out[:0]
	r.blockStart, r.pendingSpace = 0, false
}

// isInContent reports whether text at the current position belongs to the content: it is not
// ignored, and its level is at least bestLevel.
func (r *Reader) isInContent() bool {
	return !r.innermostElement().isIgnored && r.innermostElement().level >= r.bestLevel
}

// addText adds b, a part of the page's text, to the content, and to the first paragraph while this
// is collected. It does nothing if the current position is not in the content. b may contain
// character references.
func (r *Reader) addText(b []byte) {
	if !r.isInContent() {
		return
	}
	if bytes.IndexByte(b, '&') >= 0 || bytes.IndexByte(b, 0) >= 0 {
		r.textBuffer = appendText(r.textBuffer[:0], b, false)
		b = r.textBuffer
	}
	if r.inFragmentLink {
		b = removePunctuationAndSymbols(b)
	}
	r.addWords(b)
	if r.inLead && len(r.lead) < maxText {
		r.lead = append(r.lead, b[:min(len(b), maxText)]...)
	}
}

// removePunctuationAndSymbols returns the letters, digits and white space of b. It removes, for
// example, the "#" that links a heading to itself.
func removePunctuationAndSymbols(b []byte) []byte {
	return bytes.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) || unicode.IsSpace(c) {
			return c
		}
		return -1
	}, b)
}

// addWords adds the words of b to the content, separated by single spaces.
func (r *Reader) addWords(b []byte) {
	first, _ := utf8.DecodeRune(b)
	r.pendingSpace = r.pendingSpace || unicode.IsSpace(first)
	last, _ := utf8.DecodeLastRune(b)
	for w := range bytes.FieldsSeq(b) {
		r.raiseBestLevel()
		if r.pendingSpace && len(r.out) > 0 {
			r.out = append(r.out, ' ')
		}
		r.out = append(r.out, w...)
		r.pendingSpace = true
	}
	r.pendingSpace = r.pendingSpace && (unicode.IsSpace(last) || len(b) == 0)
}

// addRawBytes adds b to the content, without a space before it.
func (r *Reader) addRawBytes(b ...byte) {
	r.raiseBestLevel()
	r.out = append(r.out, b...)
}

// raiseBestLevel sets bestLevel to the level of the current element if this level is higher. It
// then drops the text collected so far, because this text is from lower levels.
func (r *Reader) raiseBestLevel() {
	if at := r.innermostElement().level; at > r.bestLevel {
		r.bestLevel = at
		r.dropText()
	}
}

// endBlock ends a block of text, such as a paragraph. If the block contains a digit, endBlock
// removes build noise from it; see removeBuildNoise. endBlock does nothing in an ignored element.
func (r *Reader) endBlock() {
	if r.innermostElement().isIgnored {
		return
	}
	r.pendingSpace = true
	if block := r.out[r.blockStart:]; bytes.ContainsAny(block, "0123456789") {
		r.out = r.out[:r.blockStart+len(r.removeBuildNoise(block))]
	}
	r.blockStart = len(r.out)
}

// readBody reads the body of the page: the visible text, links, images and JSON-LD.
func (r *Reader) readBody() {
	r.ownHost = strings.ToLower(sitemap.HostOf(r.f.Canonical))
	for {
		switch r.nextToken() {
		case tokenText:
			r.addText(r.bytes(r.text))
		case tokenStart:
			r.readStartTag()
		case tokenEnd:
			r.readEndTag()
		case tokenCut, tokenNone:
			r.setBodyFacts()
			return
		}
	}
}

// setBodyFacts sets the facts that are known only after the whole body was read, such as the
// fingerprint.
func (r *Reader) setBodyFacts() {
	r.endAnchor()
	r.f.Lead = firstSentence(r.lead)
	r.f.EditLinks = r.edits.bestLinks()
	if r.o.Images {
		r.f.URL.Images = r.pictures.atLeastLevel(r.bestLevel)
	}
	if r.o.ContentHash {
		r.setFingerprint()
	}
}

// readStartTag handles a start tag in the body. For an element with the flag isRaw, such as script
// or template, it also reads the content and the end tag.
func (r *Reader) readStartTag() {
	name := r.lowerTagName()
	flags := elementFlags(name)
	if flags&isRaw != 0 {
		r.readRawElement(string(name))
		return
	}
	if flags&isVoid == 0 {
		r.openElement(flags)
	}
	if flags&isInline == 0 {
		r.endBlock()
		r.startFirstParagraph()
	}
	switch {
	case flags&isAnchor != 0:
		r.startAnchor()
	case flags&isImage != 0:
		r.readImage()
	}
}

// readRawElement reads the content and the end tag of an element with the flag isRaw, such as
// script or iframe. Inside svg or math, a closed tag such as <script/> has no content.
func (r *Reader) readRawElement(name string) {
	switch {
	case r.innermostElement().isForeign && r.tag.closed:
	case name == "script":
		r.readScript()
	case name == "iframe":
		r.addLinkTarget("src")
		r.skipRawElement(name)
	default:
		r.skipRawElement(name)
	}
}

// readEndTag handles an end tag in the body. It closes the element. The end tag of a block element
// also ends the block and the first paragraph, and </a> ends the open link. readEndTag ignores end
// tags of raw and void elements.
func (r *Reader) readEndTag() {
	flags := elementFlags(r.lowerTagName())
	if flags&(isRaw|isVoid) != 0 {
		return
	}
	if flags&isInline == 0 {
		r.endBlock()
		r.endFirstParagraph()
	}
	if flags&isAnchor != 0 {
		r.endAnchor()
	}
	r.closeElement(flags)
}

// innermostElement returns the innermost recorded element, or r.outside if no element is recorded.
func (r *Reader) innermostElement() *element {
	if len(r.openElements) == 0 {
		return &r.outside
	}
	return &r.openElements[len(r.openElements)-1]
}

// openElement records that the last start tag opens an element. It does not record an element whose
// end tag may be missing, such as li, unless the element determines whether its text is content. It
// does not record <svg/> and <math/> either, nor more than maxOpenElements elements.
func (r *Reader) openElement(flags uint32) {
	r.closeImpliedElement(flags)
	g, decides := r.newElement(flags)
	if r.tag.closed && flags&isForeign != 0 || flags&hasOptionalEnd != 0 && !decides || len(r.openElements) == maxOpenElements {
		return
	}
	g.name, g.flags = r.tag.name, flags
	r.openElements = append(r.openElements, g)
}

// closeElement closes the recorded element that the last end tag ends, and the open elements inside
// it. The end tag of an inline element cannot close a block element. </body> and </html> close all
// elements.
func (r *Reader) closeElement(flags uint32) {
	r.closeImpliedElement(flags)
	name := string(r.lowerTagName())
	for i := len(r.openElements) - 1; i >= 0 && r.openElements[i].flags&isInline >= flags&isInline; i-- {
		if g := &r.openElements[i]; g.flags == flags && equalFold(r.bytes(g.name), name) {
			r.openElements = r.openElements[:i]
			return
		}
	}
	if flags == 0 && (name == "body" || name == "html") {
		r.openElements = r.openElements[:0]
	}
}

// closeImpliedElement closes the innermost element if the last tag implies its missing end tag. A p
// ends at the tag of any block element. Another element whose end tag may be missing, such as li,
// ends at the tag of any of these elements except p. A td ends at a td or tr, for example.
func (r *Reader) closeImpliedElement(flags uint32) {
	g := r.innermostElement()
	if g.flags&hasOptionalEnd == 0 {
		return
	}
	isBlock := flags&(isInline|isVoid) == 0
	isParagraph := equalFold(r.bytes(g.name), "p")
	if isParagraph && isBlock || !isParagraph && flags&hasOptionalEnd != 0 && !equalFold(r.tagName(), "p") {
		r.openElements = r.openElements[:len(r.openElements)-1]
	}
}

// newElement returns the element of the last start tag. decidesContent is true if this element
// determines whether its text is content. Otherwise the enclosing element does.
func (r *Reader) newElement(flags uint32) (g element, decidesContent bool) {
	g = *r.innermostElement()
	switch {
	case r.matchesAnySelector(r.exclude):
		g.isIgnored = true
	case len(r.include) > 0 && r.matchesAnySelector(r.include):
		g.level, g.isIgnored = levelIncluded, false
	case g.isIgnored:
		return g, false
	case r.hasHidingAttr() || flags&isAside != 0 && !r.isCalloutTag():
		g.isIgnored = true
	case flags&isForeign != 0:
		g.isForeign = true
	case flags&isMain != 0:
		g.level = max(g.level, levelMain)
	case flags&isArticle != 0:
		g.level = max(g.level, levelArticle)
	case flags&isHeader != 0:
		g.isHeader, g.isIgnored = true, g.level == levelBody
	case flags&isTime != 0 && g.isHeader: // a visible date is not content
		g.isIgnored = true
	case flags&isPlain != 0:
		return g, r.applyRoleIDAndClass(&g)
	default:
		return g, false
	}
	return g, true
}

// hasHidingAttr reports whether the last tag has an attribute that hides the element: hidden, or
// aria-hidden="true".
func (r *Reader) hasHidingAttr() bool {
	return r.hasAttr("hidden") || r.hasAttr("aria-hidden") && equalFold(r.attrValue("aria-hidden"), "true")
}

// isCalloutTag reports whether the last tag is an aside element that belongs to the text, such as a
// note or a warning in documentation.
func (r *Reader) isCalloutTag() bool {
	if !equalFold(r.tagName(), "aside") {
		return false
	}
	if equalFold(r.attrValue("role"), "note") {
		return true
	}
	for w := range words(r.attrValue("class")) {
		switch string(w) {
		case "admonition", "alert", "callout", "note", "notice", "starlight-aside", "tip", "warning":
			return true
		}
	}
	return false
}

// applyRoleIDAndClass sets the level and isIgnored of g by the role, the id and the class of the
// last tag. decidesContent is true if one of these attributes determines whether the text is
// content.
func (r *Reader) applyRoleIDAndClass(g *element) (decidesContent bool) {
	switch string(r.attrValue("role")) {
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
	g.isIgnored = isLayoutName(r.attrValue("id"), g.level)
	for w := range words(r.attrValue("class")) {
		g.isIgnored = g.isIgnored || isLayoutName(w, g.level)
	}
	return g.isIgnored
}

// isLayoutName reports whether themes use word, a class or an id, for elements around the content,
// such as "breadcrumbs". lev is the level of the element. Words such as "header" have this meaning
// only outside of main and article, at levelBody.
func isLayoutName(word []byte, lev level) bool {
	switch string(word) {
	case "breadcrumb", "breadcrumbs", "navbar", "page-footer", "pager", "pagination", "post-nav", "post-navigation",
		"prev-next", "related", "related-posts", "site-footer", "site-header", "site-nav", "skip-link", "toc":
		return true
	case "footer", "header", "masthead", "menu", "nav", "navigation", "sidebar":
		return lev == levelBody
	}
	return false
}

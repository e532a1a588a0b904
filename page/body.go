package page

// What is to be known of an element in a body.
const (
	isInline  = 1 << iota // its tags stand within words
	isVoid                // has no end tag
	isRaw                 // its text is no markup and not shown
	isMain                // main
	isArticle             // article
	isAside               // nav, footer and the like: not content
	isHeader              // content only within main and article
	isPlain               // its class, id or role may say that it is none of these but not content
	isAnchor
	isImage
	isSource
	isPicture
	isForeign // svg, math
	isTime
	isLoose // its end tag may be left out
	isList  // holds loose elements
)

// elementFlags returns what is to be known of the element, named in lower case.
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
	case "area", "br", "col", "embed", "hr", "input":
		return isVoid
	case "img":
		return isVoid | isImage
	case "source":
		return isVoid | isSource
	case "picture":
		return isPicture
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
	case "div", "section", "form":
		return isPlain
	case "ul", "ol", "menu", "dl", "table", "select":
		return isPlain | isList
	case "li", "dt", "dd", "tr", "td", "th", "thead", "tbody", "tfoot", "option", "p":
		return isPlain | isLoose
	}
	return 0
}

// readBody reads the rest of the page: the text that people see, links, images
// and JSON-LD.
func (r *Reader) readBody() {
	r.resetBody()
	for {
		switch r.next() {
		case tokenText:
			r.bodyText(r.buf[r.text.lo:r.text.hi])
		case tokenStart:
			r.bodyStartTag()
		case tokenEnd:
			r.bodyEndTag()
		case tokenCut, tokenNone:
			return
		}
	}
}

// bodyStartTag takes in the start tag read last and passes the text of an
// element without markup.
func (r *Reader) bodyStartTag() {
	flags := elementFlags(r.element())
	if flags&isRaw != 0 {
		r.rawElement()
		return
	}
	if flags&isVoid == 0 {
		r.enter(flags)
	}
	if flags&isInline == 0 {
		r.block()
		r.startLead()
	}
	switch {
	case flags&isTime != 0:
		r.inTime = true
	case flags&isAnchor != 0:
		r.anchor()
	case flags&isPicture != 0:
		r.inPicture = true
	case flags&(isImage|isSource) != 0:
		r.picture(flags)
	}
}

// rawElement passes an element whose text is not shown.
func (r *Reader) rawElement() {
	if r.inForeign && r.tag.closed {
		return
	}
	switch name := string(r.element()); name {
	case "script":
		r.scriptElement()
	case "iframe":
		r.linkTarget(attrSrc)
		r.rawText("iframe", false)
	default:
		r.skipRaw(name)
	}
}

// bodyEndTag takes in the end tag read last.
func (r *Reader) bodyEndTag() {
	flags := elementFlags(r.element())
	if flags&(isRaw|isVoid) != 0 {
		return
	}
	if flags&isInline == 0 {
		r.block()
		r.endLead()
	}
	if flags&isTime != 0 {
		r.inTime = false
	}
	if flags&isAnchor != 0 {
		r.endAnchor()
	}
	if flags&isPicture != 0 {
		r.endPicture()
	}
	r.leave(flags)
}

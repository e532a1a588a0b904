package page

import "bytes"

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

// flags returns what is to be known of the tag read last.
func (r *Reader) flags() uint32 {
	name := r.name()
	for _, c := range name {
		if is(c, upper) {
			var low [16]byte
			if len(name) > len(low) {
				return 0
			}
			return elementFlags(appendLower(low[:0], name))
		}
	}
	return elementFlags(name)
}

// readBody reads the rest of the page: the text that people see, links, images
// and JSON-LD.
func (r *Reader) readBody() {
	r.resetBody()
	for {
		i := bytes.IndexByte(r.buf[r.pos:r.end], '<')
		if i < 0 {
			if !r.lastText() {
				return
			}
			continue
		}
		if i > 0 {
			r.bodyText(r.buf[r.pos : r.pos+i])
			r.pos += i
		}
		if r.end-r.pos < 3 && !r.need(3) {
			r.bodyText(r.buf[r.pos:r.end])
			r.pos = r.end
			return
		}
		switch c := r.buf[r.pos+1]; {
		case is(c, letter):
			if r.readTag(1) {
				r.bodyStartTag()
			}
		case c == '/' && is(r.buf[r.pos+2], letter):
			if r.readTag(2) {
				r.bodyEndTag()
			}
		case c == '/' || c == '?':
			r.skipBogus()
		case c == '!':
			r.skipDeclaration()
		default:
			r.bodyText(r.buf[r.pos : r.pos+1])
			r.pos++
		}
	}
}

// lastText takes in the text at the end of what has been read, except what
// may go on: a character reference or a rune. It reports whether the page goes on.
func (r *Reader) lastText() bool {
	b := r.buf[r.pos:r.end]
	n := len(b) - unfinished(b)
	r.bodyText(b[:n])
	r.pos += n
	if _, ok := r.more(); ok {
		return true
	}
	r.bodyText(r.buf[r.pos:r.end])
	r.pos = r.end
	return false
}

// unfinished returns how many bytes at the end of b may be the beginning of a
// character reference or a rune.
func unfinished(b []byte) int {
	const most = 1 << 10
	for i := len(b) - 1; i >= 0 && len(b)-i < most; i-- {
		switch c := b[i]; {
		case c == '&', c >= 0xc0 && len(b)-i < 4:
			return len(b) - i
		case c < 0x80 && !isAlnum(c) && c != '#':
			return 0
		}
	}
	return 0
}

// bodyStartTag takes in the start tag read last and passes the text of an
// element without markup.
func (r *Reader) bodyStartTag() {
	flags := r.flags()
	if flags&isRaw != 0 {
		r.rawElement()
		return
	}
	if flags&isVoid == 0 {
		r.enter(flags)
	}
	if flags&isInline == 0 {
		r.block()
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
	name := r.name()
	switch {
	case r.inForeign && r.tag.closed:
	case fold(name, "script"):
		r.scriptElement()
	case fold(name, "template"):
		r.skipTemplate()
	case fold(name, "iframe"):
		r.linkTarget(attrSrc)
		r.rawText("iframe", false)
	default:
		r.skipRaw(name)
	}
}

// bodyEndTag takes in the end tag read last.
func (r *Reader) bodyEndTag() {
	flags := r.flags()
	if flags&(isRaw|isVoid) != 0 {
		return
	}
	if flags&isInline == 0 {
		r.block()
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

package page

import "bytes"

// readHead reads the page up to the token that begins its body, as the tree
// construction of the HTML standard decides: an element that may not stand in
// a head, text, or the end tag of body or html. Scripting counts as enabled,
// so a noscript element is text.
func (r *Reader) readHead() {
	for !r.again && r.skipSpace() {
		if r.buf[r.pos] == '&' && r.skipSpaceReference() {
			continue
		}
		if r.buf[r.pos] != '<' || r.pos+1 >= r.end && !r.need(2) {
			return
		}
		switch c := r.buf[r.pos+1]; {
		case is(c, letter):
			if !r.headStartTag() {
				return
			}
		case c == '/':
			if !r.headEndTag() {
				return
			}
		case c == '!':
			r.shape.document = r.shape.document || r.need(len(doctype)) && fold(r.buf[r.pos:r.pos+len(doctype)], doctype)
			r.skipDeclaration()
		case c == '?':
			r.skipBogus()
		default:
			return
		}
	}
}

const doctype = "<!doctype"

// skipSpace passes white space and reports whether anything follows it.
func (r *Reader) skipSpace() bool {
	for {
		b, i := r.buf[:r.end], r.pos
		for uint(i) < uint(len(b)) && classes[b[i]]&space != 0 {
			i++
		}
		r.pos = i
		if i < len(b) {
			return true
		}
		if _, ok := r.more(); !ok {
			return false
		}
	}
}

// skipSpaceReference passes a character reference that stands for white space.
func (r *Reader) skipSpaceReference() bool {
	r.need(longestEntity)
	text, n := appendEntity(r.scratch[:0], r.buf[r.pos:r.end], false)
	r.scratch = text
	if len(trim(text)) > 0 {
		return false
	}
	r.pos += n
	return true
}

// An element is an element that may stand in a head.
type element uint8

const (
	elemOther element = iota
	elemBase
	elemBasefont
	elemBgsound
	elemBody
	elemBr
	elemHead
	elemHTML
	elemLink
	elemMeta
	elemNoframes
	elemNoscript
	elemScript
	elemStyle
	elemTemplate
	elemTitle
)

// elementOf returns the element named so, in any case.
func elementOf(name []byte) element {
	const longest = 8
	if len(name) > longest {
		return elemOther
	}
	if e := elementOfLower(name); e != elemOther {
		return e
	}
	var low [longest]byte
	return elementOfLower(appendLower(low[:0], name))
}

func elementOfLower(name []byte) element {
	switch string(name) {
	case "base":
		return elemBase
	case "basefont":
		return elemBasefont
	case "bgsound":
		return elemBgsound
	case "body":
		return elemBody
	case "br":
		return elemBr
	case "head":
		return elemHead
	case "html":
		return elemHTML
	case "link":
		return elemLink
	case "meta":
		return elemMeta
	case "noframes":
		return elemNoframes
	case "noscript":
		return elemNoscript
	case "script":
		return elemScript
	case "style":
		return elemStyle
	case "template":
		return elemTemplate
	case "title":
		return elemTitle
	}
	return elemOther
}

// headStartTag passes a start tag and, where it has one, the element's text.
// It reports false, and passes nothing, when the tag begins the body.
func (r *Reader) headStartTag() bool {
	if !r.readTag(1) {
		r.shape.cut = r.err != nil
		return false
	}
	e := elementOf(r.name())
	r.shape.note(e)
	if e == elemOther || e == elemBody || e == elemBr || e == elemNoscript && r.afterHead {
		r.pos = r.tag.start
		return false
	}
	switch e {
	case elemHTML:
		r.html()
	case elemBase:
		r.base()
	case elemLink:
		r.link()
	case elemMeta:
		r.meta()
	case elemTitle:
		r.title()
	case elemScript:
		r.scriptElement()
	case elemStyle:
		r.rawText("style", false)
		r.shape.cut = r.unclosed("style")
	case elemNoscript:
		r.noscript()
	case elemNoframes:
		r.rawText("noframes", false)
	case elemTemplate:
		r.skipTemplate()
	}
	return true
}

// headEndTag passes an end tag. It reports false, and passes nothing, when the
// tag begins the body.
func (r *Reader) headEndTag() bool {
	if !r.need(3) {
		return false
	}
	switch c := r.buf[r.pos+2]; {
	case c == '>':
		r.pos += 3
		return true
	case !is(c, letter):
		r.skipBogus()
		return true
	}
	if !r.readTag(2) {
		return false
	}
	e := elementOf(r.name())
	r.shape.note(e)
	switch e {
	case elemBody, elemBr, elemHTML:
		r.pos = r.tag.start
		return false
	case elemHead:
		r.afterHead = true
	}
	return true
}

// skipTemplate passes the content of a template element, which is not part of
// the page, with the templates within it.
func (r *Reader) skipTemplate() {
	foreign := false
	for depth := 1; depth > 0; {
		i := bytes.IndexByte(r.buf[r.pos:r.end], '<')
		if i < 0 {
			r.pos = r.end
			if _, ok := r.more(); !ok {
				return
			}
			continue
		}
		r.pos += i
		if !r.need(3) {
			r.pos = r.end
			return
		}
		switch c := r.buf[r.pos+1]; {
		case is(c, letter):
			if !r.readTag(1) {
				return
			}
			if foreign = r.foreign(foreign); !foreign {
				depth += r.templateStartTag()
			}
		case c == '/' && is(r.buf[r.pos+2], letter):
			if !r.readTag(2) {
				return
			}
			switch name := r.name(); {
			case fold(name, "template"):
				depth--
				foreign = false
			case fold(name, "svg"), fold(name, "math"):
				foreign = false
			}
		case c == '/' || c == '?':
			r.skipBogus()
		case c == '!':
			r.skipDeclaration()
		default:
			r.pos++
		}
	}
}

// foreign reports whether the start tag read last leaves the page in SVG or
// MathML, where script, style and title are ordinary elements.
func (r *Reader) foreign(foreign bool) bool {
	if name := r.name(); fold(name, "svg") || fold(name, "math") {
		return foreign || !r.tag.closed
	}
	return foreign
}

// templateStartTag passes the text of an element without markup and returns 1
// for a template.
func (r *Reader) templateStartTag() int {
	name := r.name()
	if fold(name, "template") {
		return 1
	}
	r.skipRaw(name)
	return 0
}

// skipRaw passes the text of the element named, if it is one that holds no markup.
func (r *Reader) skipRaw(name []byte) bool {
	for _, raw := range rawElements {
		if fold(name, raw) {
			if raw == "script" {
				r.script()
			} else {
				r.rawText(raw, false)
			}
			return true
		}
	}
	if fold(name, "plaintext") {
		for ok := true; ok; _, ok = r.more() {
			r.pos = r.end
		}
		return true
	}
	return false
}

// rawElements are the elements whose text is not markup, besides plaintext.
var rawElements = []string{"script", "style", "textarea", "title", "noscript", "iframe", "noframes", "noembed", "xmp"}

package page

// readHead reads the page up to the token that begins its body, as the tree
// construction of the HTML standard decides: an element that may not stand in
// a head, text, or the end tag of body or html. Scripting counts as enabled,
// so a noscript element is text.
func (r *Reader) readHead() {
	for inHead := true; inHead && !r.again; {
		switch r.next() {
		case tokenText:
			inHead = r.skipSpace()
		case tokenStart:
			inHead = r.headStartTag()
		case tokenEnd:
			inHead = r.headEndTag()
		case tokenCut:
			r.shape.cut = r.err != nil
			return
		case tokenNone:
			return
		}
	}
}

// skipSpace passes white space in the text read last, also where character
// references stand for it, and reports whether there is nothing else.
func (r *Reader) skipSpace() bool {
	for i := r.text.lo; i < r.text.hi; {
		n := 1
		switch c := r.buf[i]; {
		case c == '&':
			r.scratch, n = appendEntity(r.scratch[:0], r.buf[i:r.text.hi], false)
			if len(trim(r.scratch)) > 0 {
				r.pos = i
				return false
			}
		case !is(c, space):
			r.pos = i
			return false
		}
		i += n
	}
	return true
}

// headStartTag reads the start tag read last and, where it has one, the element's
// text. It reports false, and goes back, when the tag begins the body.
func (r *Reader) headStartTag() bool {
	name := r.element()
	r.shape.note(name)
	switch string(name) {
	case "html":
		r.html()
	case "base":
		r.base()
	case "link":
		r.link()
	case "meta":
		r.meta()
	case "title":
		r.title()
	case "script":
		r.scriptElement()
	case "style":
		r.rawText("style", false)
		r.shape.cut = r.unclosed("style")
	case "noscript":
		if r.afterHead {
			return r.beginBody()
		}
		r.noscript()
	case "noframes":
		r.rawText("noframes", false)
	case "template":
		r.skipTemplate()
	case "head", "basefont", "bgsound":
	default:
		return r.beginBody()
	}
	return true
}

// beginBody goes back to the tag read last, with which the body begins.
func (r *Reader) beginBody() bool {
	r.pos = r.tag.start
	return false
}

// headEndTag reads the end tag read last. It reports false, and goes back, when the
// tag begins the body.
func (r *Reader) headEndTag() bool {
	name := r.element()
	r.shape.note(name)
	switch string(name) {
	case "body", "br", "html":
		return r.beginBody()
	case "head":
		r.afterHead = true
	}
	return true
}

// skipTemplate passes the content of a template element, which is not part of
// the page, with the templates within it.
func (r *Reader) skipTemplate() {
	foreign := false
	for depth := 1; depth > 0; {
		switch r.next() {
		case tokenStart:
			if foreign = r.foreign(foreign); !foreign {
				depth += r.templateStartTag()
			}
		case tokenEnd:
			switch string(r.element()) {
			case "template":
				depth--
				foreign = false
			case "svg", "math":
				foreign = false
			}
		case tokenCut, tokenNone:
			return
		}
	}
}

// foreign reports whether the start tag read last leaves the page in SVG or
// MathML, where script, style and title are ordinary elements.
func (r *Reader) foreign(foreign bool) bool {
	switch string(r.element()) {
	case "svg", "math":
		return foreign || !r.tag.closed
	}
	return foreign
}

// templateStartTag passes the text of an element without markup and returns 1
// for a template.
func (r *Reader) templateStartTag() int {
	name := r.element()
	if string(name) == "template" {
		return 1
	}
	r.skipRaw(string(name))
	return 0
}

// skipRaw passes the text of the element named in lower case, if it is one that holds
// no markup.
func (r *Reader) skipRaw(name string) {
	switch name {
	case "script":
		r.script()
	case "style", "textarea", "title", "noscript", "iframe", "noframes", "noembed", "xmp":
		r.rawText(name, false)
	case "plaintext":
		for ok := true; ok; _, ok = r.more() {
			r.pos = r.end
		}
	}
}

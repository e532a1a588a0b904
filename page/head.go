package page

import (
	"bytes"
	"regexp"
)

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
			if inHead = r.headStartTag(); !inHead {
				r.pos = r.tag.start
			}
		case tokenEnd:
			if inHead = r.headEndTag(); !inHead {
				r.pos = r.tag.start
			}
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
// text. It reports false when the tag begins the body.
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
		r.shape.cut = r.unclosed(r.rawText("style", false))
	case "noscript":
		if r.afterHead {
			return false
		}
		r.noscript()
	case "noframes", "template":
		r.skipRaw(string(name))
	case "head", "basefont", "bgsound":
	default:
		return false
	}
	return true
}

// headEndTag reads the end tag read last. It reports false when the tag begins the body.
func (r *Reader) headEndTag() bool {
	name := r.element()
	r.shape.note(name)
	switch string(name) {
	case "body", "br", "html":
		return false
	case "head":
		r.afterHead = true
	}
	return true
}

// skipTemplate passes the content of a template element, which is not part of
// the page, with the templates within it.
func (r *Reader) skipTemplate() {
	foreign := false // in SVG or MathML, where script, style and title are ordinary elements
	for depth := 1; depth > 0; {
		switch r.next() {
		case tokenStart:
			switch name := string(r.element()); {
			case name == "svg" || name == "math":
				foreign = foreign || !r.tag.closed
			case foreign:
			case name == "template":
				depth++
			default:
				r.skipRaw(name)
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

// skipRaw passes the text of the element named in lower case, if it is one that holds
// no markup, or none that is part of the page.
func (r *Reader) skipRaw(name string) {
	switch name {
	case "script":
		r.script()
	case "template":
		r.skipTemplate()
	case "style", "textarea", "title", "noscript", "iframe", "noframes", "noembed", "xmp":
		r.rawText(name, false)
	case "plaintext":
		for ok := true; ok; _, ok = r.more() {
			r.pos = r.end
		}
	}
}

// shape is what the head shows of whether the file is a page at all.
type shape struct {
	document bool // there is a doctype, an html, head, body or title, or what belongs into a head
	cut      bool // the file ends in the middle of a tag or of an element's text
	titled   bool // the title ends
}

// note takes in the name of a tag of the head, or of the one that ends it.
func (s *shape) note(name []byte) {
	switch string(name) {
	case "html", "head", "body", "title", "meta", "link", "base":
		s.document = true
	}
}

// unclosed reports whether the file ended within the text of the element read last.
func (r *Reader) unclosed(text span) bool { return r.err != nil && text.hi == r.end }

// checkShape finds out whether a file is a whole page, and leaves it out where it is
// not.
func (r *Reader) checkShape() {
	start := r.buf[:r.end]
	part := !r.shape.document && !r.doctype
	if r.includes || part {
		r.readIncludes()
	}
	switch {
	case r.gone == 0 && r.err != nil && len(trim(bytes.TrimPrefix(start, utf8BOM))) == 0:
		r.broken("the file is empty", true)
	case r.gone == 0 && start[0] == 0:
		r.broken("the file begins with NUL bytes", !bytes.ContainsRune(bytes.Trim(start, "\x00"), '<'))
	case r.shape.cut:
		r.broken("the file is cut off in its head", !r.shape.titled)
	case bytes.HasPrefix(start, []byte("%PDF-")): // listed because the user asks for it
	case part && len(r.f.Includes) == 0: // else it is put together of others when it is served
		r.f.Skip, r.f.SkipNote = Fragment, "the file has no html, head, body or title"
	}
}

var utf8BOM = []byte("\xef\xbb\xbf")

// broken notes what is wrong with the file as a whole. Where that takes the page out, it is
// for the site to report, once for all pages.
func (r *Reader) broken(what string, out bool) {
	if out {
		r.f.Skip, r.f.SkipNote = Broken, what
		return
	}
	r.warn(0, "broken-page", "build the site again; was the disk full, or the build stopped?", "%s", what)
}

// directive is a server-side include, of which one is enough to make a page:
// https://httpd.apache.org/docs/2.4/mod/mod_include.html#element.include
var directive = regexp.MustCompile(`(?i)<!--#include\s+(virtual|file)\s*=\s*["']?([^"'\s>]+)`)

// readIncludes notes what the page's server-side includes name, as far as the page has
// been read.
func (r *Reader) readIncludes() {
	for _, m := range directive.FindAllSubmatch(r.buf[:r.end], -1) {
		name := string(m[2])
		if len(m[1]) == len("file") {
			name = "file:" + name
		}
		r.f.Includes = append(r.f.Includes, name)
	}
}

package page

import (
	"bytes"

	"github.com/sitewalk/sitewalk/diag"
)

// A scanner splits a page in UTF-8 into tokens: text, start tags and end tags.
type scanner struct {
	buf  []byte
	pos  int  // offset of the next token
	tag  tag  // last tag
	text span // last text

	lower, scratch []byte // buffers for names and for values

	hasDoctype bool

	counted, line, lineStart int // offset of the last call of position, its line from 0, and the offset of that line
}

// reset prepares s to read the page src. Reading begins at the offset start.
func (s *scanner) reset(src []byte, start int) {
	*s = scanner{buf: src, pos: start, tag: tag{attrs: s.tag.attrs}, lower: s.lower, scratch: s.scratch}
}

var newline = []byte{'\n'}

// position returns the line and the column of the byte at offset. Both count from 1, and the column
// counts bytes. position counts lines from the offset of the last call, so a series of ascending
// offsets needs linear time in total.
func (s *scanner) position(offset int) diag.Pos {
	n := bytes.Count(s.buf[min(offset, s.counted):max(offset, s.counted)], newline)
	if offset < s.counted { // an earlier attribute of the same tag
		n = -n
	}
	if s.counted = offset; n != 0 {
		s.line += n
		s.lineStart = bytes.LastIndexByte(s.buf[:offset], '\n') + 1
	}
	return diag.Pos{Line: s.line + 1, Col: offset - s.lineStart + 1}
}

// A tokenKind is the kind of a token: a text, a start tag, an end tag, or the end of the page.
type tokenKind uint8

const (
	tokenNone  tokenKind = iota // the end of the page
	tokenText                   // text; scanner.text is its range
	tokenStart                  // start tag; see scanner.tag
	tokenEnd                    // end tag; see scanner.tag
	tokenCut                    // the page ends inside a start tag
)

// nextToken reads the next token and returns its kind. It skips comments, declarations and
// processing instructions. It does not know that the text of elements such as script contains no
// tags. Therefore, call skipRawElement or readRawText after the start tag of such an element.
func (s *scanner) nextToken() tokenKind {
	for s.pos < len(s.buf) {
		b := s.buf[s.pos:]
		switch {
		case b[0] != '<':
			n := bytes.IndexByte(b, '<')
			if n < 0 {
				n = len(b)
			}
			s.text, s.pos = span{s.pos, s.pos + n}, s.pos+n
			return tokenText
		case len(b) > 1 && hasClass(b[1], letter):
			return s.readTag(tokenStart, 1)
		case len(b) > 2 && b[1] == '/' && hasClass(b[2], letter):
			return s.readTag(tokenEnd, 2)
		case len(b) > 2 && b[1] == '!':
			s.skipDeclaration()
		case len(b) > 2 && (b[1] == '/' || b[1] == '?'):
			s.skipPast('>')
		default:
			s.text = span{s.pos, s.pos + 1}
			s.pos++
			return tokenText
		}
	}
	return tokenNone
}

// readTag reads the tag whose name begins n bytes after s.pos. kind is tokenStart or tokenEnd.
// readTag returns kind if the tag is complete. If the page ends inside the tag, it returns tokenCut
// for a start tag, and tokenNone for an end tag.
func (s *scanner) readTag(kind tokenKind, n int) tokenKind {
	end := s.tag.parse(s.buf, s.pos+n)
	switch {
	case end >= 0:
		s.tag.start, s.pos = s.pos, end
		return kind
	case kind == tokenStart:
		kind = tokenCut
	default:
		kind = tokenNone
	}
	s.pos = len(s.buf)
	return kind
}

// skipPast moves s.pos to the byte after the next c, or to the end of the page.
func (s *scanner) skipPast(c byte) {
	if i := bytes.IndexByte(s.buf[s.pos:], c); i >= 0 {
		s.pos += i + 1
	} else {
		s.pos = len(s.buf)
	}
}

const doctype = "<!doctype"

var (
	commentOpen  = []byte("<!--")
	commentClose = []byte("-->")
)

// skipDeclaration skips a comment, a doctype or another declaration that begins with "<!". It sets
// hasDoctype.
func (s *scanner) skipDeclaration() {
	b := s.buf[s.pos:]
	s.hasDoctype = s.hasDoctype || hasPrefixFold(b, doctype)
	if !bytes.HasPrefix(b, commentOpen) {
		s.skipPast('>')
		return
	}
	s.pos += len(commentOpen)
	for from := s.pos; s.pos < len(s.buf); {
		s.skipPast('>')
		if text := bytes.TrimSuffix(s.buf[from:s.pos], []byte(">")); endsComment(text) {
			return
		}
	}
}

// endsComment reports whether a ">" ends a comment. text is the text of the comment before the ">".
// The ">" ends the comment after "--" and "--!". It also ends the comments <!--> and <!--->, whose
// text is "" or "-".
func endsComment(text []byte) bool {
	return len(text) == 0 || string(text) == "-" || bytes.HasSuffix(text, []byte("--")) || bytes.HasSuffix(text, []byte("--!"))
}

// readRawText reads the text of the element name, which contains no tags, such as title or script.
// It returns the range of the text, which ends with the page if there is no end tag. It also skips
// an end tag such as </title>, but not an end tag with white space or attributes before the ">".
func (s *scanner) readRawText(name string) span {
	end := findEndTag(s.buf[s.pos:], name)
	if name == "script" {
		end = findScriptEnd(s.buf[s.pos:])
	}
	if end < 0 {
		text := span{s.pos, len(s.buf)}
		s.pos = len(s.buf)
		return text
	}
	text := span{s.pos, s.pos + end}
	s.pos = text.hi
	if gt := text.hi + len("</") + len(name); s.buf[gt] == '>' {
		s.pos = gt + 1
	}
	return text
}

// findEndTag returns the offset of the first end tag of the element name in b, or -1 if there is
// none.
func findEndTag(b []byte, name string) int {
	for i := 0; ; i++ {
		n := bytes.IndexByte(b[i:], '<')
		if n < 0 {
			return -1
		}
		i += n
		if isEndTag(b[i:], name) {
			return i
		}
	}
}

// isEndTag reports whether b, which begins with <, begins with an end tag of the element name.
func isEndTag(b []byte, name string) bool {
	return len(b) > 2+len(name) && b[1] == '/' && equalFold(b[2:2+len(name)], name) && hasClass(b[2+len(name)], tagEnd)
}

// findScriptEnd returns the offset in b of the end tag that ends a script, or -1 if there is none.
// After <!-- and <script>, the first </script> is part of the text and does not end the script. See
// the script data states in the HTML standard.
func findScriptEnd(b []byte) int {
	escaped, double := false, false
	for i := 0; i < len(b); i++ {
		switch rest := b[i:]; {
		case b[i] == '-' && escaped && bytes.HasPrefix(rest, commentClose):
			escaped, double = false, false
			i += 2
		case b[i] != '<':
			if !escaped {
				n := bytes.IndexByte(rest, '<')
				if n < 0 {
					return -1
				}
				i += n - 1
			}
		case bytes.HasPrefix(rest, commentOpen):
			escaped = true
			i++
		case isEndTag(rest, "script"):
			if !double {
				return i
			}
			double = false
		case escaped && !double && len(rest) > 7 && hasPrefixFold(rest, "<script") && hasClass(rest[7], tagEnd):
			double = true
		}
	}
	return -1
}

// skipRawElement skips the content of the element name, whose start tag was read last, if the
// element is a template or contains only text, such as script. It does nothing for other elements.
func (s *scanner) skipRawElement(name string) {
	switch name {
	case "template":
		s.skipTemplate()
	case "script", "style", "textarea", "title", "noscript", "iframe", "noframes", "noembed", "xmp":
		s.readRawText(name)
	case "plaintext":
		s.pos = len(s.buf)
	}
}

// skipTemplate skips the content of a template element, including nested templates.
func (s *scanner) skipTemplate() {
	foreign := false // inside SVG or MathML, where script, style and title are ordinary elements
	for depth := 1; depth > 0; {
		switch s.nextToken() {
		case tokenStart:
			switch name := string(s.lowerTagName()); {
			case name == "svg" || name == "math":
				foreign = foreign || !s.tag.closed
			case foreign:
			case name == "template":
				depth++
			default:
				s.skipRawElement(name)
			}
		case tokenEnd:
			switch string(s.lowerTagName()) {
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

// bytes returns the text of a part of the page.
func (s *scanner) bytes(part span) []byte { return s.buf[part.lo:part.hi] }

// tagName returns the name of the last tag as written.
func (s *scanner) tagName() []byte { return s.bytes(s.tag.name) }

// lowerTagName returns the name of the last tag in lower case. The result is valid until the next
// call of lowerTagName or toLower.
func (s *scanner) lowerTagName() []byte { return s.toLower(s.tagName()) }

// toLower returns name with ASCII letters in lower case. The result is valid until the next call of
// toLower.
func (s *scanner) toLower(name []byte) []byte {
	s.lower = appendLower(s.lower[:0], name)
	return s.lower
}

// findAttr returns the range of the value of an attribute of the last tag. name must be in lower
// case. If the attribute occurs twice, the first value counts. ok is false if the tag has no such
// attribute.
func (s *scanner) findAttr(name string) (value span, ok bool) {
	for _, a := range s.tag.attrs {
		if equalFold(s.bytes(a.name), name) {
			return a.value, true
		}
	}
	return span{}, false
}

// hasAttr reports whether the last tag has an attribute called name, which must be in lower case.
func (s *scanner) hasAttr(name string) bool {
	_, ok := s.findAttr(name)
	return ok
}

// attrValue returns the decoded value of an attribute of the last tag, without white space and
// control characters at its ends. It returns nil if the tag has no such attribute. The result is
// valid until the next call of attrValue or untrimmedAttrValue, which share a buffer.
func (s *scanner) attrValue(name string) []byte {
	v := s.untrimmedAttrValue(name)
	for len(v) > 0 && v[0] <= ' ' {
		v = v[1:]
	}
	for len(v) > 0 && v[len(v)-1] <= ' ' {
		v = v[:len(v)-1]
	}
	return v
}

// untrimmedAttrValue returns the decoded value of an attribute of the last tag, with white space at
// its ends. It returns nil if the tag has no such attribute.
func (s *scanner) untrimmedAttrValue(name string) []byte {
	at, ok := s.findAttr(name)
	if !ok {
		return nil
	}
	v := s.bytes(at)
	if bytes.IndexByte(v, '&') >= 0 || bytes.IndexByte(v, '\r') >= 0 || bytes.IndexByte(v, 0) >= 0 {
		s.scratch = appendText(s.scratch[:0], v, true)
		return s.scratch
	}
	return v
}

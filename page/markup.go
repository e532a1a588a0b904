package page

import "bytes"

// skipDeclaration passes what begins with <! at pos: a comment, a doctype or a
// bogus comment. A comment ends as the HTML standard says, also with --!>, and
// <!--> and <!---> are whole ones.
func (s *source) skipDeclaration() {
	s.doctype = s.doctype || s.need(len(doctype)) && fold(s.buf[s.pos:s.pos+len(doctype)], doctype)
	if !s.need(4) || s.buf[s.pos+2] != '-' || s.buf[s.pos+3] != '-' {
		s.skipBogus()
		return
	}
	s.pos += 4
	s.includes = s.includes || s.need(1) && s.buf[s.pos] == '#'
	for from := s.pos; ; {
		if i := bytes.IndexByte(s.buf[from:s.end], '>'); i >= 0 {
			text := s.buf[s.pos : from+i]
			if from += i + 1; endsComment(text) {
				s.pos = from
				return
			}
			continue
		}
		s.pos = max(s.pos, s.end-len(commentEndBang))
		from = s.end
		moved, ok := s.more()
		if from -= moved; !ok {
			s.pos = s.end
			return
		}
	}
}

// endsComment reports whether a comment ends at the > behind its text, or behind the last
// bytes of that.
func endsComment(text []byte) bool {
	return len(text) == 0 || string(text) == "-" || bytes.HasSuffix(text, commentEnd) || bytes.HasSuffix(text, commentEndBang)
}

const doctype = "<!doctype"

var (
	commentEnd     = []byte("--")
	commentEndBang = []byte("--!")
	commentOpen    = []byte("<!--")
	commentClose   = []byte("-->")
)

// skipBogus passes everything up to the next >.
func (s *source) skipBogus() {
	for {
		if i := bytes.IndexByte(s.buf[s.pos:s.end], '>'); i >= 0 {
			s.pos += i + 1
			return
		}
		s.pos = s.end
		if _, ok := s.more(); !ok {
			return
		}
	}
}

// rawText passes the text of an element that holds no markup and whose start
// tag ends at pos, and the end tag when it is a bare one. It returns the text,
// which is whole only when keep is set.
func (s *source) rawText(name string, keep bool) span {
	for from := s.pos; ; {
		i := endTag(s.buf[from:s.end], name)
		if i >= 0 {
			text := span{s.pos, from + i}
			s.pos = s.passBare(from+i, name)
			return text
		}
		// What is left may be the beginning of the end tag.
		from = max(from, s.end-len("</")-len(name))
		if !keep {
			s.pos = from
		}
		moved, ok := s.more()
		if from -= moved; !ok {
			text := span{s.pos, s.end}
			s.pos = s.end
			return text
		}
	}
}

// passBare returns the offset behind the end tag at buf[i] when it is nothing
// but the name, and i otherwise.
func (s *source) passBare(i int, name string) int {
	if gt := i + len("</") + len(name); s.buf[gt] == '>' {
		return gt + 1
	}
	return i
}

// endTag returns the offset of the first end tag in b that is called name, of
// which the byte behind the name has to be there, or -1.
func endTag(b []byte, name string) int {
	for i := 0; ; i++ {
		n := bytes.IndexByte(b[i:], '<')
		if n < 0 {
			return -1
		}
		i += n
		next := i + 2 + len(name)
		if next >= len(b) {
			return -1
		}
		if b[i+1] == '/' && fold(b[i+2:next], name) && is(b[next], tagEnd) {
			return i
		}
	}
}

// script passes the text of a script as rawText does, keeping it. In it, <!--
// <script> makes the next end tag part of the text.
func (s *source) script() span {
	for {
		if i := scriptEnd(s.buf[s.pos:s.end]); i >= 0 {
			text := span{s.pos, s.pos + i}
			s.pos = s.passBare(text.hi, "script")
			return text
		}
		if _, ok := s.more(); !ok {
			text := span{s.pos, s.end}
			s.pos = s.end
			return text
		}
	}
}

// scriptEnd returns the offset of the end tag that ends the script b, or -1.
func scriptEnd(b []byte) int {
	const name = "script"
	for i := 0; ; i++ {
		n := bytes.IndexByte(b[i:], '<')
		if n < 0 {
			return -1
		}
		i += n
		next := i + 2 + len(name)
		switch {
		case next >= len(b):
			return -1
		case b[i+1] == '/' && fold(b[i+2:next], name) && is(b[next], tagEnd):
			return i
		case b[i+1] == '!' && b[i+2] == '-' && b[i+3] == '-':
			return escapedScriptEnd(b, i)
		}
	}
}

// escapedScriptEnd is scriptEnd from the <!-- at b[i] on: the standard's script
// data, escaped and double escaped states.
func escapedScriptEnd(b []byte, i int) int {
	escaped, double := false, false
	for ; i < len(b); i++ {
		switch rest := b[i:]; {
		case b[i] == '-' && escaped && bytes.HasPrefix(rest, commentClose):
			escaped, double = false, false
			i += 2
		case b[i] != '<':
		case bytes.HasPrefix(rest, commentOpen):
			escaped = true
			i++
		case hasTag(rest, "</script"):
			if !double {
				return i
			}
			double = false
		case escaped && !double && hasTag(rest, "<script"):
			double = true
		}
	}
	return -1
}

// hasTag reports whether b begins with a tag, of which s is what comes before attributes.
func hasTag(b []byte, s string) bool {
	return len(b) > len(s) && hasFold(b, s) && is(b[len(s)], tagEnd)
}

// A token is a piece of a page.
type token uint8

const (
	tokenNone  token = iota // the page ends
	tokenText               // a part of a text, in Reader.text
	tokenStart              // a start tag, in Reader.tag
	tokenEnd                // an end tag
	tokenCut                // a start tag in which the page ends
)

// next reads the next token. It passes comments, declarations and instructions, and
// takes the text of each element for markup: what is not is passed by skipRaw.
func (r *Reader) next() token {
	for r.pos < r.end || r.need(1) {
		if r.buf[r.pos] != '<' {
			r.readText()
			return tokenText
		}
		if r.end-r.pos < 3 && !r.need(3) {
			r.text, r.pos = span{r.pos, r.end}, r.end
			if b := r.buf[r.text.lo:r.end]; len(b) == 2 && is(b[1], letter) {
				return tokenCut
			}
			return tokenText
		}
		switch c := r.buf[r.pos+1]; {
		case is(c, letter):
			return r.readTag(tokenStart, 1)
		case c == '/' && is(r.buf[r.pos+2], letter):
			return r.readTag(tokenEnd, 2)
		case c == '/' || c == '?':
			r.skipBogus()
		case c == '!':
			r.skipDeclaration()
		default:
			r.text = span{r.pos, r.pos + 1}
			r.pos++
			return tokenText
		}
	}
	return tokenNone
}

// readText reads text up to the next tag or the end of what has been read, except
// what may go on there: a character reference or a rune.
func (r *Reader) readText() {
	for {
		b := r.buf[r.pos:r.end]
		n := bytes.IndexByte(b, '<')
		if n < 0 {
			n = len(b) - unfinished(b)
		}
		if n == 0 {
			if _, ok := r.more(); ok {
				continue
			}
			n = r.end - r.pos
		}
		r.text = span{r.pos, r.pos + n}
		r.pos += n
		return
	}
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

// readTag reads the tag whose name begins n bytes behind pos and passes it.
func (r *Reader) readTag(kind token, n int) token {
	for {
		if i := r.tag.readTag(r.buf[:r.end], r.pos+n); i >= 0 {
			r.tag.start, r.pos = r.pos, i
			return kind
		}
		if _, ok := r.more(); !ok {
			r.pos = r.end
			if kind == tokenEnd {
				return tokenNone
			}
			return tokenCut
		}
	}
}

// element returns the name of the tag read last in lower case, until the next tag.
func (r *Reader) element() []byte { return r.inLower(r.buf[r.tag.name.lo:r.tag.name.hi]) }

// inLower returns a name in lower case, until it is asked again.
func (r *Reader) inLower(name []byte) []byte {
	for _, c := range name {
		if is(c, upper) {
			r.lower = appendLower(r.lower[:0], name)
			return r.lower
		}
	}
	return name
}

// name returns the name of the tag read last, as written.
func (r *Reader) name() []byte { return r.buf[r.tag.name.lo:r.tag.name.hi] }

// has reports whether the tag read last has the attribute.
func (r *Reader) has(a attr) bool { return r.tag.has&(1<<a) != 0 }

// attr returns the value of an attribute of the tag read last, without white
// space and control characters around it, as the URL standard reads addresses. It holds until the next call of attr that finds something
// to replace, or the next tag.
func (r *Reader) attr(a attr) []byte {
	if !r.has(a) {
		return nil
	}
	v := r.buf[r.tag.val[a].lo:r.tag.val[a].hi]
	if bytes.IndexByte(v, '&') >= 0 || bytes.IndexByte(v, '\r') >= 0 || bytes.IndexByte(v, 0) >= 0 {
		r.scratch = appendText(r.scratch[:0], v, true)
		v = r.scratch
	}
	return bytes.TrimFunc(v, func(c rune) bool { return c <= ' ' })
}

package sitemap

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// The bounds of hostile XML. A document type is skipped, and one that declares entities is
// refused.
const (
	maxToken    = 1 << 20         // bytes of one tag, text or comment
	maxDepth    = 100             // elements within elements
	maxBindings = 100             // namespaces within each other
	maxEntry    = DefaultMaxBytes // bytes of one entry
)

// A token is what an xmlScanner stands on.
type token uint8

const (
	startTag token = iota
	endTag
	textToken
)

// An xmlScanner reads XML 1.0 in UTF-8 as a stream of tokens, several times
// faster than encoding/xml. It checks what a reader of sitemaps needs: balance,
// names, characters and references.
type xmlScanner struct {
	src      io.Reader
	srcErr   error
	buf      []byte
	pos, end int // the window of buf that is not consumed
	line     int // of pos
	begin    int // offset at which the line of pos begins
	offset   int // bytes consumed
	limit    int // of offset, 0 for none

	// The present token. All slices are valid until the next.
	space     string // the namespace of a tag, or its prefix when nothing binds it
	local     []byte
	unbound   bool // space is a prefix that stands for none
	attrs     []xmlAttr
	text      []byte
	tokenLine int
	tokenCol  int

	names    []byte // the names of the open elements, one after another
	open     []int  // where each begins
	bindings []binding
	pending  bool // a <name/> has yet to be closed
	scratch  []byte
	content  []byte
}

// errTokenTooLong says that a token exceeds maxToken.
var errTokenTooLong = fmt.Errorf("more than %d bytes without an end", maxToken)

func newXMLScanner(src io.Reader) *xmlScanner {
	return &xmlScanner{src: src, buf: make([]byte, 64<<10), line: 1}
}

// A SyntaxError says where a file is no XML, or no sitemap.
type SyntaxError struct {
	Line, Col int // from 1, the column in bytes
	Err       error
}

// Error names the line.
func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns what is wrong.
func (e *SyntaxError) Unwrap() error { return e.Err }

// errorf returns an error about the place at which the scanner stands.
func (x *xmlScanner) errorf(format string, args ...any) error {
	return &SyntaxError{x.line, x.col(), fmt.Errorf(format, args...)}
}

// col is the column of pos.
func (x *xmlScanner) col() int { return x.offset - x.begin + 1 }

// mark remembers that the present token begins at pos.
func (x *xmlScanner) mark() { x.tokenLine, x.tokenCol = x.line, x.col() }

// errorAt is errorf for byte i of the present token.
func (x *xmlScanner) errorAt(token []byte, i int, format string, args ...any) error {
	e := &SyntaxError{x.tokenLine, x.tokenCol + i, fmt.Errorf(format, args...)}
	if n := bytes.Count(token[:i], []byte("\n")); n > 0 {
		e.Line, e.Col = e.Line+n, i-bytes.LastIndexByte(token[:i], '\n')
	}
	return e
}

// fill reads more into the window, which it may move.
func (x *xmlScanner) fill() error {
	if x.srcErr != nil {
		return x.srcErr
	}
	if x.end-x.pos > maxToken {
		return errTokenTooLong
	}
	if x.pos > 0 {
		copy(x.buf, x.buf[x.pos:x.end])
		x.end -= x.pos
		x.pos = 0
	}
	if x.end == len(x.buf) {
		x.buf = append(x.buf, make([]byte, len(x.buf))...)
	}
	var n int
	n, x.srcErr = io.ReadAtLeast(x.src, x.buf[x.end:], 1)
	x.end += n
	return x.srcErr
}

// consume moves n bytes on and counts their lines.
func (x *xmlScanner) consume(n int) []byte {
	b := x.buf[x.pos : x.pos+n]
	x.pos += n
	if lines := bytes.Count(b, []byte("\n")); lines > 0 {
		x.line += lines
		x.begin = x.offset + bytes.LastIndexByte(b, '\n') + 1
	}
	x.offset += n
	return b
}

// until consumes all that precedes delim, and delim, and returns the former.
func (x *xmlScanner) until(delim string) ([]byte, error) {
	for from := 0; ; {
		if i := bytes.Index(x.buf[x.pos+from:x.end], []byte(delim)); i >= 0 {
			b := x.consume(from + i + len(delim))
			return b[:len(b)-len(delim)], nil
		}
		from = max(0, x.end-x.pos-len(delim)+1)
		if err := x.fill(); err != nil {
			return nil, x.tokenError(err)
		}
	}
}

// tokenError returns the error for input that ends, or fails, inside a token.
func (x *xmlScanner) tokenError(err error) error {
	if !errors.Is(err, io.EOF) {
		return x.errorf("%w", err)
	}
	if len(x.open) == 0 {
		return x.errorf("the file ends too early")
	}
	return x.errorf("the file ends inside <%s>", x.names[x.open[len(x.open)-1]:])
}

// next reads a token. After the document element comes io.EOF.
func (x *xmlScanner) next() (token, error) {
	if x.pending {
		x.pending = false
		return endTag, x.pop()
	}
	if x.limit > 0 && x.offset > x.limit {
		return 0, x.errorf("one entry has more than %d bytes", maxEntry)
	}
	for {
		c, err := x.peek()
		if err != nil {
			if errors.Is(err, io.EOF) && len(x.open) == 0 {
				return 0, io.EOF
			}
			return 0, x.tokenError(err)
		}
		if c != '<' {
			return textToken, x.readText()
		}
		tok, ok, err := x.markup()
		if ok || err != nil {
			return tok, err
		}
	}
}

// rest reads to the end of the element whose start tag was read, and shows each
// token.
func (x *xmlScanner) rest(show func(token)) error {
	for depth := 1; depth > 0; {
		tok, err := x.next()
		if err != nil {
			return err
		}
		switch tok {
		case startTag:
			depth++
		case endTag:
			depth--
		}
		show(tok)
	}
	return nil
}

// inner consumes an element whose start tag was read, and returns its text, which is valid
// until the next call. It calls child for each start tag within, unless child is nil.
func (x *xmlScanner) inner(child func()) ([]byte, error) {
	x.content = x.content[:0]
	err := x.rest(func(tok token) {
		switch {
		case tok == textToken:
			x.content = append(x.content, x.text...)
		case tok == startTag && child != nil:
			child()
		}
	})
	return x.content, err
}

// children is rest, but calls read for each child, which read consumes. The text
// between them is shown, if text is not nil.
func (x *xmlScanner) children(read func() error, text func([]byte)) error {
	for {
		tok, err := x.next()
		switch {
		case err != nil:
			return err
		case tok == endTag:
			return nil
		case tok == startTag:
			if err := read(); err != nil {
				return err
			}
		case text != nil:
			text(x.text)
		}
	}
}

func (x *xmlScanner) peek() (byte, error) {
	if x.pos == x.end {
		if err := x.fill(); err != nil {
			return 0, err
		}
	}
	return x.buf[x.pos], nil
}

// ahead reports whether the window begins with s.
func (x *xmlScanner) ahead(s string) bool {
	for x.end-x.pos < len(s) {
		if x.fill() != nil {
			return false
		}
	}
	return string(x.buf[x.pos:x.pos+len(s)]) == s
}

// markup reads what begins with "<". ok is false for what says nothing:
// comments, instructions and the document type.
func (x *xmlScanner) markup() (tok token, ok bool, err error) {
	x.mark()
	switch {
	case x.ahead("</"):
		return endTag, true, x.readEnd()
	case x.ahead("<?"):
		_, err = x.until("?>")
		return 0, false, err
	case x.ahead("<!--"):
		x.consume(4)
		_, err = x.until("-->")
		return 0, false, err
	case x.ahead("<![CDATA["):
		x.consume(9)
		x.mark()
		raw, err := x.until("]]>")
		if err == nil {
			err = x.setText(raw, inCDATA)
		}
		return textToken, true, err
	case x.ahead("<!"):
		return 0, false, x.skipDoctype()
	}
	return startTag, true, x.readStart()
}

// readText reads the characters before the next "<".
func (x *xmlScanner) readText() error {
	x.mark()
	n := 0
	for {
		i := bytes.IndexByte(x.buf[x.pos+n:x.end], '<')
		if i >= 0 {
			n += i
			break
		}
		n = x.end - x.pos
		if err := x.fill(); errors.Is(err, io.EOF) && len(x.open) == 0 {
			break
		} else if err != nil {
			return x.tokenError(err)
		}
	}
	raw := x.consume(n)
	if len(x.open) == 0 {
		if len(bytes.TrimSpace(raw)) > 0 {
			return x.errorAt(raw, len(raw)-len(bytes.TrimLeft(raw, " \t\r\n")), "text outside of the document element")
		}
		x.text = raw
		return nil
	}
	return x.setText(raw, inText)
}

// setText decodes raw character data into x.text.
func (x *xmlScanner) setText(raw []byte, in where) (err error) {
	if err := x.checkChars(raw); err != nil {
		return err
	}
	if i := bytes.Index(raw, []byte("]]>")); i >= 0 {
		return x.errorAt(raw, i, "]]> outside of CDATA")
	}
	if (in == inCDATA || bytes.IndexByte(raw, '&') < 0) && bytes.IndexByte(raw, '\r') < 0 {
		x.text = raw
		return nil
	}
	x.scratch, err = x.appendDecoded(x.scratch[:0], raw, in)
	x.text = x.scratch
	return err
}

// skipDoctype skips a document type. One with declarations is refused: no sitemap has
// any, and what they declare may be of any size.
func (x *xmlScanner) skipDoctype() error {
	if len(x.open) > 0 || !x.ahead("<!DOCTYPE") && !x.ahead("<!doctype") { // the latter is HTML, and is named as such
		return x.errorf("<! is neither a comment nor a document type")
	}
	n, err := x.tagEnd()
	if err == nil && bytes.ContainsAny(x.consume(n)[1:], "[<") {
		err = x.errorAt(nil, 0, "the document type has declarations, which a sitemap may not have")
	}
	return err
}

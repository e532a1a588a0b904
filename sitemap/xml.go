package sitemap

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Limits that protect against malicious XML.
const (
	maxToken = 1 << 20         // maximum number of bytes of one tag, text or comment
	maxDepth = 100             // maximum number of open elements
	maxAttrs = 100             // maximum number of attributes of one tag
	maxEntry = DefaultMaxBytes // maximum number of bytes of one entry
)

// A tokenKind is the kind of an XML token: a start tag, an end tag or text.
type tokenKind uint8

const (
	startTag tokenKind = iota
	endTag
	textToken
)

// An xmlReader reads a document with encoding/xml, and counts lines and columns. It gives the
// decoder one byte at a time. Therefore, readPlainEntry can read an entry directly from the buffer
// between two tokens of the decoder.
type xmlReader struct {
	*bufio.Reader
	decoder          *xml.Decoder
	decoded          int64 // number of bytes that the decoder has read
	offset           int   // number of bytes read, by the decoder or directly
	line             int   // line number of the next byte, from 1
	lineStart        int   // offset of the beginning of that line
	left             int   // number of further bytes that the current token may have
	limit            int   // offset at which the current entry is too long; 0 means no limit
	usesDefaultSpace bool  // names without a prefix are in the namespace of the document element
	hasDocument      bool  // the document element was read

	// last is the kind of the last token. text is the text of the last text token; it is valid
	// until the next token is read.
	last                tokenKind
	tokenLine, tokenCol int
	space, local        string // namespace and name of the last start tag
	attrs               []xml.Attr
	text                []byte

	open    []string // names of open elements
	content []byte   // buffer for the result of readInnerText
}

func newXMLReader(src *bufio.Reader) *xmlReader {
	x := &xmlReader{Reader: src, line: 1}
	x.decoder = xml.NewDecoder(x)
	x.decoder.CharsetReader = func(_ string, utf8 io.Reader) (io.Reader, error) { return utf8, nil } // the source is UTF-8 already
	return x
}

// ReadByte reads one byte for the decoder and counts lines. It returns an error if the current
// token is too long. It implements io.ByteReader.
func (x *xmlReader) ReadByte() (byte, error) {
	if x.left == 0 {
		return 0, fmt.Errorf("more than %d bytes without an end", maxToken)
	}
	c, err := x.Reader.ReadByte()
	if err != nil {
		return 0, err
	}
	x.left--
	x.decoded++
	x.offset++
	if c == '\n' {
		x.line++
		x.lineStart = x.offset
	}
	return c, nil
}

// A SyntaxError is a mistake that prevents reading the rest of a file: invalid XML, a document that
// is not a sitemap, or a part that is too large. It also wraps an error of the underlying reader
// inside of the XML.
type SyntaxError struct {
	Line, Col int   // position, from 1; Col counts bytes of the text in UTF-8
	Err       error // the mistake
}

// Error returns the line number and the mistake, such as "line 3: the file ends inside <url>".
func (e *SyntaxError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap returns Err.
func (e *SyntaxError) Unwrap() error { return e.Err }

// errorf returns a SyntaxError with the current position.
func (x *xmlReader) errorf(format string, args ...any) error {
	return &SyntaxError{x.line, x.col(), fmt.Errorf(format, args...)}
}

// tokenErrorf returns a SyntaxError with the position of the last token.
func (x *xmlReader) tokenErrorf(format string, args ...any) error {
	return &SyntaxError{x.tokenLine, x.tokenCol, fmt.Errorf(format, args...)}
}

// col returns the column of the next token, from 1, even if the decoder has already read the first
// byte of that token.
func (x *xmlReader) col() int {
	ahead := int(x.decoded - x.decoder.InputOffset())
	return x.offset - ahead - x.lineStart + 1
}

// next reads the next token. It skips comments, processing instructions and a document type without
// declarations. It returns io.EOF at the end of the file. Text outside of the document element, and
// a document type with declarations, are errors.
func (x *xmlReader) next() (tokenKind, error) {
	for {
		if x.limit > 0 && x.offset > x.limit {
			return 0, x.errorf("one entry has more than %d bytes", maxEntry)
		}
		x.left = maxToken
		x.tokenLine, x.tokenCol = x.line, x.col()
		t, err := x.decoder.Token()
		if err != nil {
			return 0, x.explainDecoderError(err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			x.last = startTag
			return startTag, x.recordStartTag(t)
		case xml.EndElement:
			x.last, x.open = endTag, x.open[:len(x.open)-1]
			return endTag, nil
		case xml.CharData:
			if len(x.open) == 0 && len(bytes.TrimSpace(t)) > 0 {
				return 0, x.tokenErrorf("text outside of the document element")
			}
			x.last, x.text = textToken, t
			return textToken, nil
		case xml.Directive:
			if bytes.ContainsAny(t, "[<") {
				return 0, x.tokenErrorf("the document type has declarations, which a sitemap may not have")
			}
		}
	}
}

// recordStartTag records the name and the attributes of the start tag t. It returns an error if t
// begins a second document element, or if the document exceeds maxDepth or maxAttrs.
func (x *xmlReader) recordStartTag(t xml.StartElement) error {
	x.space, x.local, x.attrs = t.Name.Space, t.Name.Local, t.Attr
	switch {
	case len(x.open) == 0 && x.hasDocument:
		return x.tokenErrorf("<%s> follows the document element", x.local)
	case len(x.open) == maxDepth:
		return x.errorf("more than %d elements within each other", maxDepth)
	case len(x.attrs) > maxAttrs:
		return x.errorf("more than %d attributes of one element", maxAttrs)
	}
	if !x.hasDocument {
		x.hasDocument, x.usesDefaultSpace = true, x.space == x.attr("xmlns")
	}
	x.open = append(x.open, x.local)
	return nil
}

// explainDecoderError returns err, an error of the decoder, with its position and often a clearer
// text. It returns io.EOF unchanged.
func (x *xmlReader) explainDecoderError(err error) error {
	var s *xml.SyntaxError
	switch {
	case err == io.EOF:
		return io.EOF
	case !errors.As(err, &s):
		return x.errorf("%w", err)
	case s.Msg == "unexpected EOF" && len(x.open) == 0:
		return x.errorf("the file ends too early")
	case s.Msg == "unexpected EOF":
		return x.errorf("the file ends inside <%s>", x.open[len(x.open)-1])
	case strings.HasPrefix(s.Msg, "invalid character entity"):
		return x.tokenErrorf("& without a reference; write &amp;")
	}
	return x.tokenErrorf("%s", s.Msg)
}

// hasUnboundPrefix reports whether the last start tag has a prefix without a namespace declaration.
// In this case, package xml returns the prefix as the namespace. A real namespace contains ":" or
// "/".
func (x *xmlReader) hasUnboundPrefix() bool {
	return x.space != "" && !strings.ContainsAny(x.space, ":/")
}

// attr returns the value of the attribute called name, without a prefix, in the last start tag. It
// returns "" if there is none.
func (x *xmlReader) attr(name string) string {
	for _, a := range x.attrs {
		if a.Name.Space == "" && a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

// readElementRest reads the rest of the current element, up to its end tag. It calls visit for each
// token, including the end tag.
func (x *xmlReader) readElementRest(visit func(tokenKind)) error {
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
		visit(tok)
	}
	return nil
}

// skipElement reads the rest of the current element, up to its end tag.
func (x *xmlReader) skipElement() error { return x.readElementRest(func(tokenKind) {}) }

// readInnerText reads the rest of the current element, up to its end tag, and returns its text and
// the text of its children. The text is valid until the next call. If child is not nil,
// readInnerText calls it for each start tag in the element.
func (x *xmlReader) readInnerText(child func()) ([]byte, error) {
	x.content = x.content[:0]
	err := x.readElementRest(func(tok tokenKind) {
		switch {
		case tok == textToken:
			x.content = append(x.content, x.text...)
		case tok == startTag && child != nil:
			child()
		}
	})
	return x.content, err
}

// readChildren reads the rest of the current element, up to its end tag. It calls read after the
// start tag of each child; read must read the rest of the child. If text is not nil, readChildren
// calls it with each text between children.
func (x *xmlReader) readChildren(read func() error, text func([]byte)) error {
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

var (
	plainOpen, plainEnd = []byte("<url><loc>"), []byte("</url>")
	newline             = []byte("\n")
)

// maxPlainEntry is the maximum length in bytes of an entry that readPlainEntry reads.
const maxPlainEntry = 16 << 10

// readPlainEntry reads the next entry without the XML decoder, which takes ten times as long. The
// entry must have the form <url><loc>…</loc><lastmod>…</lastmod></url>. The lastmod is optional.
// The texts must need no decoding. If brief is true, other elements may follow on the same line;
// readPlainEntry skips them. For any other entry, readPlainEntry reads nothing and returns ok =
// false. loc and date are valid until the next read; date is nil if there is no lastmod.
func (x *xmlReader) readPlainEntry(brief bool) (loc, date []byte, ok bool) {
	if x.last != endTag || len(x.open) != 1 || !x.usesDefaultSpace {
		return nil, nil, false
	}
	all, _ := x.Peek(maxPlainEntry)
	ahead := bytes.TrimLeft(all, "\n")
	rest, ok := bytes.CutPrefix(ahead, plainOpen)
	if !ok {
		return nil, nil, false
	}
	if loc, rest, ok = cutPlainText(rest, "</loc>"); !ok {
		return nil, nil, false
	}
	if dated, found := bytes.CutPrefix(rest, []byte("<lastmod>")); found {
		if date, rest, ok = cutPlainText(dated, "</lastmod>"); !ok {
			return nil, nil, false
		}
	}
	rest, ok = bytes.CutPrefix(rest, plainEnd)
	if brief && !ok && len(rest) > 0 && rest[0] == '<' {
		line, next, _ := bytes.Cut(rest, newline)
		rest, ok = next, bytes.HasSuffix(line, plainEnd)
	}
	if ok {
		x.discard(all, len(all)-len(ahead))
		x.tokenLine, x.tokenCol = x.line, x.col()
		x.discard(ahead, len(ahead)-len(rest))
	}
	return loc, date, ok
}

// discard skips the first n bytes of b, and counts their lines. b contains the next bytes in the
// buffer.
func (x *xmlReader) discard(b []byte, n int) {
	_, _ = x.Discard(n) // the bytes are in the buffer
	x.offset += n
	if lines := bytes.Count(b[:n], newline); lines > 0 {
		x.line += lines
		x.lineStart = x.offset - n + bytes.LastIndexByte(b[:n], '\n') + 1
	}
}

// cutPlainText splits b at an end tag, such as "</loc>". text is the part before the tag, and rest
// is the part after it. ok is false if the next tag in b is another tag, or if text is empty, or
// contains "&", ">" or a byte that is not printable ASCII.
func cutPlainText(b []byte, endTag string) (text, rest []byte, ok bool) {
	i := bytes.IndexByte(b, '<')
	if i <= 0 || !bytes.HasPrefix(b[i:], []byte(endTag)) {
		return nil, nil, false
	}
	for _, c := range b[:i] {
		if c <= ' ' || c > '~' || c == '&' || c == '>' {
			return nil, nil, false
		}
	}
	return b[:i], b[i+len(endTag):], true
}

package sitemap

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// An xmlAttr is an attribute as written; its prefix is not resolved.
type xmlAttr struct{ name, value []byte }

// A binding says which namespace a prefix stands for inside an element.
type binding struct {
	prefix, space string
	depth         int
}

// attr returns the value of an attribute of the present start tag, or "".
func (x *xmlScanner) attr(name string) string {
	for _, a := range x.attrs {
		if string(a.name) == name {
			return string(a.value)
		}
	}
	return ""
}

// readStart reads a start tag up to its ">".
func (x *xmlScanner) readStart() error {
	n, err := x.tagEnd()
	if err != nil {
		return err
	}
	tag := x.consume(n)
	if err := x.checkChars(tag); err != nil {
		return err
	}
	tag = tag[1 : len(tag)-1]
	if x.pending = len(tag) > 0 && tag[len(tag)-1] == '/'; x.pending {
		tag = tag[:len(tag)-1]
	}
	name, rest := cutName(tag)
	if len(name) == 0 {
		return x.errorAt(nil, 0, "< begins no tag; write &lt;")
	}
	if len(x.open) == maxDepth {
		return x.errorf("more than %d elements within each other", maxDepth)
	}
	if len(x.open) == 0 && len(x.names) > 0 {
		return x.errorAt(nil, 0, "<%s> follows the document element", name)
	}
	x.open = append(x.open, len(x.names))
	x.names = append(x.names, name...)
	if err := x.readAttrs(name, rest); err != nil {
		return err
	}
	x.resolve(name)
	return nil
}

// tagEnd returns how many bytes the tag ahead has, up to the first ">" that no
// quotes hold.
func (x *xmlScanner) tagEnd() (int, error) {
	quote := byte(0)
	for i := 1; ; i++ {
		if x.pos+i >= x.end {
			if err := x.fill(); err != nil {
				return 0, x.tokenError(err)
			}
		}
		switch c := x.buf[x.pos+i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '>':
			return i + 1, nil
		case c == '"' || c == '\'':
			quote = c
		}
	}
}

// readAttrs reads the attributes of the start tag of name, and its namespaces.
func (x *xmlScanner) readAttrs(name, rest []byte) error {
	x.attrs = x.attrs[:0]
	x.scratch = x.scratch[:0]
	for {
		trimmed := bytes.TrimLeft(rest, " \t\r\n")
		if len(trimmed) == 0 {
			return nil
		}
		attr, after := cutName(trimmed)
		if len(attr) == 0 || len(trimmed) == len(rest) {
			return x.errorAt(nil, 0, "<%s> has an attribute that is no name", name)
		}
		raw, after, ok := cutValue(after)
		if !ok || bytes.IndexByte(raw, '<') >= 0 {
			return x.errorAt(nil, 0, "the attribute %s of <%s> has no value in quotes", attr, name)
		}
		value, err := x.attrValue(raw)
		if err != nil {
			return err
		}
		x.attrs = append(x.attrs, xmlAttr{attr, value})
		if x.bind(attr, value); len(x.bindings) > maxBindings {
			return x.errorf("more than %d namespaces", maxBindings)
		}
		rest = after
	}
}

// attrValue decodes the value of an attribute, into scratch when it must.
func (x *xmlScanner) attrValue(raw []byte) ([]byte, error) {
	if bytes.IndexByte(raw, '&') < 0 && !bytes.ContainsAny(raw, "\t\r\n") {
		return raw, nil
	}
	from := len(x.scratch)
	var err error
	x.scratch, err = x.appendDecoded(x.scratch, raw, inAttr)
	return x.scratch[from:], err
}

// bind keeps a namespace declaration for the element that is open now. An xmlns: without a
// name behind it declares none.
func (x *xmlScanner) bind(attr, value []byte) {
	prefix, ok := bytes.CutPrefix(attr, []byte("xmlns"))
	if !ok || len(prefix) > 0 && prefix[0] != ':' || len(prefix) == 1 {
		return
	}
	prefix = bytes.TrimPrefix(prefix, []byte(":"))
	x.bindings = append(x.bindings, binding{string(prefix), string(value), len(x.open)})
}

// resolve splits the name of a tag into namespace and local name.
func (x *xmlScanner) resolve(name []byte) {
	prefix, local, ok := bytes.Cut(name, []byte(":"))
	if !ok || len(prefix) == 0 || len(local) == 0 {
		prefix, local = nil, name
	}
	x.local = local
	for i := len(x.bindings) - 1; i >= 0; i-- {
		if x.bindings[i].prefix == string(prefix) {
			x.space, x.unbound = x.bindings[i].space, false
			return
		}
	}
	x.space, x.unbound = string(prefix), len(prefix) > 0
}

// readEnd reads an end tag, which must name the element that is open.
func (x *xmlScanner) readEnd() error {
	tag, err := x.until(">")
	if err != nil {
		return err
	}
	name := bytes.TrimRight(tag[2:], " \t\r\n")
	if len(x.open) == 0 {
		return x.errorAt(nil, 0, "</%s> closes nothing", name)
	}
	if open := x.names[x.open[len(x.open)-1]:]; !bytes.Equal(open, name) {
		return x.errorAt(nil, 0, "<%s> is closed by </%s>", open, name)
	}
	return x.pop()
}

// pop closes the innermost element. The name of the document element stays, as
// the sign that there was one.
func (x *xmlScanner) pop() error {
	depth := len(x.open)
	for n := len(x.bindings); n > 0 && x.bindings[n-1].depth == depth; n = len(x.bindings) {
		x.bindings = x.bindings[:n-1]
	}
	if depth > 1 {
		x.names = x.names[:x.open[depth-1]]
	}
	x.open = x.open[:depth-1]
	return nil
}

// cutName splits b after the name at its beginning.
func cutName(b []byte) (name, rest []byte) {
	i := 0
	for i < len(b) && isNameByte(b[i], i == 0) {
		i++
	}
	return b[:i], b[i:]
}

func isNameByte(c byte, first bool) bool {
	switch {
	case isLetter(c), c == '_', c == ':', c >= utf8.RuneSelf:
		return true
	}
	return !first && (isDigit(c) || c == '-' || c == '.')
}

// cutValue splits b after the = and the quoted value at its beginning.
func cutValue(b []byte) (value, rest []byte, ok bool) {
	b = bytes.TrimLeft(b, " \t\r\n")
	if len(b) == 0 || b[0] != '=' {
		return nil, nil, false
	}
	b = bytes.TrimLeft(b[1:], " \t\r\n")
	if len(b) == 0 || b[0] != '"' && b[0] != '\'' {
		return nil, nil, false
	}
	return bytes.Cut(b[1:], b[:1])
}

// checkChars returns an error when b is not UTF-8, or holds what XML 1.0 cannot.
func (x *xmlScanner) checkChars(b []byte) error {
	for i := 0; i < len(b); {
		c := b[i]
		if ' ' <= c && c < utf8.RuneSelf || c == '\n' {
			i++
			continue
		}
		r, size := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && size == 1 {
			return x.errorAt(b, i, "the byte %#02x is not UTF-8", c)
		}
		if !isXMLChar(r) {
			return x.errorAt(b, i, "the character U+%04X may not stand in XML", r)
		}
		i += size
	}
	return nil
}

// where is the place of characters in a document.
type where uint8

const (
	inText where = iota
	inAttr
	inCDATA
)

// appendDecoded appends raw with its references resolved and its line ends as
// XML 1.0 has them; in an attribute (section 3.3.3) white space becomes blanks, and CDATA
// (section 2.7) has no references.
func (x *xmlScanner) appendDecoded(b, raw []byte, in where) ([]byte, error) {
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if c == '\r' {
			if i+1 < len(raw) && raw[i+1] == '\n' {
				continue
			}
			c = '\n'
		}
		switch {
		case c == '&' && in != inCDATA:
			ref, _, ok := bytes.Cut(raw[i+1:min(len(raw), i+40)], []byte(";"))
			r := decodeReference(ref)
			if at := raw; !ok || r < 0 {
				if in == inAttr {
					at, i = nil, 0 // the token is the whole tag
				}
				return b, x.errorAt(at, i, "& begins no reference; write &amp;")
			}
			b = utf8.AppendRune(b, r)
			i += len(ref) + 1
		case in == inAttr && (c == '\t' || c == '\n'):
			b = append(b, ' ')
		default:
			b = append(b, c)
		}
	}
	return b, nil
}

// entities are those that XML itself declares.
var entities = map[string]rune{"amp": '&', "lt": '<', "gt": '>', "quot": '"', "apos": '\''}

// decodeReference returns the character that &ref; stands for, or -1.
func decodeReference(ref []byte) rune {
	if r, ok := entities[string(ref)]; ok {
		return r
	}
	digits, ok := bytes.CutPrefix(ref, []byte("#"))
	base := 10
	if hex, isHex := bytes.CutPrefix(digits, []byte("x")); isHex {
		digits, base = hex, 16
	}
	n, err := strconv.ParseUint(string(digits), base, 32)
	if !ok || err != nil || n > utf8.MaxRune || !isXMLChar(rune(n)) {
		return -1
	}
	return rune(n)
}

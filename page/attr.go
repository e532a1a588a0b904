package page

import "bytes"

// An attr identifies an HTML attribute that this package evaluates, such as href.
type attr uint8

const (
	attrNone attr = iota
	attrAction
	attrAlt
	attrAriaHidden
	attrCharset
	attrClass
	attrContent
	attrData
	attrHeight
	attrHidden
	attrHref
	attrHreflang
	attrHTTPEquiv
	attrID
	attrLang
	attrMethod
	attrName
	attrPoster
	attrProperty
	attrRel
	attrRole
	attrSrc
	attrSrcset
	attrTitle
	attrType
	attrWidth
	numAttrs
)

// attributes maps the lower-case name of an HTML attribute to its attr.
var attributes = map[string]attr{
	"action": attrAction, "alt": attrAlt, "aria-hidden": attrAriaHidden, "charset": attrCharset, "class": attrClass,
	"content": attrContent, "data": attrData, "height": attrHeight, "hidden": attrHidden, "href": attrHref,
	"hreflang": attrHreflang, "http-equiv": attrHTTPEquiv, "id": attrID, "lang": attrLang, "method": attrMethod,
	"name": attrName, "poster": attrPoster, "property": attrProperty, "rel": attrRel, "role": attrRole, "src": attrSrc,
	"srcset": attrSrcset, "title": attrTitle, "type": attrType, "width": attrWidth,
}

// attrOf returns the attr for the name of an attribute, or attrNone if this package does not
// evaluate the attribute. hasUpper is true if name contains upper-case letters.
func attrOf(name []byte, hasUpper bool) attr {
	if !hasUpper {
		return attributes[string(name)]
	}
	return attributes[string(appendLower(nil, name))]
}

// appendLower appends s to dst with ASCII letters in lower case.
func appendLower(dst, s []byte) []byte {
	for _, c := range s {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		dst = append(dst, c)
	}
	return dst
}

// equalFold reports whether b equals s, ignoring the case of ASCII letters in b. s must be in lower
// case.
func equalFold(b []byte, s string) bool {
	if len(b) != len(s) {
		return false
	}
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != s[i] {
			return false
		}
	}
	return true
}

// hasPrefixFold reports whether b begins with s, ignoring the case of ASCII letters in b. s must be
// in lower case.
func hasPrefixFold(b []byte, s string) bool { return len(b) >= len(s) && equalFold(b[:len(s)], s) }

// Classes of bytes in HTML.
const (
	space       = 1 << iota // white space as defined by the HTML standard
	tagEnd                  // ends the name of a tag: white space, / and >
	nameEnd                 // ends the name of an attribute: white space, /, > and =
	unquotedEnd             // ends an unquoted attribute value: white space and >
	letter
	upper // a letter in upper case
	digit
	oddSpace // 0xC2, the first byte of a no-break space in UTF-8
)

var classes = func() (t [256]uint8) {
	for _, c := range " \t\n\f\r" {
		t[c] = space | tagEnd | nameEnd | unquotedEnd
	}
	t['/'] = tagEnd | nameEnd
	t['>'] = tagEnd | nameEnd | unquotedEnd
	t['='] = nameEnd
	t[0xc2] = oddSpace
	for c := '0'; c <= '9'; c++ {
		t[c] = digit
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-0x20] = letter, letter|upper
	}
	return t
}()

// hasClass reports whether the byte c belongs to class, one of the constants such as space.
func hasClass(c byte, class uint8) bool { return classes[c]&class != 0 }

// A span is the range [lo, hi) of offsets in a buffer.
type span struct{ lo, hi int }

var _ [32 - numAttrs]struct{} // tag.has has one bit for each attribute

// A tag contains the name and the attributes of the tag that was read last. They are ranges of the
// buffer. If an attribute occurs twice, its first value counts. Attributes without an attr are not
// included.
type tag struct {
	start  int // offset of <
	name   span
	has    uint32         // bit 1<<a is set if the tag has the attribute a
	val    [numAttrs]span // values, by attr
	closed bool           // the tag ends in />, as <br/> does
}

// parse sets t to the tag whose name begins at b[i], and returns the offset after the tag. It
// returns -1 if b ends inside the tag. parse is a single loop because reading heads spends half of
// its time here.
func (t *tag) parse(b []byte, i int) (end int) {
	t.has, t.name.lo = 0, i
	for i < len(b) && classes[b[i]]&tagEnd == 0 {
		i++
	}
	t.name.hi = i
	slash := -1
	for uint(i) < uint(len(b)) {
		c := b[i]
		k := classes[c]
		if k&tagEnd != 0 {
			if c == '>' {
				t.closed = slash == i-1
				return i + 1
			}
			if c == '/' {
				slash = i
			}
			i++
			continue
		}
		lo, seen := i, k // a leading = is part of the name
		for i++; uint(i) < uint(len(b)); i++ {
			k = classes[b[i]]
			if k&nameEnd != 0 {
				break
			}
			seen |= k
		}
		name := b[lo:i]
		var v span
		if v, i = readValue(b, i); i < 0 {
			return -1
		}
		a := attrOf(name, seen&upper != 0)
		if t.has&(1<<a) == 0 {
			t.has |= 1 << a
			t.val[a] = v
		}
	}
	return -1
}

// readValue reads the value of the attribute whose name ends before b[i]. It returns the range of
// the value, and the offset at which to continue. Without a value, the range is empty. If b ends
// inside the value, the offset is -1.
func readValue(b []byte, i int) (value span, end int) {
	for i < len(b) && classes[b[i]]&space != 0 {
		i++
	}
	if i == len(b) {
		return span{}, -1
	}
	if b[i] != '=' {
		return span{i, i}, i
	}
	for i++; i < len(b) && classes[b[i]]&space != 0; i++ {
	}
	if i == len(b) {
		return span{}, -1
	}
	if q := b[i]; q == '"' || q == '\'' {
		end := bytes.IndexByte(b[i+1:], q)
		if end < 0 {
			return span{}, -1
		}
		return span{i + 1, i + 1 + end}, i + 2 + end
	}
	lo := i
	for i < len(b) && classes[b[i]]&unquotedEnd == 0 {
		i++
	}
	return span{lo, i}, i
}

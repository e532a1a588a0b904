package page

import "bytes"

// An attr is an attribute that a Reader knows.
type attr uint8

const (
	attrNone attr = iota
	attrAlt
	attrAriaHidden
	attrCharset
	attrClass
	attrContent
	attrHeight
	attrHidden
	attrHref
	attrHreflang
	attrHTTPEquiv
	attrID
	attrLang
	attrName
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

// attrOf returns the attribute named so, in any case.
func attrOf(name []byte) attr {
	switch len(name) {
	case 2:
		return pick(name, "id", attrID)
	case 3:
		return pick(name, "rel", attrRel) | pick(name, "src", attrSrc) | pick(name, "alt", attrAlt)
	case 4:
		return pick(name, "name", attrName) | pick(name, "href", attrHref) | pick(name, "type", attrType) |
			pick(name, "lang", attrLang) | pick(name, "role", attrRole)
	case 5:
		return pick(name, "class", attrClass) | pick(name, "title", attrTitle) | pick(name, "width", attrWidth)
	case 6:
		return pick(name, "srcset", attrSrcset) | pick(name, "height", attrHeight) | pick(name, "hidden", attrHidden)
	case 7:
		return pick(name, "content", attrContent) | pick(name, "charset", attrCharset)
	case 8:
		return pick(name, "property", attrProperty) | pick(name, "hreflang", attrHreflang)
	case 10:
		return pick(name, "http-equiv", attrHTTPEquiv)
	case 11:
		return pick(name, "aria-hidden", attrAriaHidden)
	}
	return attrNone
}

// pick returns a when name is want, which is as long, and attrNone otherwise.
func pick(name []byte, want string, a attr) attr {
	if name[0]|0x20 == want[0] && fold(name, want) {
		return a
	}
	return attrNone
}

// fold reports whether b is the lower-case ASCII string s in any case.
func fold(b []byte, s string) bool {
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

// The classes of bytes in markup.
const (
	space   = 1 << iota // the white space of the HTML standard
	tagEnd              // ends a tag's name: white space, / and >
	nameEnd             // ends an attribute's name: these and =
	bareEnd             // ends an unquoted value: white space and >
	letter
)

var classes = func() (t [256]uint8) {
	for _, c := range " \t\n\f\r" {
		t[c] = space | tagEnd | nameEnd | bareEnd
	}
	t['/'] = tagEnd | nameEnd
	t['>'] = tagEnd | nameEnd | bareEnd
	t['='] = nameEnd
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-0x20] = letter, letter
	}
	return t
}()

func is(c byte, class uint8) bool { return classes[c]&class != 0 }

// A span is a stretch of a buffer.
type span struct{ lo, hi int }

// A tag is the tag that was read last: which of the known attributes it has,
// and where their values stand in the buffer. Of equal attributes the first
// counts.
type tag struct {
	start  int // of the tag itself
	name   span
	has    uint32
	val    [numAttrs]span
	closed bool // <br/>
}

// readTag reads the tag whose name begins at b[i] and returns the offset
// behind it, or -1 when b ends before the tag does.
func (t *tag) readTag(b []byte, i int) int {
	t.has, t.closed, t.name.lo = 0, false, i
	for i < len(b) && !is(b[i], tagEnd) {
		i++
	}
	t.name.hi = i
	for i < len(b) {
		switch c := b[i]; {
		case c == '>':
			return i + 1
		case is(c, tagEnd):
			t.closed = c == '/'
			i++
		default:
			t.closed = false
			if i = t.readAttr(b, i); i < 0 {
				return -1
			}
		}
	}
	return -1
}

// readAttr reads the attribute that begins at b[i] and returns the offset
// behind it, or -1 when b ends before.
func (t *tag) readAttr(b []byte, i int) int {
	lo := i
	i++ // a leading = is part of the name
	for i < len(b) && !is(b[i], nameEnd) {
		i++
	}
	hi := i
	for i < len(b) && is(b[i], space) {
		i++
	}
	if i == len(b) {
		return -1
	}
	if b[i] != '=' {
		t.set(b[lo:hi], span{hi, hi})
		return i
	}
	v, next := value(b, i+1)
	t.set(b[lo:hi], v)
	return next
}

// value returns the span of the attribute value behind the = before b[i], and
// the offset behind it, or -1 when b ends before.
func value(b []byte, i int) (span, int) {
	for i < len(b) && is(b[i], space) {
		i++
	}
	if i == len(b) {
		return span{}, -1
	}
	if q := b[i]; q == '"' || q == '\'' {
		n := bytes.IndexByte(b[i+1:], q)
		if n < 0 {
			return span{}, -1
		}
		return span{i + 1, i + 1 + n}, i + n + 2
	}
	lo := i
	for i < len(b) && !is(b[i], bareEnd) {
		i++
	}
	return span{lo, i}, i
}

func (t *tag) set(name []byte, v span) {
	if a := attrOf(name); a != attrNone && t.has&(1<<a) == 0 {
		t.has |= 1 << a
		t.val[a] = v
	}
}

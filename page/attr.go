package page

import "bytes"

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
	digit
)

var classes = func() (t [256]uint8) {
	for _, c := range whiteSpace {
		t[c] = space | tagEnd | nameEnd | unquotedEnd
	}
	t['/'] = tagEnd | nameEnd
	t['>'] = tagEnd | nameEnd | unquotedEnd
	t['='] = nameEnd
	for c := '0'; c <= '9'; c++ {
		t[c] = digit
	}
	for c := 'a'; c <= 'z'; c++ {
		t[c], t[c-0x20] = letter, letter
	}
	return t
}()

// hasClass reports whether c belongs to one of the given classes. class is one constant, such as
// space, or several, such as letter|digit.
func hasClass(c byte, class uint8) bool { return classes[c]&class != 0 }

// A span is the range [lo, hi) of offsets in a buffer.
type span struct{ lo, hi int }

// An attribute contains the ranges of the name and of the value of an attribute.
type attribute struct{ name, value span }

// maxAttributes is the maximum number of attributes of a tag. Further attributes are ignored.
const maxAttributes = 1 << 10

// A tag contains the name and the attributes of the tag that was read last, as ranges of the
// buffer.
type tag struct {
	start  int // offset of <
	name   span
	attrs  []attribute
	closed bool // the tag ends in />, as <br/> does; false for <a href=x/>, where / is part of the value
}

// parse sets t to the tag whose name begins at b[i], except t.start, and returns the offset after
// the tag. It returns -1 if b ends inside the tag. parse is written for speed, because reading
// heads spends half of its time here.
func (t *tag) parse(b []byte, i int) (end int) {
	t.attrs, t.name.lo = t.attrs[:0], i
	for i < len(b) && classes[b[i]]&tagEnd == 0 {
		i++
	}
	t.name.hi = i
	slash := -1
	for uint(i) < uint(len(b)) {
		if c := b[i]; classes[c]&tagEnd != 0 {
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
		a := attribute{name: span{lo: i}}
		for i++; i < len(b) && classes[b[i]]&nameEnd == 0; i++ { // a leading = is part of the name
		}
		a.name.hi = i
		if a.value, i = readAttrValue(b, i); i < 0 {
			return -1
		}
		if len(t.attrs) < maxAttributes {
			t.attrs = append(t.attrs, a)
		}
	}
	return -1
}

// readAttrValue reads the value of the attribute whose name ends before b[i]. It returns the range
// of the value, and the offset at which to continue. The range is empty if the attribute has no
// value. The offset is -1 if b ends before the value begins, or inside a quoted value. An unquoted
// value may end with b.
func readAttrValue(b []byte, i int) (value span, end int) {
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

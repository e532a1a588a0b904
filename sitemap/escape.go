package sitemap

import (
	"math/bits"
	"strings"
	"unicode/utf8"
)

// special marks the bytes that may not be copied as they are.
var special = func() (t [256]bool) {
	for c := range t {
		t[c] = c < ' ' || c >= utf8.RuneSelf
	}
	for _, c := range []byte(`&'"<>`) {
		t[c] = true
	}
	return t
}()

// clean returns how many bytes at the beginning of s may be copied as they are,
// or a few less: up to a number sign, which is as good as special.
func clean(s string) int {
	n := 0
	for ; n+8 <= len(s); n += 8 {
		if hit := dirty(word(s[n:])); hit != 0 {
			return n + bits.TrailingZeros64(hit)/8
		}
	}
	if len(s) >= 8 && dirty(word(s[len(s)-8:])) == 0 {
		return len(s)
	}
	for ; n < len(s) && !special[s[n]]; n++ {
	}
	return n
}

// dirty returns a number of which the lowest set bit is in the first special
// byte or number sign among the eight of v, the lowest first, or 0 when there is
// none. Each term has the highest bit of a byte set where its condition holds,
// and perhaps of bytes above. The ampersand, the apostrophe, the quotation mark
// and the number sign are one but for two bits, and the angle brackets for one.
func dirty(v uint64) uint64 {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	control := v - ' '*ones
	quoted := (v | 5*ones) ^ '\''*ones - ones
	angled := (v | 2*ones) ^ '>'*ones - ones
	return (v | control | quoted | angled) & high
}

// word returns the first eight bytes of s, the lowest first. Compilers read them
// at once.
func word(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// appendEscaped appends s as XML character data, which is also right between
// double quotes. It uses the five entities that the protocol names. White space
// other than the blank is written as a reference, so that no parser normalises
// it, and what XML 1.0 cannot hold becomes U+FFFD.
func appendEscaped(b []byte, s string) []byte {
	start := 0
	for i := clean(s); i < len(s); i += clean(s[i:]) {
		ref, size := reference(s[i:])
		if ref != "" {
			b = append(b, s[start:i]...)
			b = append(b, ref...)
			start = i + size
		}
		i += size
	}
	return append(b, s[start:]...)
}

// reference returns what stands for the first character of s, or "" when it
// may stand for itself, and its size.
func reference(s string) (ref string, size int) {
	switch c := s[0]; {
	case c == '&':
		return "&amp;", 1
	case c == '<':
		return "&lt;", 1
	case c == '>':
		return "&gt;", 1
	case c == '"':
		return "&quot;", 1
	case c == '\'':
		return "&apos;", 1
	case c == '\t':
		return "&#x9;", 1
	case c == '\n':
		return "&#xA;", 1
	case c == '\r':
		return "&#xD;", 1
	}
	r, size := utf8.DecodeRuneInString(s)
	if !isXMLChar(r) || r == utf8.RuneError && size == 1 {
		return "\uFFFD", size
	}
	return "", size
}

// isXMLChar reports whether XML 1.0 can hold r (section 2.2, Char).
func isXMLChar(r rune) bool {
	switch {
	case r < ' ':
		return r == '\t' || r == '\n' || r == '\r'
	case r < 0xE000:
		return r < 0xD800
	}
	return r != 0xFFFE && r != 0xFFFF && r <= utf8.MaxRune
}

// markupEscaper makes HTML of plain text.
var markupEscaper = strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;")

package sitemap

import (
	"strings"
	"unicode/utf8"
)

// special marks the bytes that appendEscaped may not copy as they are.
var special = func() (t [256]bool) {
	for c := range t {
		t[c] = c < ' ' || c >= utf8.RuneSelf
	}
	for _, c := range []byte(`&'"<>`) {
		t[c] = true
	}
	return t
}()

// appendEscaped appends s as XML character data, which is also right between
// double quotes. It uses the five entities that the protocol names. White space
// other than the blank is written as a reference, so that no parser normalises
// it, and what XML 1.0 cannot hold becomes U+FFFD.
func appendEscaped(b []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if !special[c] {
			i++
			continue
		}
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

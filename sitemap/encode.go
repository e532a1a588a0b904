package sitemap

import (
	"strings"
	"unicode/utf8"
)

// appendProlog appends all that stands before the document element.
func appendProlog(b []byte, h *Head) []byte {
	b = append(b, `<?xml version="1.0" encoding="UTF-8"?>`+"\n"...)
	for _, c := range h.Comments {
		b = append(b, "<!-- "...)
		b = append(b, c...)
		b = append(b, " -->\n"...)
	}
	if h.Stylesheet == "" {
		return b
	}
	// No escape keeps "?>" from ending the instruction.
	b = append(b, `<?xml-stylesheet type="text/css" href="`...)
	b = appendEscaped(b, strings.ReplaceAll(h.Stylesheet, "?>", "?%3E"))
	return append(b, "\"?>\n"...)
}

// appendElement appends <name>text</name>, or nothing when there is no text.
func appendElement(b []byte, name, text string) []byte {
	if text == "" {
		return b
	}
	b = appendTag(b, name)
	b = appendEscaped(b, text)
	return appendEndTag(b, name)
}

// appendDate appends <name>date</name>, or nothing for the zero Date.
func appendDate(b []byte, name string, d Date, write func(Date, []byte) []byte) []byte {
	if d.IsZero() {
		return b
	}
	b = appendTag(b, name)
	b = write(d, b)
	return appendEndTag(b, name)
}

func appendTag(b []byte, name string) []byte {
	b = append(b, '<')
	b = append(b, name...)
	return append(b, '>')
}

func appendEndTag(b []byte, name string) []byte {
	b = append(b, "</"...)
	b = append(b, name...)
	return append(b, '>')
}

// appendAttr appends a blank and name="value", or nothing when there is no value.
func appendAttr(b []byte, name, value string) []byte {
	if value == "" {
		return b
	}
	b = append(b, ' ')
	b = append(b, name...)
	b = append(b, `="`...)
	b = appendEscaped(b, value)
	return append(b, '"')
}

// appendEscaped appends s as XML character data, which is also right between
// double quotes. It uses the five entities that the protocol names. White space
// other than the blank is written as a reference, so that no parser normalises
// it, and what XML 1.0 cannot hold becomes U+FFFD.
func appendEscaped(b []byte, s string) []byte {
	start := 0
	for i := 0; i < len(s); {
		if !special[s[i]] {
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

// special marks the bytes that may not be copied as they are.
var special = func() (t [256]bool) {
	for c := range t {
		t[c] = c < ' ' || c >= utf8.RuneSelf || strings.IndexByte(`&'"<>`, byte(c)) >= 0
	}
	return t
}()

// references are what stands for a character.
var references = map[byte]string{'&': "&amp;", '<': "&lt;", '>': "&gt;", '"': "&quot;", '\'': "&apos;", '\t': "&#x9;", '\n': "&#xA;", '\r': "&#xD;"}

// reference returns what stands for the first character of s, or "" when it
// may stand for itself, and its size.
func reference(s string) (ref string, size int) {
	if ref := references[s[0]]; ref != "" {
		return ref, 1
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

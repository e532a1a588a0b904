package page

import (
	"html"
	"strings"
	"unicode/utf8"
)

// longestEntity is more than the length of any named character reference.
const longestEntity = 40

// appendText appends s, the text of an element or the value of an attribute,
// with its character references, line ends and NUL bytes replaced as the HTML
// standard says.
func appendText(dst, s []byte, attribute bool) []byte {
	for len(s) > 0 {
		i := 0
		for i < len(s) && s[i] != '&' && s[i] != '\r' && s[i] != 0 {
			i++
		}
		if i == len(s) {
			break
		}
		dst = append(dst, s[:i]...)
		n := 1
		switch s[i] {
		case '&':
			dst, n = appendEntity(dst, s[i:], attribute)
		case '\r':
			dst = append(dst, '\n')
			if i+1 < len(s) && s[i+1] == '\n' {
				n = 2
			}
		default:
			dst = append(dst, "\ufffd"...)
		}
		s = s[i+n:]
	}
	return append(dst, s...)
}

// appendEntity appends what the character reference at the beginning of s
// stands for and returns its length. An & that begins none stands for itself.
func appendEntity(dst, s []byte, attribute bool) ([]byte, int) {
	if len(s) > 1 && s[1] == '#' {
		return appendNumeric(dst, s)
	}
	n := 1
	for n < len(s) && n < longestEntity && isAlnum(s[n]) {
		n++
	}
	if n < len(s) && s[n] == ';' {
		n++
	}
	switch string(s[:n]) {
	case "&amp;":
		return append(dst, '&'), n
	case "&lt;":
		return append(dst, '<'), n
	case "&gt;":
		return append(dst, '>'), n
	case "&quot;":
		return append(dst, '"'), n
	case "&nbsp;":
		return append(dst, "\u00a0"...), n
	}
	ref := string(s[:n])
	text := html.UnescapeString(ref)
	if text == ref || attribute && !wholeEntity(ref, text, s[n:]) {
		return append(dst, '&'), 1
	}
	return append(dst, text...), n
}

// appendNumeric is appendEntity for what begins with &#.
func appendNumeric(dst, s []byte) ([]byte, int) {
	n, hex := 2, false
	if n < len(s) && s[n]|0x20 == 'x' {
		n, hex = 3, true
	}
	lo := n
	for n < len(s) && ('0' <= s[n] && s[n] <= '9' || hex && 'a' <= s[n]|0x20 && s[n]|0x20 <= 'f') {
		n++
	}
	switch {
	case n == lo:
		return append(dst, '&'), 1
	case n == lo+2 && !hex && s[lo] >= '3': // &#39;
		dst = append(dst, 10*(s[lo]&15)+s[lo+1]&15)
	default:
		dst = append(dst, html.UnescapeString(string(s[:n])+";")...)
	}
	if n < len(s) && s[n] == ';' {
		n++
	}
	return dst, n
}

// wholeEntity reports whether text stands for all of the named reference, as
// it must in an attribute, where &copy in "?a=1&copy=2" is no reference.
func wholeEntity(ref, text string, after []byte) bool {
	if strings.HasSuffix(ref, ";") {
		return text == ";" || !strings.HasSuffix(text, ";")
	}
	return !isAlnum(text[len(text)-1]) && !(len(after) > 0 && after[0] == '=')
}

func isAlnum(c byte) bool { return is(c, letter|digit) }

// trim returns b without white space around it.
func trim(b []byte) []byte {
	for len(b) > 0 && is(b[0], space) {
		b = b[1:]
	}
	for len(b) > 0 && is(b[len(b)-1], space) {
		b = b[:len(b)-1]
	}
	return b
}

// maxText is the length to which titles and descriptions are cut.
const maxText = 4 << 10

// plain returns b as one line of valid UTF-8 of at most maxText bytes.
// It uses the room of b.
func plain(b []byte) string {
	line := b[:0]
	for w := range words(b) {
		if len(line) > 0 {
			line = append(line, ' ')
		}
		line = append(line, w...)
	}
	return strings.ToValidUTF8(string(cut(line, maxText)), "\ufffd")
}

func isSpaceRune(r rune) bool { return r < 0x80 && is(byte(r), space) }

// cut returns b, or as much of it as fits into n bytes and ends with a whole rune.
func cut(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}

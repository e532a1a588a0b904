package page

import (
	"bytes"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html"
)

// appendText appends s to dst as plain text. s is the text of an element, or the value of an
// attribute if inAttribute is set. Character references are decoded. Line ends become "\n", and NUL
// bytes become U+FFFD.
func appendText(dst, s []byte, inAttribute bool) []byte {
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
			dst, n = appendEntity(dst, s[i:], inAttribute)
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

// appendEntity decodes the character reference at the beginning of s and appends its text to dst.
// It returns dst and the length of the reference in bytes. If the & at the beginning of s does not
// begin a character reference, it appends only the & and returns the length 1.
func appendEntity(dst, s []byte, inAttribute bool) (out []byte, length int) {
	n := referenceNameEnd(s)
	end := n
	if n < len(s) && s[n] == ';' {
		end++
	}
	ref := string(s[:end])
	text := html.UnescapeString(ref)
	if text == ref || inAttribute && s[1] != '#' && !isReferenceInAttribute(ref, text, s[end:]) {
		return append(dst, '&'), 1
	}
	return append(dst, text...), end
}

// referenceNameEnd returns the length of the character reference at the beginning of s, without a
// final semicolon. For "&copy;" it returns 5. A decimal reference such as &#39 ends at the first
// byte that is not a digit. Any other reference ends at the first byte that is neither a letter nor
// a digit.
func referenceNameEnd(s []byte) int {
	n, class := 1, uint8(letter|digit)
	if len(s) > 2 && s[1] == '#' {
		n++
		if hasClass(s[2], digit) {
			class = digit
		}
	}
	for n < len(s) && hasClass(s[n], class) {
		n++
	}
	return n
}

// isReferenceInAttribute reports whether ref, found in an attribute value, is a character
// reference. decoded is the text of this reference, and after is the rest of the value. Without a
// semicolon, a reference must not be followed by an equals sign, a letter or a digit: &copy is not
// a reference in "?a=1&copy=2".
func isReferenceInAttribute(ref, decoded string, after []byte) bool {
	if strings.HasSuffix(ref, ";") {
		return decoded == ";" || !strings.HasSuffix(decoded, ";")
	}
	return !isAlnum(decoded[len(decoded)-1]) && !(len(after) > 0 && after[0] == '=')
}

func isAlnum(c byte) bool { return hasClass(c, letter|digit) }

// trimSpace returns b without leading and trailing white space.
func trimSpace(b []byte) []byte { return bytes.Trim(b, whiteSpace) }

// whiteSpace contains the white space characters of the HTML standard.
const whiteSpace = " \t\n\f\r"

// maxText is the maximum length in bytes of titles, descriptions and other short texts. Longer
// texts are truncated.
const maxText = 4 << 10

// toOneLine returns b, truncated to maxText bytes, as one line of valid UTF-8 with single spaces.
// It overwrites b.
func toOneLine(b []byte) string {
	line := b[:0]
	for w := range words(b) {
		if len(line) > 0 {
			line = append(line, ' ')
		}
		line = append(line, w...)
	}
	return strings.ToValidUTF8(string(truncate(line, maxText)), "\ufffd")
}

func isSpaceRune(r rune) bool { return r < 0x80 && hasClass(byte(r), space) }

// truncate returns the longest prefix of b with at most n bytes that does not end inside a
// character.
func truncate(b []byte, n int) []byte {
	if len(b) <= n {
		return b
	}
	for n > 0 && !utf8.RuneStart(b[n]) {
		n--
	}
	return b[:n]
}

package mapping

import (
	"strconv"
	"strings"
)

// What stands in a URL path as it is: RFC 3986's pchar and the slash, which is
// also what browsers leave alone. Everything else is percent-encoded in upper
// case: controls, space, " # % < > ? [ \ ] ^ ` { | } and all that is not
// ASCII. A query keeps the question mark as well.
//
//	unreserved  A-Z a-z 0-9 - . _ ~
//	sub-delims  ! $ & ' ( ) * + , ; =
//	and         : @ /
const (
	inPath uint8 = 1 << iota
	inQuery
	inScheme // behind its first letter, RFC 3986 section 3.1
	inHost
)

// plain says for each byte where it may stand as it is.
var plain = func() (t [256]uint8) {
	const safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/"
	for i := range len(safe) {
		t[safe[i]] = inPath | inQuery
	}
	t['?'] = inQuery
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-."
	for i := range len(letters) {
		t[letters[i]] |= inScheme | inHost
	}
	t['+'] |= inScheme
	t['_'] |= inHost
	return t
}()

const upperHex = "0123456789ABCDEF"

// appendByte appends c, percent-encoded unless it may stand where it is.
func appendByte(b []byte, c byte, where uint8) []byte {
	if plain[c]&where != 0 {
		return append(b, c)
	}
	return append(b, '%', upperHex[c>>4], upperHex[c&15])
}

// isPlain reports whether every byte of s may stand in a path as it is.
func isPlain[S string | []byte](s S) bool {
	for i := range len(s) {
		if plain[s[i]]&inPath == 0 {
			return false
		}
	}
	return true
}

// hasControl reports whether s holds a control character of ASCII.
func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// escapedByte returns the byte that the percent-encoding at the start of s stands
// for, and false when there is none.
func escapedByte(s string) (c byte, ok bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:3], 16, 8)
	return byte(n), err == nil
}

// respell returns an encoded path or query in the one spelling that Loc has too:
// what may stand as it is does so, a percent sign that encodes nothing is encoded
// itself. A slash that is encoded stays so, and in a query everything: & and %26 are
// not the same there.
func respell(encoded string, where uint8) string {
	b := make([]byte, 0, 256)
	for i := 0; i < len(encoded); i++ {
		c, ok := escapedByte(encoded[i:])
		switch {
		case !ok:
			b = appendByte(b, encoded[i], where)
			continue
		case c == '/' || where == inQuery:
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		default:
			b = appendByte(b, c, where)
		}
		i += 2
	}
	return string(b)
}

// CleanPath returns an encoded path in the one spelling that Loc gives, its
// dot segments left as they are.
func CleanPath(encoded string) string { return respell(encoded, inPath) }

// cleanDots resolves the segments "." and ".." of an absolute path, RFC 3986
// section 5.2.4.
func cleanDots(path string) string {
	var out []string
	last := ""
	for last = range strings.SplitSeq(path[1:], "/") {
		switch last {
		case ".":
		case "..":
			out = out[:max(0, len(out)-1)]
		default:
			out = append(out, last)
		}
	}
	if last == "." || last == ".." {
		out = append(out, "")
	}
	return "/" + strings.Join(out, "/")
}

// Spelling returns a URL path without what hosts differ in: case, a slash at
// the end, .html, and a last segment index. Two paths of one spelling are
// likely, not certain, to be one page.
func Spelling(urlPath string) string {
	s := strings.ToLower(strings.TrimSuffix(urlPath, "/"))
	s = strings.TrimSuffix(strings.TrimSuffix(s, ".html"), ".htm")
	return strings.TrimSuffix(s, "/index")
}

package mapping

import (
	"strconv"
	"strings"
)

// Each constant is the set of bytes that may appear unencoded in one component of a URL. A path
// allows the characters of pchar in RFC 3986 and the slash, like browsers. All other bytes are
// percent-encoded in upper case: controls, space, " # % < > ? [ \ ] ^ ` { | } and non-ASCII bytes.
// A query also allows the question mark.
const (
	allowedInPath      uint8 = 1 << iota
	allowedInComponent       // bytes that encodeURIComponent of JavaScript keeps, and the slash
	allowedInQuery
	allowedInScheme // after the first letter, see RFC 3986 section 3.1
	allowedInHost
)

// allowedBytes maps each byte to the sets, such as allowedInPath, that contain the byte.
var allowedBytes = func() (t [256]uint8) {
	const safe = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$&'()*+,;=:@/"
	for i := range len(safe) {
		t[safe[i]] = allowedInPath | allowedInQuery
	}
	const component = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!'()*/"
	for i := range len(component) {
		t[component[i]] |= allowedInComponent
	}
	t['?'] = allowedInQuery
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-."
	for i := range len(letters) {
		t[letters[i]] |= allowedInScheme | allowedInHost
	}
	t['+'] |= allowedInScheme
	t['_'] |= allowedInHost
	return t
}()

const upperHex = "0123456789ABCDEF"

// appendByte appends c to b. It percent-encodes c unless c is in the set allowed, such as
// allowedInPath.
func appendByte(b []byte, c byte, allowed uint8) []byte {
	if allowedBytes[c]&allowed != 0 {
		return append(b, c)
	}
	return append(b, '%', upperHex[c>>4], upperHex[c&15])
}

// isPlain reports whether every byte of s is in the set allowed, such as allowedInPath.
func isPlain[S string | []byte](s S, allowed uint8) bool {
	for i := range len(s) {
		if allowedBytes[s[i]]&allowed == 0 {
			return false
		}
	}
	return true
}

// hasControl reports whether s contains an ASCII control character.
func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// escapedByte returns the byte that s begins with in percent-encoding: ' ' for "%20b". ok is false
// if s does not begin with a percent-encoding.
func escapedByte(s string) (c byte, ok bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:3], 16, 8)
	return byte(n), err == nil
}

// normalizeEscapes returns a percent-encoded path or query with the encoding of Loc. It decodes
// bytes in the set allowed, and encodes all other bytes and invalid percent signs. It keeps an
// encoded slash. In a query it decodes nothing, because & and %26 differ there.
func normalizeEscapes(encoded string, allowed uint8) string {
	b := make([]byte, 0, 256)
	for i := 0; i < len(encoded); i++ {
		c, ok := escapedByte(encoded[i:])
		switch {
		case !ok:
			b = appendByte(b, encoded[i], allowed)
			continue
		case c == '/' || allowed == allowedInQuery:
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		default:
			b = appendByte(b, c, allowed)
		}
		i += 2
	}
	return string(b)
}

// NormalizePath returns a percent-encoded path with the encoding of Loc: "/a%20b~" for "/a b%7E".
// It keeps the segments "." and "..".
func NormalizePath(encoded string) string { return normalizeEscapes(encoded, allowedInPath) }

// removeDots resolves the segments "." and ".." of a path with a leading slash (RFC 3986, section
// 5.2.4).
func removeDots(path string) string {
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

// Spelling returns a key for comparing URL paths: two paths with the same key probably lead to the
// same page. The key is in lower case, without a trailing slash, .html or .htm, and without a last
// segment "index": "/a" for "/A/index.html".
func Spelling(urlPath string) string {
	s := strings.ToLower(strings.TrimSuffix(urlPath, "/"))
	s = strings.TrimSuffix(strings.TrimSuffix(s, ".html"), ".htm")
	return strings.TrimSuffix(s, "/index")
}

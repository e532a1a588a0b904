package mapping

import (
	"strconv"
	"strings"
)

// Sets of the bytes that are allowed in a component of a URL. In a path or query, all other bytes
// are percent-encoded with upper-case digits. A path allows the slash and the characters of pchar
// in RFC 3986. It does not allow controls, space, " # % < > ? [ \ ] ^ ` { | } and non-ASCII bytes.
// A query also allows the question mark.
const (
	allowedInPath      uint8 = 1 << iota
	allowedInComponent       // bytes that encodeURIComponent of JavaScript keeps, and the slash
	allowedInQuery
	allowedInScheme // after the first letter, see RFC 3986 section 3.1
	allowedInHost
)

// allowedBytes contains, for each byte, the sets that the byte is in, with one bit for each set.
// For example, the byte '?' is only in allowedInQuery.
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

// appendEncoded appends c to b, percent-encoded unless c is in the set allowed, such as
// allowedInPath.
func appendEncoded(b []byte, c byte, allowed uint8) []byte {
	if allowedBytes[c]&allowed != 0 {
		return append(b, c)
	}
	return append(b, '%', upperHex[c>>4], upperHex[c&15])
}

// hasOnlyAllowedBytes reports whether every byte of s is in the set allowed, such as allowedInPath.
func hasOnlyAllowedBytes[S string | []byte](s S, allowed uint8) bool {
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

// decodeEscape returns the byte that the percent-encoding at the beginning of s means: ' ' for
// "%20b". ok is false if s does not begin with a percent-encoding.
func decodeEscape(s string) (c byte, ok bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:3], 16, 8)
	return byte(n), err == nil
}

// normalizeEscapes returns encoded, a path or query that may be percent-encoded, in the encoding of
// Loc. It decodes an encoded byte that is in the set allowed, such as allowedInPath, except a
// slash. It encodes all bytes that are not in allowed. If allowed is allowedInQuery, it decodes
// nothing, because & and %26 have different meanings in a query.
func normalizeEscapes(encoded string, allowed uint8) string {
	b := make([]byte, 0, 256)
	for i := 0; i < len(encoded); i++ {
		c, ok := decodeEscape(encoded[i:])
		switch {
		case !ok:
			b = appendEncoded(b, encoded[i], allowed)
			continue
		case c == '/' || allowed == allowedInQuery:
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		default:
			b = appendEncoded(b, c, allowed)
		}
		i += 2
	}
	return string(b)
}

// NormalizePath returns a path, which may be percent-encoded, in the encoding of Loc: "/a%20b~" for
// "/a b%7E". It does not resolve the segments "." and "..".
func NormalizePath(encoded string) string { return normalizeEscapes(encoded, allowedInPath) }

// removeDotSegments resolves the segments "." and ".." of a path with a leading slash: "/a/../b"
// gives "/b" (RFC 3986, section 5.2.4).
func removeDotSegments(path string) string {
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

// SpellingKey returns a key for comparing URL paths: "/a" for "/a", "/A/", "/a.html" and
// "/A/index.html". Two paths with the same key probably belong to the same page. The key is in
// lower case, without a trailing slash, ".html" or ".htm", and without a last segment "index".
func SpellingKey(urlPath string) string {
	s := strings.ToLower(strings.TrimSuffix(urlPath, "/"))
	s = strings.TrimSuffix(strings.TrimSuffix(s, ".html"), ".htm")
	return strings.TrimSuffix(s, "/index")
}

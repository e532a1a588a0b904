package mapping

import (
	"strconv"
	"strings"
)

// The places in a URL where a byte may appear unencoded. A path allows the characters of pchar in
// RFC 3986 and the slash, as in browsers. Everything else is percent-encoded in upper case:
// controls, space, " # % < > ? [ \ ] ^ ` { | } and non-ASCII bytes. A query also allows the
// question mark.
const (
	allowedInPath      uint8 = 1 << iota
	allowedInComponent       // as encodeURIComponent of JavaScript, and the slash
	allowedInQuery
	allowedInScheme // behind its first letter, RFC 3986 section 3.1
	allowedInHost
)

// allowedBytes maps each byte to the places where the byte may appear unencoded.
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

// appendByte appends c, percent-encoded unless c may appear unencoded at where.
func appendByte(b []byte, c byte, where uint8) []byte {
	if allowedBytes[c]&where != 0 {
		return append(b, c)
	}
	return append(b, '%', upperHex[c>>4], upperHex[c&15])
}

// isPlain reports whether every byte of s may appear unencoded at where.
func isPlain[S string | []byte](s S, where uint8) bool {
	for i := range len(s) {
		if allowedBytes[s[i]]&where == 0 {
			return false
		}
	}
	return true
}

// hasControl reports whether s contains an ASCII control character.
func hasControl(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

// escapedByte returns the byte that the percent-encoding at the start of s encodes. ok is false if
// s does not start with a percent-encoding.
func escapedByte(s string) (c byte, ok bool) {
	if len(s) < 3 || s[0] != '%' {
		return 0, false
	}
	n, err := strconv.ParseUint(s[1:3], 16, 8)
	return byte(n), err == nil
}

// respell normalizes an encoded path or query like Loc. It decodes bytes that need no encoding,
// and encodes a percent sign that is not part of an encoding. It keeps an encoded slash. It
// decodes nothing in a query, where & and %26 differ.
func respell(encoded string, where uint8) string {
	b := make([]byte, 0, 256)
	for i := 0; i < len(encoded); i++ {
		c, ok := escapedByte(encoded[i:])
		switch {
		case !ok:
			b = appendByte(b, encoded[i], where)
			continue
		case c == '/' || where == allowedInQuery:
			b = append(b, '%', upperHex[c>>4], upperHex[c&15])
		default:
			b = appendByte(b, c, where)
		}
		i += 2
	}
	return string(b)
}

// CleanPath normalizes an encoded path like Loc. It keeps dot segments.
func CleanPath(encoded string) string { return respell(encoded, allowedInPath) }

// cleanDots resolves the segments "." and ".." of an absolute path (RFC 3986, section 5.2.4).
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

// Spelling reduces a URL path to the part that hosts spell alike: it lowers the case and drops a
// trailing slash, .html or .htm, and a last segment "index". Two paths with the same Spelling
// probably lead to one page.
func Spelling(urlPath string) string {
	s := strings.ToLower(strings.TrimSuffix(urlPath, "/"))
	s = strings.TrimSuffix(strings.TrimSuffix(s, ".html"), ".htm")
	return strings.TrimSuffix(s, "/index")
}

package sitemap

import (
	"fmt"
	"strings"
)

// CheckLoc returns an error if loc is not valid as the URL of a sitemap entry. A valid loc is an
// absolute http or https URL with a host. It has at most MaxLoc characters, and only characters
// that RFC 3986 permits; two hexadecimal digits follow each percent sign. CheckLoc does not check
// whether the host and the port are valid.
func CheckLoc(loc string) error {
	if len(loc) > MaxLoc {
		return fmt.Errorf("loc %.60q… has %d characters; the protocol allows %d", loc, len(loc), MaxLoc)
	}
	rest, ok := cutScheme(loc)
	if !ok {
		return fmt.Errorf("loc %q does not begin with http:// or https://", loc)
	}
	host, _, _ := strings.Cut(rest, "/")
	if host == "" || host[0] == '?' || host[0] == '#' || host[0] == ':' {
		return fmt.Errorf("loc %q has no host", loc)
	}
	return checkURLChars(loc, len(loc)-len(rest)+len(host))
}

// cutScheme returns loc without the "https://" or "http://" at its beginning. The case of the
// scheme does not matter. ok is false if loc begins with neither.
func cutScheme(loc string) (rest string, ok bool) {
	for _, scheme := range []string{"https://", "http://"} {
		if len(loc) >= len(scheme) && strings.EqualFold(loc[:len(scheme)], scheme) {
			return loc[len(scheme):], true
		}
	}
	return "", false
}

// HostOf returns the text of loc between "://" and the next "/", "?" or "#", such as
// "example.com:8080". The text may include a port and user information. HostOf returns "" if loc
// has no "://".
func HostOf(loc string) string {
	_, rest, _ := strings.Cut(loc, "://")
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		rest = rest[:i]
	}
	return rest
}

// urlChar contains true for each byte that a URL may contain anywhere. It contains false for
// percent signs and brackets, which checkURLChars checks separately.
var urlChar = func() (t [256]bool) {
	for c := byte('!'); c <= '~'; c++ {
		t[c] = strings.IndexByte(`"%<>[\]^{|}`+"`", c) < 0
	}
	return t
}()

// checkURLChars returns an error for the first character of loc that RFC 3986 does not permit, such
// as a space, or a percent sign without two hexadecimal digits. Brackets are permitted only before
// the offset hostEnd, where they enclose an IPv6 address.
func checkURLChars(loc string, hostEnd int) error {
	for i := range len(loc) {
		c := loc[i]
		switch {
		case urlChar[c], (c == '[' || c == ']') && i < hostEnd, c == '%' && startsWithEscape(loc[i:]):
		case c <= ' ' || c == 0x7F:
			return fmt.Errorf("loc %q has a blank or a control character; write it as %%%02X", loc, c)
		case c > 0x7F:
			return fmt.Errorf("loc %q is not percent-encoded", loc)
		case c == '%':
			return fmt.Errorf("loc %q has a %% without two hexadecimal digits; write it as %%25", loc)
		default:
			return fmt.Errorf("loc %q has a %q; write it as %%%02X", loc, c, c)
		}
	}
	return nil
}

// startsWithEscape reports whether s, which begins with a percent sign, continues with two
// hexadecimal digits.
func startsWithEscape(s string) bool {
	return len(s) >= 3 && isHex(s[1]) && isHex(s[2])
}

func isHex(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'f'
}

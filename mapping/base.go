package mapping

import (
	"cmp"
	"fmt"
	"net/netip"
	"net/url"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/sitemap"
)

// A Base is the address that a site's pages lie below. The zero Base is none.
type Base struct {
	s      string // "https://example.com/docs/", encoded
	host   string // "example.com", with a port that is not the scheme's own
	pathAt int    // where the path begins in s
}

// ParseBase reads a base URL. It wants http or https, gives the host in lower
// case and punycode (UTS #46, as browsers do), drops the scheme's default port
// and resolves dot segments; a path is kept as the prefix of every page and
// ends in a slash. A user name, a query and a fragment are errors: a sitemap
// could not list URLs below them.
func ParseBase(s string) (Base, error) {
	s = strings.TrimSpace(s)
	if err := checkBase(s); err != nil {
		return Base{}, err
	}
	a, err := splitRef(s)
	if err == nil {
		err = a.normalize()
	}
	if err != nil {
		return Base{}, fmt.Errorf("base_url %q: %w", s, err)
	}
	if !strings.HasSuffix(a.path, "/") {
		a.path += "/"
	}
	if len(a.String()) > sitemap.MaxLoc {
		return Base{}, fmt.Errorf("base_url %q is too long: a URL in a sitemap has less than 2,048 characters", s[:80]+"…")
	}
	return Base{a.String(), a.host, len(a.scheme) + len("://") + len(a.host)}, nil
}

// checkBase refuses what a base URL may not hold, and says what would be right.
func checkBase(s string) error {
	scheme, rest, ok := strings.Cut(s, "://")
	host, path, _ := strings.Cut(rest, "/")
	switch {
	case s == "":
		return fmt.Errorf("base_url is empty; write the site's address, such as https://example.com/")
	case !ok:
		return fmt.Errorf("base_url %q has no scheme; write https://%s", s, withSlash(afterScheme(s)))
	case !isWeb(scheme):
		return fmt.Errorf("base_url %q is not an http or https address; write https://%s", s, withSlash(rest))
	case host == "":
		return fmt.Errorf("base_url %q has no host; write %s://example.com/", s, scheme)
	case strings.ContainsAny(rest, "?#"):
		return fmt.Errorf("base_url %q has a query or a fragment; write %s://%s", s, scheme, withSlash(rest[:strings.IndexAny(rest, "?#")]))
	}
	if _, err := url.PathUnescape(path); err != nil {
		return fmt.Errorf("base_url %q has a %% that two hexadecimal digits do not follow; write %%25 for the character itself", s)
	}
	if strings.Contains(host, "@") {
		host = host[strings.LastIndex(host, "@")+1:]
		return fmt.Errorf("base_url has a user name or password; write %s://%s", scheme, withSlash(host+"/"+path))
	}
	return nil
}

// afterScheme returns what stands behind a scheme that is not written as one:
// "example.com" of "https:/example.com" and of "//example.com".
func afterScheme(s string) string {
	if name, rest, ok := strings.Cut(s, ":"); ok && isWeb(name) {
		s = rest
	}
	return strings.TrimLeft(s, "/:")
}

func withSlash(s string) string { return strings.TrimRight(s, "/") + "/" }

// String returns the base URL with a slash at its end: "https://example.com/docs/".
func (b Base) String() string { return b.s }

// Host returns the host, with a port that is not the scheme's own.
func (b Base) Host() string { return b.host }

// Origin returns scheme and host of the base: "https://example.com".
func (b Base) Origin() string { return b.s[:b.pathAt] }

// Prefix returns the decoded path that every page's URL begins with: "/" or
// "/docs/". The zero Base has "/".
func (b Base) Prefix() string {
	path, _ := decodePath(cmp.Or(b.s[b.pathAt:], "/"))
	return path
}

// Loc returns the URL of a decoded URL path below the base, percent-encoded
// once: "/a b/" is "https://example.com/a%20b/". Names are bytes: what Unicode
// normalization they have stays. It is an error when the path has a control
// character, is not UTF-8, has a segment "." or "..", or when the URL would
// not be shorter than 2,048 characters, as the protocol demands.
func (b Base) Loc(urlPath string) (string, error) {
	if err := b.check(urlPath); err != nil {
		return "", err
	}
	switch {
	case isPlain(urlPath):
		return short(b.s + urlPath[1:])
	case hasControl(urlPath):
		return "", fmt.Errorf("the path %q has a control character", urlPath)
	case !utf8.ValidString(urlPath):
		return "", fmt.Errorf("the path %q is not valid UTF-8", urlPath)
	}
	out := append(make([]byte, 0, 256), b.s...)
	for i := 1; i < len(urlPath); i++ {
		out = appendByte(out, urlPath[i], inPath)
	}
	return short(string(out))
}

// Place returns the URL path at which a host of the style s serves a file, and
// its URL. They share their memory where nothing is to be encoded. The error is
// that of Loc; the URL path is right even so.
func (b Base) Place(s Style, file string) (urlPath, loc string, err error) {
	return b.PlaceIn("", s, file)
}

// PlaceIn is Place for a file that text ends in. What it returns is a part of the text
// where that is the base and the file, as it is for most styles.
func (b Base) PlaceIn(text string, s Style, file string) (urlPath, loc string, err error) {
	base := cmp.Or(b.s, "/")
	name, slash := s.cut(file)
	if slash == "" && len(text) == len(base)+len(file) && strings.HasPrefix(text, base) {
		loc = text[:len(base)+len(name)]
	} else {
		loc = base + name + slash
	}
	urlPath = loc[len(base)-1:]
	if isPlain(urlPath) && b.check(urlPath) == nil {
		loc, err = short(loc)
	} else {
		loc, err = b.Loc(urlPath)
	}
	return urlPath, loc, err
}

// check refuses what no URL path below the base may be.
func (b Base) check(urlPath string) error {
	switch {
	case b.s == "":
		return fmt.Errorf("there is no base URL")
	case urlPath == "" || urlPath[0] != '/':
		return fmt.Errorf("the path %q does not begin with a slash", urlPath)
	case strings.Contains(urlPath, "/.") && dots.MatchString(urlPath):
		return fmt.Errorf("the path %q has a segment . or .., which readers of the URL resolve", urlPath)
	}
	return nil
}

// dots is a segment "." or "..".
var dots = regexp.MustCompile(`/\.\.?(?:/|$)`)

// short refuses a URL that is too long for a sitemap.
func short(loc string) (string, error) {
	if len(loc) > sitemap.MaxLoc {
		return "", fmt.Errorf("the URL has %d characters; a sitemap takes less than 2,048", len(loc))
	}
	return loc, nil
}

// Path is the inverse of Loc: the decoded URL path below the base. It is false
// for a URL that is not below the base, and for one that no file's path stands
// for: with a query or a fragment, an encoded slash or control character, a
// broken encoding, or bytes that are not UTF-8.
func (b Base) Path(loc string) (urlPath string, ok bool) {
	if b.s == "" || !strings.HasPrefix(loc, b.s) {
		return "", false
	}
	path := loc[len(b.s)-1:]
	if isPlain(path) {
		return path, true
	}
	return decodePath(path)
}

// decodePath decodes a percent-encoded path; see Base.Path.
func decodePath(path string) (string, bool) {
	decoded, err := url.PathUnescape(path)
	if err != nil || strings.ContainsAny(path, "?#") || strings.Count(decoded, "/") != strings.Count(path, "/") ||
		hasControl(decoded) || !utf8.ValidString(decoded) {
		return "", false
	}
	return decoded, true
}

// SameHost reports whether a URL as Loc and Resolve give them is on the base's
// host, whether by http or https.
func (b Base) SameHost(loc string) bool {
	return b.host != "" && (strings.HasPrefix(loc, b.s) || sitemap.HostOf(loc) == b.host)
}

// OwnScheme returns a URL of the base's host with the base's scheme, any other
// unchanged.
func (b Base) OwnScheme(loc string) string {
	if b.host == "" || strings.HasPrefix(loc, b.s[:b.pathAt]) || !b.SameHost(loc) {
		return loc
	}
	return b.s[:strings.Index(b.s, "://")] + loc[strings.Index(loc, "://"):]
}

// PathOf returns what follows the host of an absolute URL: "/a/?b".
func PathOf(loc string) string {
	_, rest, _ := strings.Cut(loc, "://")
	return rest[len(sitemap.HostOf(loc)):]
}

// LocalHost reports whether a URL as Loc and Resolve give them names the
// machine it is read on: localhost and its like, RFC 6761, and loopback and
// unspecified addresses. A development server has such an address.
func LocalHost(loc string) bool {
	host := sitemap.HostOf(loc)
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host = host[:i]
	}
	if n := len(host); n > 0 && (host[n-1] == ']' || '0' <= host[n-1] && host[n-1] <= '9') { // else it is a name
		if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
			return addr.IsLoopback() || addr.IsUnspecified()
		}
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// Move returns the URL that an absolute http or https URL of another site has
// below the base: with the base's scheme and host, and with the base's path
// before its own unless it begins with that already. What is below the base,
// or is no such URL, stays.
func (b Base) Move(loc string) string {
	scheme, rest, ok := strings.Cut(loc, "://")
	if b.s == "" || strings.HasPrefix(loc, b.s) || !ok || !isWeb(scheme) {
		return loc
	}
	path := "/"
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		path = "/" + strings.TrimPrefix(rest[i:], "/")
	}
	prefix := b.s[b.pathAt:]
	return b.s + strings.TrimPrefix(strings.TrimPrefix(path, prefix), "/")
}

func isWeb(scheme string) bool {
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

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

// A Base is the base URL of a site, such as "https://example.com/docs/". All URLs of the site begin
// with the base URL. The zero Base has no URL.
type Base struct {
	s      string // percent-encoded URL: "https://example.com/docs/"
	host   string // host, with the port unless it is the default of the scheme: "example.com:8080"
	pathAt int    // offset of the path in s

	encodesPunctuation bool // see EncodePunctuation
}

// EncodePunctuation returns a copy of b for hosts that also percent-encode $ & + , : ; = and @ in
// URLs. Such hosts, for example Cloudflare Workers, redirect paths with these characters to the
// encoded form.
func (b Base) EncodePunctuation() Base {
	if b.s != "" {
		b.encodesPunctuation = true
		b.s = b.s[:b.pathAt] + normalizeEscapes(b.s[b.pathAt:], allowedInComponent)
	}
	return b
}

// allowedSet returns the set of bytes that are not percent-encoded in URLs of b: allowedInPath or
// allowedInComponent.
func (b Base) allowedSet() uint8 {
	if b.encodesPunctuation {
		return allowedInComponent
	}
	return allowedInPath
}

// ParseBase parses an http or https base URL. It converts the host to lower case and punycode as
// browsers do (UTS #46). It removes the default port of the scheme, resolves the segments "." and
// "..", and adds a trailing slash. A user name, a query, a fragment or the name of a file, such as
// index.html, is an error, because URLs in a sitemap cannot begin with such a URL.
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
	return Base{s: a.String(), host: a.host, pathAt: len(a.scheme) + len("://") + len(a.host)}, nil
}

// checkBase returns an error with a correction if s has a common mistake, such as a missing scheme
// or a query. It does not check the characters of the host.
func checkBase(s string) error {
	scheme, rest, ok := strings.Cut(s, "://")
	host, path, _ := strings.Cut(rest, "/")
	switch {
	case s == "":
		return fmt.Errorf("base_url is empty; write the site's address, such as https://example.com/")
	case s[0] == '/' && !strings.HasPrefix(s, "//"):
		return fmt.Errorf("base_url %q is only a path; write https://example.com%s", s, withTrailingSlash(s))
	case !ok:
		return fmt.Errorf("base_url %q has no scheme; write https://%s", s, withTrailingSlash(trimScheme(s)))
	case !isHTTPScheme(scheme):
		return fmt.Errorf("base_url %q is not an http or https address; write https://%s", s, withTrailingSlash(rest))
	case host == "":
		return fmt.Errorf("base_url %q has no host; write %s://example.com/", s, scheme)
	case strings.ContainsAny(rest, "?#"):
		return fmt.Errorf("base_url %q has a query or a fragment; write %s://%s", s, scheme, withTrailingSlash(rest[:strings.IndexAny(rest, "?#")]))
	}
	if _, err := url.PathUnescape(path); err != nil {
		return fmt.Errorf("base_url %q has a %% without two hexadecimal digits after it; write %%25 for the character itself", s)
	}
	if strings.Contains(host, "@") {
		host = host[strings.LastIndex(host, "@")+1:]
		return fmt.Errorf("base_url has a user name or password; write %s://%s", scheme, withTrailingSlash(host+"/"+path))
	}
	if fileEnding.MatchString(path) {
		return fmt.Errorf("base_url %q names a file; write %s", s, s[:strings.LastIndexByte(s, '/')+1])
	}
	return nil
}

// fileEnding matches the end of a path that names a file, not a folder.
var fileEnding = regexp.MustCompile(`(?i)\.(html?|xml|txt|php)$`)

// trimScheme returns s without an incomplete scheme: "example.com" for "https:/example.com" and for
// "//example.com".
func trimScheme(s string) string {
	if name, rest, ok := strings.Cut(s, ":"); ok && isHTTPScheme(name) {
		s = rest
	}
	return strings.TrimLeft(s, "/:")
}

// withTrailingSlash returns s with exactly one trailing slash.
func withTrailingSlash(s string) string { return strings.TrimRight(s, "/") + "/" }

// String returns the base URL with a trailing slash: "https://example.com/docs/". It returns "" for
// the zero Base.
func (b Base) String() string { return b.s }

// Host returns the host of the base URL, such as "example.com" or "localhost:8080". It has no port
// if the port is the default of the scheme.
func (b Base) Host() string { return b.host }

// Origin returns the scheme and the host: "https://example.com". It returns "" for the zero Base.
func (b Base) Origin() string { return b.s[:b.pathAt] }

// Prefix returns the decoded path of the base URL: "/" or "/docs/". It returns "/" for the zero
// Base, and "" if no file can have the path; see Path.
func (b Base) Prefix() string {
	path, _ := decodePath(cmp.Or(b.s[b.pathAt:], "/"))
	return path
}

// Path returns the decoded path of the URL loc relative to the base: "/a b/" for
// "https://example.com/a%20b/". It is the inverse of Loc. ok is false if loc is not below the base.
//
// ok is also false if no file can have the path. This is the case if loc has a query, a fragment,
// an encoded slash or control character, an invalid percent-encoding or invalid UTF-8.
func (b Base) Path(loc string) (urlPath string, ok bool) {
	if b.s == "" || !strings.HasPrefix(loc, b.s) {
		return "", false
	}
	path := loc[len(b.s)-1:]
	if hasOnlyAllowedBytes(path, allowedInPath) {
		return path, true
	}
	return decodePath(path)
}

// decodePath decodes a percent-encoded path. ok is false if no file can have the path; see
// Base.Path.
func decodePath(path string) (decoded string, ok bool) {
	decoded, err := url.PathUnescape(path)
	if err != nil || strings.ContainsAny(path, "?#") || strings.Count(decoded, "/") != strings.Count(path, "/") ||
		hasControl(decoded) || !utf8.ValidString(decoded) {
		return "", false
	}
	return decoded, true
}

// HasSameHost reports whether the URL loc has the host of the base. The schemes may differ. The
// host in loc must be normalized, as in a result of Loc or Resolve.
func (b Base) HasSameHost(loc string) bool {
	return b.host != "" && (strings.HasPrefix(loc, b.s) || sitemap.HostOf(loc) == b.host)
}

// WithOwnScheme returns loc with the scheme of the base if the URL loc has the host of the base:
// "https://example.com/a" for "http://example.com/a". It returns a URL on another host unchanged.
func (b Base) WithOwnScheme(loc string) string {
	if b.host == "" || strings.HasPrefix(loc, b.s[:b.pathAt]) || !b.HasSameHost(loc) {
		return loc
	}
	return b.s[:strings.Index(b.s, "://")] + loc[strings.Index(loc, "://"):]
}

// PathOf returns the part of the absolute URL loc after the host, with the query: "/a/?b" for
// "https://example.com/a/?b".
func PathOf(loc string) string {
	_, rest, _ := strings.Cut(loc, "://")
	return rest[len(sitemap.HostOf(loc)):]
}

// IsLocalHost reports whether the host of the URL loc is the local machine, as on a development
// server: localhost, a name such as a.localhost (RFC 6761), or a loopback or unspecified IP
// address. The host in loc must be in lower case.
func IsLocalHost(loc string) bool {
	host := sitemap.HostOf(loc)
	if i := strings.LastIndexByte(host, ':'); i >= 0 && !strings.HasSuffix(host, "]") {
		host = host[:i]
	}
	if n := len(host); n > 0 && (host[n-1] == ']' || '0' <= host[n-1] && host[n-1] <= '9') { // an IP address
		if addr, err := netip.ParseAddr(strings.Trim(host, "[]")); err == nil {
			return addr.IsLoopback() || addr.IsUnspecified()
		}
	}
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// MoveToBase returns the URL loc of another site with the scheme and host of the base. If the path
// of loc does not begin with the path of the base, MoveToBase prepends the path of the base: with
// the base "https://example.com/docs/", "http://localhost/a" gives "https://example.com/docs/a".
// MoveToBase returns loc unchanged if loc is below the base, or is not an http or https URL, or if
// the base has no URL.
func (b Base) MoveToBase(loc string) string {
	scheme, rest, ok := strings.Cut(loc, "://")
	if b.s == "" || strings.HasPrefix(loc, b.s) || !ok || !isHTTPScheme(scheme) {
		return loc
	}
	path := "/"
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		path = "/" + strings.TrimPrefix(rest[i:], "/")
	}
	prefix := b.s[b.pathAt:]
	if path+"/" == prefix { // the base without its last slash
		return b.s
	}
	return b.s + strings.TrimPrefix(strings.TrimPrefix(path, prefix), "/")
}

// isHTTPScheme reports whether scheme is "http" or "https", in upper or lower case.
func isHTTPScheme(scheme string) bool {
	return strings.EqualFold(scheme, "http") || strings.EqualFold(scheme, "https")
}

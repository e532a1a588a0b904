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

// A Base is the base URL of a site. The zero Base has no URL.
type Base struct {
	s      string // "https://example.com/docs/", encoded
	host   string // "example.com", with a port that is not the scheme's own
	pathAt int    // where the path begins in s

	encodesPunctuation bool
}

// EncodePunctuation returns b for a host that redirects a path with $ & + , : ; = or @ to the path in
// which these characters are percent-encoded. URLs of b have the encoded form.
func (b Base) EncodePunctuation() Base {
	if b.s != "" {
		b.encodesPunctuation = true
		b.s = b.s[:b.pathAt] + respell(b.s[b.pathAt:], allowedInComponent)
	}
	return b
}

// allowed returns the place whose characters the URLs of b do not encode.
func (b Base) allowed() uint8 {
	if b.encodesPunctuation {
		return allowedInComponent
	}
	return allowedInPath
}

// ParseBase parses an http or https base URL. It converts the host to lower case and punycode (UTS
// #46, as browsers do), drops the default port of the scheme and resolves dot segments. The path
// is a prefix of every page's URL and gets a trailing slash. A user name, a query or a fragment is
// an error, because a sitemap cannot list URLs below them.
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

// checkBase returns an error with a correction if s cannot be a base URL.
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

// afterScheme returns the host and path behind a scheme that is incomplete: "example.com" for
// "https:/example.com" and "//example.com".
func afterScheme(s string) string {
	if name, rest, ok := strings.Cut(s, ":"); ok && isWeb(name) {
		s = rest
	}
	return strings.TrimLeft(s, "/:")
}

func withSlash(s string) string { return strings.TrimRight(s, "/") + "/" }

// String returns the base URL with a trailing slash: "https://example.com/docs/".
func (b Base) String() string { return b.s }

// Host returns the host, with the port unless it is the default of the scheme.
func (b Base) Host() string { return b.host }

// Origin returns the scheme and the host: "https://example.com".
func (b Base) Origin() string { return b.s[:b.pathAt] }

// Prefix returns the decoded path of the base URL: "/" or "/docs/". The zero Base has "/".
func (b Base) Prefix() string {
	path, _ := decodePath(cmp.Or(b.s[b.pathAt:], "/"))
	return path
}

// Loc returns the percent-encoded URL of a decoded URL path below the base: "/a b/" is
// "https://example.com/a%20b/". It does not change the Unicode normalization. It returns an error
// if the path has a control character, invalid UTF-8 or a segment "." or "..", and if the URL has
// 2,048 characters or more, the limit of the protocol.
func (b Base) Loc(urlPath string) (string, error) {
	if err := b.check(urlPath); err != nil {
		return "", err
	}
	switch {
	case isPlain(urlPath, b.allowed()):
		return checkLength(b.s + urlPath[1:])
	case hasControl(urlPath):
		return "", fmt.Errorf("the path %q has a control character", urlPath)
	case !utf8.ValidString(urlPath):
		return "", fmt.Errorf("the path %q is not valid UTF-8", urlPath)
	}
	out := append(make([]byte, 0, 256), b.s...)
	for i := 1; i < len(urlPath); i++ {
		out = appendByte(out, urlPath[i], b.allowed())
	}
	return checkLength(string(out))
}

// Place returns the URL path and the URL of a file on a host with the style s. Both strings share
// memory if nothing needs encoding. The error is the error of Loc; urlPath is correct even then.
func (b Base) Place(s Style, file string) (urlPath, loc string, err error) {
	return b.PlaceIn("", s, file)
}

// PlaceIn is Place for a file whose path is at the end of text. The results are parts of text if
// text consists of the base URL and the path.
func (b Base) PlaceIn(text string, s Style, file string) (urlPath, loc string, err error) {
	base := cmp.Or(b.s, "/")
	name, slash := s.cut(file)
	if slash == "" && len(text) == len(base)+len(file) && strings.HasPrefix(text, base) {
		loc = text[:len(base)+len(name)]
	} else {
		loc = base + name + slash
	}
	urlPath = loc[len(base)-1:]
	if isPlain(urlPath, b.allowed()) && b.check(urlPath) == nil {
		loc, err = checkLength(loc)
	} else {
		loc, err = b.Loc(urlPath)
	}
	return urlPath, loc, err
}

// check returns an error if no URL can have the path urlPath.
func (b Base) check(urlPath string) error {
	switch {
	case b.s == "":
		return fmt.Errorf("there is no base URL")
	case urlPath == "" || urlPath[0] != '/':
		return fmt.Errorf("the path %q does not begin with a slash", urlPath)
	case strings.Contains(urlPath, "/.") && dotSegment.MatchString(urlPath):
		return fmt.Errorf("the path %q has a segment . or .., which readers of the URL resolve", urlPath)
	}
	return nil
}

// dotSegment matches a segment "." or "..".
var dotSegment = regexp.MustCompile(`/\.\.?(?:/|$)`)

// checkLength returns loc, or an error if loc is too long for a sitemap.
func checkLength(loc string) (string, error) {
	if len(loc) > sitemap.MaxLoc {
		return "", fmt.Errorf("the URL has %d characters; a sitemap takes less than 2,048", len(loc))
	}
	return loc, nil
}

// Path returns the decoded path of a URL relative to the base. It is the inverse of Loc. ok is
// false for a URL that is not below the base. ok is also false if no file can have the path: it
// has a query, a fragment, an encoded slash or control character, a broken encoding or invalid
// UTF-8.
func (b Base) Path(loc string) (urlPath string, ok bool) {
	if b.s == "" || !strings.HasPrefix(loc, b.s) {
		return "", false
	}
	path := loc[len(b.s)-1:]
	if isPlain(path, allowedInPath) {
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

// SameHost reports whether loc is on the host of the base, with http or https. loc is a result of
// Loc or Resolve.
func (b Base) SameHost(loc string) bool {
	return b.host != "" && (strings.HasPrefix(loc, b.s) || sitemap.HostOf(loc) == b.host)
}

// OwnScheme returns loc with the scheme of the base if loc is on the host of the base. It returns
// any other URL unchanged.
func (b Base) OwnScheme(loc string) string {
	if b.host == "" || strings.HasPrefix(loc, b.s[:b.pathAt]) || !b.SameHost(loc) {
		return loc
	}
	return b.s[:strings.Index(b.s, "://")] + loc[strings.Index(loc, "://"):]
}

// PathOf returns the part of an absolute URL behind the host: "/a/?b".
func PathOf(loc string) string {
	_, rest, _ := strings.Cut(loc, "://")
	return rest[len(sitemap.HostOf(loc)):]
}

// LocalHost reports whether loc names the local machine: localhost and similar names (RFC 6761),
// and loopback and unspecified addresses. Development servers have such addresses. loc is a result
// of Loc or Resolve.
func LocalHost(loc string) bool {
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

// Move moves an absolute http or https URL of another site to the base. The result has the scheme
// and the host of the base. Its path begins with the path of the base, which Move prepends if
// necessary. A URL below the base, or with another scheme, stays unchanged.
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

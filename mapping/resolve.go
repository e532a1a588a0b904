package mapping

import (
	"bytes"
	"fmt"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/sitemap"
	"golang.org/x/net/idna"
)

// Resolve returns the absolute URL that the URL reference ref means on the page at pageLoc.
// baseHref is the href of the page's base element, or "". ref is relative to baseHref, and baseHref
// is relative to pageLoc. If baseHref is "" or not an http or https URL, ref is relative to
// pageLoc.
//
// Resolve parses ref like browsers: by RFC 3986, but it accepts the mistakes that the URL Standard
// accepts. The result is normalized like a result of Loc. Its scheme and host are in lower case and
// punycode. It has no default port, no segments "." and "..", and no fragment. If ref is empty, or
// the result is not an http or https URL of less than 2,048 characters, Resolve returns an error.
func (b Base) Resolve(ref, pageLoc, baseHref string) (loc string, err error) {
	if path, own := strings.CutPrefix(ref, b.Origin()); b.s != "" && b.isNormalized(path) {
		switch {
		case own:
			return checkLength(ref)
		case baseHref == "" && strings.HasPrefix(pageLoc, b.s[:b.pathAt+1]) && !strings.HasPrefix(path, "//"):
			return checkLength(b.Origin() + path)
		}
	}
	if strings.Trim(ref, "\t\n\f\r ") == "" {
		return "", fmt.Errorf("the address is empty")
	}
	from, err := splitRef(pageLoc)
	if err != nil {
		return "", err
	}
	if baseHref != "" {
		if base, err := resolveRef(baseHref, from); err == nil {
			from = base
		}
	}
	to, err := resolveRef(ref, from)
	if err != nil {
		return "", err
	}
	if b.encodesPunctuation && to.host == b.host {
		to.path = normalizeEscapes(to.path, allowedInComponent)
	}
	return checkLength(to.String())
}

// isNormalized reports whether path has a leading slash and needs no change in a URL of b. It
// returns false for each path that contains "/.", because a dot segment may need a change.
func (b Base) isNormalized(path string) bool {
	return strings.HasPrefix(path, "/") && hasOnlyAllowedBytes(path, b.allowedSet()) && !strings.Contains(path, "/.")
}

// A ref is a URL reference split into its components (RFC 3986, section 3).
type ref struct {
	scheme, host, path, query string
	hasHost, hasQuery         bool // the reference has the component, which may be empty
}

// String returns r as an absolute URL. The scheme and the host must be set.
func (r *ref) String() string {
	s := r.scheme + "://" + r.host + r.path
	if r.hasQuery {
		s += "?" + r.query
	}
	return s
}

// tabAndBreakRemover removes tabs and line breaks, as the URL Standard requires.
var tabAndBreakRemover = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// splitRef splits the URL reference s into components, without the fragment. Like the URL Standard,
// it ignores white space around s, ignores tabs and line breaks in s, and treats a backslash as a
// slash. A scheme other than http and https, a control character and invalid UTF-8 are errors. So
// are a scheme without a host, and more than 4*sitemap.MaxLoc bytes.
func splitRef(s string) (r ref, err error) {
	s = strings.Trim(s, "\t\n\f\r ")
	s = tabAndBreakRemover.Replace(s)
	switch {
	case hasControl(s):
		return r, fmt.Errorf("the address %q has a control character", s)
	case !utf8.ValidString(s):
		return r, fmt.Errorf("the address %q is not valid UTF-8", s)
	case len(s) > 4*sitemap.MaxLoc:
		return r, fmt.Errorf("the address has %d characters; a sitemap allows less than 2,048", len(s))
	}
	s, _, _ = strings.Cut(s, "#")
	s, r.query, r.hasQuery = strings.Cut(s, "?")
	if r.scheme, s = cutScheme(s); r.scheme != "" && r.scheme != "http" && r.scheme != "https" {
		return r, fmt.Errorf("the address begins with %s:, not with http or https", r.scheme)
	}
	s = strings.ReplaceAll(s, `\`, "/")
	if rest, ok := strings.CutPrefix(s, "//"); ok {
		r.hasHost = true
		r.host, _, _ = strings.Cut(rest, "/")
		s = rest[len(r.host):]
	}
	r.path = s
	if r.scheme != "" && !r.hasHost {
		return r, fmt.Errorf("the address %q has no host", r.scheme+":"+s)
	}
	return r, nil
}

// cutScheme splits the URL reference s into its scheme and the rest after the colon: "https" and
// "//example.com/" for "https://example.com/". scheme is in lower case. It is "" if s has no scheme
// (RFC 3986, section 3.1).
func cutScheme(s string) (scheme, rest string) {
	i := strings.IndexByte(s, ':')
	if i <= 0 || s[0]|0x20 < 'a' || s[0]|0x20 > 'z' {
		return "", s
	}
	for j := range i {
		if allowedBytes[s[j]]&allowedInScheme == 0 {
			return "", s
		}
	}
	return strings.ToLower(s[:i]), s[i+1:]
}

// resolveRef returns the normalized URL that the reference s means on a page with the absolute URL
// base (RFC 3986, section 5.2.2).
func resolveRef(s string, base ref) (ref, error) {
	r, err := splitRef(s)
	if err != nil {
		return r, err
	}
	switch {
	case r.scheme != "":
	case r.hasHost:
		r.scheme = base.scheme
	default:
		if r.path == "" && !r.hasQuery {
			r.query, r.hasQuery = base.query, base.hasQuery
		}
		r.scheme, r.host, r.path = base.scheme, base.host, mergePath(base, r.path)
	}
	return r, r.normalize()
}

// mergePath resolves path, the path of a URL reference, against the path of the URL base: "a" gives
// "/b/a" if the path of base is "/b/c". It does not resolve segments "." and "..".
func mergePath(base ref, path string) string {
	switch {
	case path == "":
		return base.path
	case path[0] == '/':
		return path
	}
	return base.path[:strings.LastIndexByte("/"+base.path, '/')] + path
}

// normalize normalizes all components of r; see Resolve.
func (r *ref) normalize() (err error) {
	if r.host, err = normalizeHost(r.host, r.scheme); err != nil {
		return err
	}
	if !strings.HasPrefix(r.path, "/") {
		r.path = "/" + r.path
	}
	if !hasOnlyAllowedBytes(r.path, allowedInPath) {
		r.path = NormalizePath(r.path)
	}
	if strings.Contains(r.path, "/.") {
		r.path = removeDotSegments(r.path)
	}
	if r.query != "" {
		r.query = normalizeEscapes(r.query, allowedInQuery)
	}
	return nil
}

// normalizeHost returns the host s, which may have a port, in lower case and punycode. It removes
// the default port of the scheme. A user name, an invalid host name or an invalid port is an error.
func normalizeHost(s, scheme string) (host string, err error) {
	if strings.Contains(s, "@") {
		return "", fmt.Errorf("the address has a user name or password")
	}
	host = s
	port := ""
	open := strings.HasPrefix(s, "[") && !strings.Contains(s, "]")
	if i := strings.LastIndexByte(s, ':'); i > strings.LastIndexByte(s, ']') && !open {
		host, port = s[:i], s[i+1:]
	}
	if port != "" {
		if port, err = normalizePort(port, scheme); err != nil {
			return "", err
		}
	}
	if host, err = normalizeHostName(host); err != nil {
		return "", err
	}
	return host + port, nil
}

// normalizePort returns the port s with a leading colon and without leading zeros, such as ":8080".
// It returns "" for the default port of the scheme, and an error if s is not a number below 65,536.
func normalizePort(s, scheme string) (string, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	switch {
	case err != nil:
		return "", fmt.Errorf("the port %q is not a number below 65,536", s)
	case scheme == "http" && n == 80, scheme == "https" && n == 443:
		return "", nil
	}
	return fmt.Sprintf(":%d", n), nil
}

// hostProfile converts host names to ASCII like browsers: by UTS #46, with non-transitional
// processing.
var hostProfile = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false))

// normalizeHostName returns the host name s, which has no port, in lower case and punycode. Like
// browsers, it accepts a percent-encoded name. It also accepts an IPv6 address in brackets.
func normalizeHostName(s string) (string, error) {
	if strings.HasPrefix(s, "[") {
		addr, err := netip.ParseAddr(strings.Trim(s, "[]"))
		if err != nil || !addr.Is6() || !strings.HasSuffix(s, "]") || addr.Zone() != "" {
			return "", fmt.Errorf("the host %q is not an IPv6 address", s)
		}
		return "[" + addr.String() + "]", nil
	}
	if hasOnlyAllowedBytes(s, allowedInPath) && !strings.Contains(strings.ToLower(s), "xn--") { // the name needs no conversion other than to lower case
		return strings.ToLower(s), checkHostName(s)
	}
	name, err := url.PathUnescape(s)
	if !utf8.ValidString(name) { // idna would replace the invalid bytes
		return "", fmt.Errorf("the host %q is not valid UTF-8", s)
	}
	if err == nil {
		name, err = hostProfile.ToASCII(name)
	}
	if err != nil {
		return "", fmt.Errorf("the host %q cannot be written in ASCII: %w", s, err)
	}
	return name, checkHostName(name)
}

// checkHostName returns an error if name cannot be a host name in DNS (RFC 1035, section 2.3.4), or
// has a character that is not allowed in a host.
func checkHostName(name string) error {
	if name == "" {
		return fmt.Errorf("the address has no host")
	}
	for label := range strings.SplitSeq(strings.TrimSuffix(name, "."), ".") {
		if label == "" || len(label) > 63 || len(name) > 254 {
			return fmt.Errorf("the host %q has an empty label or one of more than 63 characters", name)
		}
	}
	for i := range len(name) {
		if c := name[i]; allowedBytes[c]&allowedInHost == 0 {
			return fmt.Errorf("the host %q has the character %q", name, c)
		}
	}
	return nil
}

// AppendResolved appends to dst the URL that ref means on the page at pageLoc. It is a fast version
// of Resolve for paths, and for URLs with the origin of the base. It returns dst and false for
// other references, such as a path with a query or a fragment, and for a path that must be
// normalized. It also returns dst and false for a path if pageLoc does not have the origin of the
// base. pageLoc must be a result of Resolve without a query.
func (b Base) AppendResolved(dst []byte, ref []byte, pageLoc string) (url []byte, ok bool) {
	if b.s == "" || len(ref) == 0 || !hasOnlyAllowedBytes(ref, b.allowedSet()) {
		return dst, false
	}
	origin := b.s[:b.pathAt]
	switch {
	case len(ref) > len(origin) && string(ref[:len(origin)]) == origin && ref[len(origin)] == '/':
		ref = ref[len(origin):]
	case len(pageLoc) <= len(origin) || pageLoc[:len(origin)] != origin || pageLoc[len(origin)] != '/':
		return dst, false
	case ref[0] != '/':
		return appendRelative(dst, ref, origin, pageLoc)
	case len(ref) > 1 && ref[1] == '/':
		return dst, false
	}
	if bytes.Contains(ref, dotSegmentStart) {
		return dst, false
	}
	return append(append(dst, origin...), ref...), true
}

// dotSegmentStart occurs in every absolute path with a segment "." or "..", but also in a path such
// as "/.well-known".
var dotSegmentStart = []byte("/.")

// appendRelative appends to dst the URL of ref, a path relative to the folder of pageLoc: for
// "../a" on "https://example.com/b/c/", it appends "https://example.com/b/a". It returns dst and
// false for a ref that only Resolve can handle, such as "a:b" or "a/../b".
func appendRelative(dst, ref []byte, origin, pageLoc string) (url []byte, ok bool) {
	if bytes.IndexByte(ref, ':') >= 0 {
		return dst, false
	}
	end := len(pageLoc)
	for pageLoc[end-1] != '/' {
		end--
	}
	for {
		if rest, ok := bytes.CutPrefix(ref, []byte("./")); ok {
			ref = rest
			continue
		}
		rest, ok := bytes.CutPrefix(ref, []byte("../"))
		if !ok {
			break
		}
		if ref = rest; end > len(origin)+1 {
			for end--; pageLoc[end-1] != '/'; end-- {
			}
		}
	}
	if len(ref) > 0 && (ref[0] == '.' || ref[0] == '/') || bytes.Contains(ref, dotSegmentStart) {
		return dst, false
	}
	return append(append(dst, pageLoc[:end]...), ref...), true
}

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

// Resolve returns the absolute URL of a reference on a page, normalized like the result of Loc:
// scheme and host in lower case, punycode, no default port, dot segments resolved, no fragment. It
// reads ref as browsers do (RFC 3986 with the leniency of the URL Standard). ref is relative to
// baseHref, the page's base element, which is relative to pageLoc. If baseHref is empty or not an
// http address, ref is relative to pageLoc. Resolve returns an error if the result is not an http
// or https URL of less than 2,048 characters.
func (b Base) Resolve(ref, pageLoc, baseHref string) (loc string, err error) {
	if path, own := strings.CutPrefix(ref, b.Origin()); b.s != "" && b.isClean(path) {
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
		to.path = respell(to.path, allowedInComponent)
	}
	return checkLength(to.String())
}

// isClean reports whether path is an absolute path that Resolve would not change.
func (b Base) isClean(path string) bool {
	return strings.HasPrefix(path, "/") && isPlain(path, b.allowed()) && !strings.Contains(path, "/.")
}

// A ref is a URL reference split into its parts (RFC 3986, section 3).
type ref struct {
	scheme, host, path, query string
	hasHost, hasQuery         bool // hasQuery: there is a query, maybe an empty one
}

func (r *ref) String() string {
	s := r.scheme + "://" + r.host + r.path
	if r.hasQuery {
		s += "?" + r.query
	}
	return s
}

var breakRemover = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// splitRef splits a reference. As in the URL Standard, it ignores white space around the
// reference, and tabs and line breaks in it, and reads a backslash as a slash.
func splitRef(s string) (r ref, err error) {
	s = strings.Trim(s, "\t\n\f\r ")
	s = breakRemover.Replace(s)
	switch {
	case hasControl(s):
		return r, fmt.Errorf("the address %q has a control character", s)
	case !utf8.ValidString(s):
		return r, fmt.Errorf("the address %q is not valid UTF-8", s)
	case len(s) > 4*sitemap.MaxLoc:
		return r, fmt.Errorf("the address has %d characters; a sitemap takes less than 2,048", len(s))
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

// cutScheme cuts the scheme (RFC 3986, section 3.1) off a reference. scheme is "" if there is
// none.
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

// resolveRef resolves a reference against an absolute one (RFC 3986, section 5.2.2), and
// normalizes the result.
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

// mergePath resolves a relative path against the path of base.
func mergePath(base ref, path string) string {
	switch {
	case path == "":
		return base.path
	case path[0] == '/':
		return path
	}
	return base.path[:strings.LastIndexByte("/"+base.path, '/')] + path
}

// normalize normalizes all parts as Resolve documents.
func (r *ref) normalize() (err error) {
	if r.host, err = cleanHost(r.host, r.scheme); err != nil {
		return err
	}
	if !strings.HasPrefix(r.path, "/") {
		r.path = "/" + r.path
	}
	if !isPlain(r.path, allowedInPath) {
		r.path = CleanPath(r.path)
	}
	if strings.Contains(r.path, "/.") {
		r.path = cleanDots(r.path)
	}
	if r.query != "" {
		r.query = respell(r.query, allowedInQuery)
	}
	return nil
}

// cleanHost returns the host in lower case and punycode, without the default port of the scheme.
func cleanHost(s, scheme string) (host string, err error) {
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
		if port, err = cleanPort(port, scheme); err != nil {
			return "", err
		}
	}
	if host, err = cleanName(host); err != nil {
		return "", err
	}
	return host + port, nil
}

// cleanPort returns ":" and the port, or "" for the default port of the scheme.
func cleanPort(s, scheme string) (string, error) {
	n, err := strconv.ParseUint(s, 10, 16)
	switch {
	case err != nil:
		return "", fmt.Errorf("the port %q is not a number below 65,536", s)
	case scheme == "http" && n == 80, scheme == "https" && n == 443:
		return "", nil
	}
	return fmt.Sprintf(":%d", n), nil
}

// hostProfile maps names as browsers do: UTS #46, not transitional.
var hostProfile = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false))

// cleanName returns a host name in the spelling of DNS. As in browsers, the name may be
// percent-encoded.
func cleanName(s string) (string, error) {
	if strings.HasPrefix(s, "[") {
		addr, err := netip.ParseAddr(strings.Trim(s, "[]"))
		if err != nil || !addr.Is6() || !strings.HasSuffix(s, "]") || addr.Zone() != "" {
			return "", fmt.Errorf("the host %q is no IPv6 address", s)
		}
		return "[" + addr.String() + "]", nil
	}
	if isPlain(s, allowedInPath) && !strings.Contains(strings.ToLower(s), "xn--") { // only the case may change
		return strings.ToLower(s), checkName(s)
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
	return name, checkName(name)
}

// checkName returns an error for a host name that cannot exist in DNS (RFC 1035, section 2.3.4).
func checkName(name string) error {
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

// AppendJoined appends the result of Resolve for a reference that needs only joining of paths,
// which are most links. ok is false for any other reference, such as one with a query or a
// fragment. pageLoc is a result of Resolve without a query.
func (b Base) AppendJoined(dst []byte, ref []byte, pageLoc string) ([]byte, bool) {
	if b.s == "" || len(ref) == 0 || !isPlain(ref, b.allowed()) {
		return dst, false
	}
	origin := b.s[:b.pathAt]
	switch {
	case len(ref) > len(origin) && string(ref[:len(origin)]) == origin && ref[len(origin)] == '/':
		ref = ref[len(origin):]
	case len(pageLoc) <= len(origin) || pageLoc[:len(origin)] != origin || pageLoc[len(origin)] != '/':
		return dst, false
	case ref[0] != '/':
		return appendBelow(dst, ref, origin, pageLoc)
	case len(ref) > 1 && ref[1] == '/':
		return dst, false
	}
	if bytes.Contains(ref, dotSegmentStart) {
		return dst, false
	}
	return append(append(dst, origin...), ref...), true
}

var dotSegmentStart = []byte("/.")

// appendBelow appends the URL of ref, a relative path, resolved against the folder of pageLoc. ok
// is false if ref needs the full resolution.
func appendBelow(dst, ref []byte, origin, pageLoc string) ([]byte, bool) {
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

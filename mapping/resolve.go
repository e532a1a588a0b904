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

// Resolve returns the absolute URL that a reference on a page stands for, in
// the one spelling that Loc gives: scheme and host in lower case, punycode, no
// default port, dot segments resolved, percent-encoding as in Loc, the
// fragment dropped. The reference is read as browsers read it (RFC 3986 with
// the leniency of the URL Standard): against baseHref, the page's base
// element, which is itself relative to pageLoc, or against pageLoc when
// baseHref is empty or no http address. It is an error when the result is no
// http or https URL of less than 2,048 characters.
func (b Base) Resolve(ref, pageLoc, baseHref string) (loc string, err error) {
	if path, own := strings.CutPrefix(ref, b.Origin()); b.s != "" && isClean(path) {
		switch {
		case own:
			return short(ref)
		case baseHref == "" && strings.HasPrefix(pageLoc, b.s[:b.pathAt+1]) && !strings.HasPrefix(path, "//"):
			return short(b.Origin() + path)
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
	return short(to.String())
}

// isClean reports whether a path from the root is already spelled as Resolve would
// spell it.
func isClean(path string) bool {
	return strings.HasPrefix(path, "/") && isPlain(path) && !strings.Contains(path, "/.")
}

// A ref is a URL reference in its parts, RFC 3986 section 3.
type ref struct {
	scheme, host, path, query string
	hasHost, hasMark          bool // hasMark: there is a query, maybe an empty one
}

func (r *ref) String() string {
	s := r.scheme + "://" + r.host + r.path
	if r.hasMark {
		s += "?" + r.query
	}
	return s
}

var withoutBreaks = strings.NewReplacer("\t", "", "\n", "", "\r", "")

// splitRef splits a reference. White space around it, tabs and line breaks in
// it and a backslash for a slash are forgiven, as the URL Standard says.
func splitRef(s string) (r ref, err error) {
	s = strings.Trim(s, "\t\n\f\r ")
	s = withoutBreaks.Replace(s)
	switch {
	case hasControl(s):
		return r, fmt.Errorf("the address %q has a control character", s)
	case !utf8.ValidString(s):
		return r, fmt.Errorf("the address %q is not valid UTF-8", s)
	case len(s) > 4*sitemap.MaxLoc:
		return r, fmt.Errorf("the address has %d characters; a sitemap takes less than 2,048", len(s))
	}
	s, _, _ = strings.Cut(s, "#")
	s, r.query, r.hasMark = strings.Cut(s, "?")
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

// cutScheme cuts a scheme, RFC 3986 section 3.1, off a reference; "" is none.
func cutScheme(s string) (scheme, rest string) {
	i := strings.IndexByte(s, ':')
	if i <= 0 || s[0]|0x20 < 'a' || s[0]|0x20 > 'z' {
		return "", s
	}
	for j := range i {
		if plain[s[j]]&inScheme == 0 {
			return "", s
		}
	}
	return strings.ToLower(s[:i]), s[i+1:]
}

// resolveRef resolves a reference against an absolute one, RFC 3986 section
// 5.2.2, and normalizes it.
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
		if r.path == "" && !r.hasMark {
			r.query, r.hasMark = base.query, base.hasMark
		}
		r.scheme, r.host, r.path = base.scheme, base.host, mergePath(base, r.path)
	}
	return r, r.normalize()
}

// mergePath returns a relative path where it stands below the base's.
func mergePath(base ref, path string) string {
	switch {
	case path == "":
		return base.path
	case path[0] == '/':
		return path
	}
	return base.path[:strings.LastIndexByte("/"+base.path, '/')] + path
}

// normalize gives the parts the one spelling that Resolve promises.
func (r *ref) normalize() (err error) {
	if r.host, err = cleanHost(r.host, r.scheme); err != nil {
		return err
	}
	if !strings.HasPrefix(r.path, "/") {
		r.path = "/" + r.path
	}
	if !isPlain(r.path) {
		r.path = CleanPath(r.path)
	}
	if strings.Contains(r.path, "/.") {
		r.path = cleanDots(r.path)
	}
	if r.query != "" {
		r.query = respell(r.query, inQuery)
	}
	return nil
}

// cleanHost returns a host in lower case and punycode without the scheme's
// default port.
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

// cleanPort returns what stands for a port behind a host.
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

// hosts maps names as browsers do: UTS #46, not transitional.
var hosts = idna.New(idna.MapForLookup(), idna.Transitional(false), idna.StrictDomainName(false))

// cleanName returns a name in the spelling of DNS. Browsers allow percent-encodings in
// it.
func cleanName(s string) (string, error) {
	if strings.HasPrefix(s, "[") {
		addr, err := netip.ParseAddr(strings.Trim(s, "[]"))
		if err != nil || !addr.Is6() || !strings.HasSuffix(s, "]") || addr.Zone() != "" {
			return "", fmt.Errorf("the host %q is no IPv6 address", s)
		}
		return "[" + addr.String() + "]", nil
	}
	if isPlain(s) && !strings.Contains(strings.ToLower(s), "xn--") { // nothing is to be mapped but to lower case
		return strings.ToLower(s), checkName(s)
	}
	name, err := url.PathUnescape(s)
	if !utf8.ValidString(name) { // idna takes it for a name with replacement characters
		return "", fmt.Errorf("the host %q is not valid UTF-8", s)
	}
	if err == nil {
		name, err = hosts.ToASCII(name)
	}
	if err != nil {
		return "", fmt.Errorf("the host %q cannot be written in ASCII: %w", s, err)
	}
	return name, checkName(name)
}

// checkName refuses a host that no name server knows, RFC 1035 section 2.3.4.
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
		if c := name[i]; plain[c]&inHost == 0 {
			return fmt.Errorf("the host %q has the character %q", name, c)
		}
	}
	return nil
}

// AppendJoined appends what Resolve returns for a reference without query and
// fragment, where that needs no more than joining paths, and reports whether it
// does: of most links nothing is to be respelled. pageLoc is as Resolve gives it,
// without a query.
func (b Base) AppendJoined(dst []byte, ref []byte, pageLoc string) ([]byte, bool) {
	if b.s == "" || len(ref) == 0 || !isPlain(ref) {
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
	if bytes.Contains(ref, hidingDot) {
		return dst, false
	}
	return append(append(dst, origin...), ref...), true
}

var hidingDot = []byte("/.")

// appendBelow appends a relative path below the folder of a page.
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
	if len(ref) > 0 && (ref[0] == '.' || ref[0] == '/') || bytes.Contains(ref, hidingDot) {
		return dst, false
	}
	return append(append(dst, pageLoc[:end]...), ref...), true
}

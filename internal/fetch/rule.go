package fetch

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

// CheckRequest returns an error if an answer from the URL from may not lead to a request for the URL
// to. Children of an index, redirects and sitemaps in robots.txt lead to such requests. from is nil for
// a file. The text of the error follows the word "which". The rules are:
//
//   - The scheme is http or https, and never changes from https to http.
//   - The host stays the same. It may also be a subdomain or a parent domain of the host if
//     named, the URLs that the user named, contains it. For a file, it must be in named.
//   - The port stays the same, or changes from the default of http to the default of https.
//
// CheckRequest checks names only. The default client also checks network addresses after it has resolved
// a name; see reach.
func CheckRequest(from, to *url.URL, named []string) error {
	userNamed := slices.ContainsFunc(named, func(name string) bool {
		u, err := url.Parse(name)
		return err == nil && sameSite(u, to) && (from == nil || isBelow(u, from) || isBelow(from, u))
	})
	switch {
	case to.Scheme != "http" && to.Scheme != "https":
		return ruleError("is neither http nor https")
	case from != nil && from.Scheme == "https" && to.Scheme == "http":
		return ruleError("is http, while what leads there is https")
	case userNamed || from != nil && sameSite(from, to):
		return nil
	case from == nil:
		return ruleError("is on a host that --base-url does not name")
	case HostOf(from) == HostOf(to):
		return ruleError("is on another port")
	}
	return ruleError("is on another host")
}

// HostOf returns the host of a URL in lower case, as ASCII, and without a final dot.
func HostOf(u *url.URL) string {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return host
}

// isBelow reports whether the host of u is a subdomain of the host of parent.
func isBelow(u, parent *url.URL) bool { return strings.HasSuffix(HostOf(u), "."+HostOf(parent)) }

// sameSite reports whether two URLs have the same host and port. The default ports of http and
// https count as equal.
func sameSite(a, b *url.URL) bool { return HostOf(a) == HostOf(b) && portOf(a) == portOf(b) }

// portOf returns the port of a URL, or "" for the default port of its scheme.
func portOf(u *url.URL) string {
	if port := u.Port(); port != "80" && u.Scheme == "http" || port != "443" && u.Scheme == "https" {
		return port
	}
	return ""
}

// A ruleError is the reason why CheckRequest forbids a request.
type ruleError string

func (e ruleError) Error() string { return string(e) }

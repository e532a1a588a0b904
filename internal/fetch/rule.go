package fetch

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

// May is the rule for where a request may go. It returns an error, which follows
// "which", unless what was read at from may lead to the address to, whether that is
// the child of an index, a redirect or a sitemap that robots.txt names:
//
//   - never to anything but http and https, and never from https to http;
//   - to the same host, or to a subdomain or a parent of it that is among named, the
//     URLs that the user named; from a file, where from is nil, to these alone;
//   - to the same port, or from the default port of http to that of https.
//
// Where the name of a host leads is seen only when it is dialed; the default client
// then never goes further in than from, see reach.
func May(from, to *url.URL, named []string) error {
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

// HostOf returns the host of a URL in the one spelling in which it is looked up.
func HostOf(u *url.URL) string {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return host
}

// isBelow reports whether a host is a subdomain of another one.
func isBelow(u, parent *url.URL) bool { return strings.HasSuffix(HostOf(u), "."+HostOf(parent)) }

// sameSite reports whether two URLs name one host and one port, the default ports counting
// as one.
func sameSite(a, b *url.URL) bool { return HostOf(a) == HostOf(b) && portOf(a) == portOf(b) }

// portOf returns the port of a URL, "" being the default of its scheme.
func portOf(u *url.URL) string {
	if port := u.Port(); port != "80" && u.Scheme == "http" || port != "443" && u.Scheme == "https" {
		return port
	}
	return ""
}

// A ruleError is the reason why [May] forbids a request.
type ruleError string

func (e ruleError) Error() string { return string(e) }

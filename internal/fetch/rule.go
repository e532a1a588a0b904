package fetch

import (
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/idna"
)

// CheckRequest returns an error if a request for the URL target is not permitted. referrer is the
// URL whose content, redirect or robots.txt names target, or nil if a local file names it. named
// are the URLs that the user configured. The error text continues a sentence after "which", as in
// "is on another host". The rules are:
//
//   - The scheme is http or https, and does not change from https to http.
//   - The host and the port stay the same. Port 80 for http and port 443 for https count as equal.
//   - Another host is permitted if named contains its host and port, and if it is a subdomain or a
//     parent domain of the host of referrer. If referrer is nil, named must contain the host and
//     port.
//
// CheckRequest does not resolve host names. The default client also checks the resolved network
// addresses; see addressScope.
func CheckRequest(referrer, target *url.URL, named []string) error {
	userNamed := slices.ContainsFunc(named, func(name string) bool {
		u, err := url.Parse(name)
		return err == nil && hasSameHostAndPort(u, target) && (referrer == nil || isSubdomain(u, referrer) || isSubdomain(referrer, u))
	})
	switch {
	case target.Scheme != "http" && target.Scheme != "https":
		return ruleError("is neither http nor https")
	case referrer != nil && referrer.Scheme == "https" && target.Scheme == "http":
		return ruleError("is http, and the page that redirects there is https")
	case userNamed || referrer != nil && hasSameHostAndPort(referrer, target):
		return nil
	case referrer == nil:
		return ruleError("is on a host that --base-url does not name")
	case HostOf(referrer) == HostOf(target):
		return ruleError("is on another port")
	}
	return ruleError("is on another host")
}

// HostOf returns the host of u in ASCII and lower case, without a trailing dot: "xn--bcher-kva.de"
// for "Bücher.de.". It does not convert a host name that is not valid to ASCII.
func HostOf(u *url.URL) string {
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if ascii, err := idna.Lookup.ToASCII(host); err == nil {
		return ascii
	}
	return host
}

// isSubdomain reports whether the host of u is a subdomain of the host of parent.
func isSubdomain(u, parent *url.URL) bool { return strings.HasSuffix(HostOf(u), "."+HostOf(parent)) }

// hasSameHostAndPort reports whether a and b have the same host and port. Port 80 for http and port
// 443 for https count as equal.
func hasSameHostAndPort(a, b *url.URL) bool {
	return HostOf(a) == HostOf(b) && nonDefaultPort(a) == nonDefaultPort(b)
}

// nonDefaultPort returns the port of u. It returns "" for the default port, and for a scheme other
// than http and https.
func nonDefaultPort(u *url.URL) string {
	if port := u.Port(); port != "80" && u.Scheme == "http" || port != "443" && u.Scheme == "https" {
		return port
	}
	return ""
}

// A ruleError is the reason why CheckRequest does not permit a request, such as "is on another
// host".
type ruleError string

func (e ruleError) Error() string { return string(e) }

package hosting

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// A redirectLine describes the line that permanently redirects one URL path in a configuration file
// of a host.
type redirectLine struct {
	file    string // file, or part of a file, that contains the line: "_redirects"; "" if there is none
	format  string // format of the line for the old path and the new path or URL: "%s %s 301"
	decoded bool   // the host compares the decoded old path
	encodes bool   // the host percent-encodes the new path
	below   bool   // both paths begin with the path of the base URL
	regexp  bool   // the old path is a regular expression
}

// plainPath matches URL paths that need no escapes in the configuration file of any host. They
// contain only letters, digits, slashes and the characters _.~-.
var plainPath = regexp.MustCompile(`^/([\pL\pN_.~-]+/)*[\pL\pN_.~-]*$`)

// RedirectLine returns a line that permanently redirects a URL path, such as "/a /b 301", and the
// configuration file for the line, such as "_redirects". from is the decoded old path. to is the
// new path or URL, which may be percent-encoded. Paths are relative to the base URL. line is "" if
// the host has no such file, if a path or URL has characters that may need escapes, or if from
// contains "//".
func (s *Site) RedirectLine(from, to string) (line, file string) {
	h := s.host.redirect
	plain, err := url.PathUnescape(to)
	isPath := strings.HasPrefix(to, "/")
	if h.format == "" || err != nil || !plainPath.MatchString(from) || strings.Contains(from, "//") || isPath && !plainPath.MatchString(plain) || strings.ContainsAny(to, " \"'$*{};\\") {
		return "", h.file
	}
	below := ""
	if h.below {
		below = strings.TrimSuffix(s.base.Prefix(), "/")
	}
	from = below + from
	if isPath {
		to = below + plain
		if !h.encodes {
			to = s.encodePath(to)
		}
	}
	switch {
	case h.regexp:
		from = regexp.QuoteMeta(from)
	case !h.decoded:
		from = s.encodePath(from)
	}
	return fmt.Sprintf(h.format, from, to), h.file
}

// encodePath returns the percent-encoded form of a decoded URL path. It returns an invalid path
// unchanged.
func (s *Site) encodePath(urlPath string) string {
	loc, err := s.origin.Loc(urlPath)
	if err != nil {
		return urlPath
	}
	return loc[len(s.origin.String())-1:]
}

// NoIndexHint returns advice on how to keep search engines from indexing the pages below a URL
// path. The advice is a line for the host's configuration file, or tags for the pages. below is the
// URL path, with a slash at the beginning and end: "/v1/".
func (s *Site) NoIndexHint(below string) string {
	const link = "give the pages a canonical link to those that are listed"
	if s.host.hideHint == "" {
		return link + ", or <meta name=robots content=noindex>"
	}
	return strings.NewReplacer("PATH", below, "FOLDER", below[1:]).Replace(s.host.hideHint) + "; or " + link
}

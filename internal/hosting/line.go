package hosting

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// A redirectLine is how a host writes a permanent redirect of one URL path.
type redirectLine struct {
	file    string // that the line belongs to; "" for a host without one
	format  string // with the old path and the new address
	decoded bool   // the host compares the old path without percent-encodings
	encodes bool   // the host encodes the new path
	below   bool   // paths begin with the path of the base URL
	regexp  bool   // the old path is a regular expression
}

// plainPath matches paths that each host writes as they are: no empty segment, and no character
// with a meaning in the notation of any host.
var plainPath = regexp.MustCompile(`^/([\pL\pN_.~-]+/)*[\pL\pN_.~-]*$`)

// RedirectLine returns the line that permanently redirects one URL path below the base to
// another, or to a URL, and the host's file for it. line is "" if the host has no such file, if
// one of the paths has characters that may need to be escaped, or if from has an empty segment.
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

// encodePath returns a URL path percent-encoded.
func (s *Site) encodePath(urlPath string) string {
	loc, err := s.origin.Loc(urlPath)
	if err != nil {
		return urlPath
	}
	return loc[len(s.origin.String())-1:]
}

// HideHint returns the change of the host's file that keeps search engines from the pages below
// a URL path. The path begins and ends with a slash.
func (s *Site) HideHint(below string) string {
	const link = "give the pages a canonical link to those that are listed"
	if s.host.hideHint == "" {
		return link + ", or <meta name=robots content=noindex>"
	}
	return strings.NewReplacer("PATH", below, "FOLDER", below[1:]).Replace(s.host.hideHint) + "; or " + link
}

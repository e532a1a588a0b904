package hosting

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"
)

// A redirectFormat describes the line that permanently redirects one URL path on a host.
type redirectFormat struct {
	file           string // where to write the line: "_redirects", "routes in render.yaml"; "" if there is no such place
	isPublished    bool   // the host reads the file from the publish directory
	format         string // format of the line for the old path and the new path or URL: "%s %s 301"
	matchesDecoded bool   // the host compares the decoded old path
	encodesTarget  bool   // the host percent-encodes the new path
	hasBasePath    bool   // both paths begin with the path of the base URL
	isRegexp       bool   // the old path is a regular expression
}

// plainPath matches the URL paths for which RedirectLine offers a line. They contain only single
// slashes, letters, digits and the characters _.~-. Hosts escape other characters in different
// ways.
var plainPath = regexp.MustCompile(`^/([\pL\pN_.~-]+/)*[\pL\pN_.~-]*$`)

// RedirectLine returns the line that permanently redirects a URL path, such as "/a /b 301". file is
// the place for the line, such as "_redirects" or "routes in render.yaml". isPublished is true if
// the host reads the file from the publish directory. oldPath is the decoded old path. target is
// the new path or URL, which may be percent-encoded. Paths are relative to the base URL.
//
// line is "" if the host has no such place, if target has an invalid percent-encoding, or if a path
// or URL has characters that may need escapes. file and isPublished are valid even then.
func (h *Host) RedirectLine(oldPath, target string) (line, file string, isPublished bool) {
	form := h.platform.redirect
	plain, err := url.PathUnescape(target)
	isPath := strings.HasPrefix(target, "/")
	if form.format == "" || err != nil || !plainPath.MatchString(oldPath) || isPath && !plainPath.MatchString(plain) || strings.ContainsAny(target, " \"'$*{};\\") {
		return "", form.file, form.isPublished
	}
	below := ""
	if form.hasBasePath {
		below = strings.TrimSuffix(h.base.Prefix(), "/")
	}
	oldPath = below + oldPath
	if isPath {
		target = below + plain
		if !form.encodesTarget {
			target = h.encodePath(target)
		}
	}
	switch {
	case form.isRegexp:
		oldPath = regexp.QuoteMeta(oldPath)
	case !form.matchesDecoded:
		oldPath = h.encodePath(oldPath)
	}
	return fmt.Sprintf(form.format, oldPath, target), form.file, form.isPublished
}

// encodePath returns the percent-encoded form of urlPath, a decoded URL path. If urlPath cannot be
// part of a URL, for example because it is too long, encodePath returns it unchanged.
func (h *Host) encodePath(urlPath string) string {
	loc, err := h.origin.Loc(urlPath)
	if err != nil {
		return urlPath
	}
	return loc[len(h.origin.String())-1:]
}

// NoIndexHint returns advice on how to keep search engines from indexing the pages in a folder. The
// advice is a line for the host's configuration file or a canonical link for each page. If the host
// has no such file, the advice is a canonical link or a robots meta element. folder is a URL path
// with a slash at the beginning and end, such as "/v1/". It may be "", as a result of
// [mapping.Base.Prefix].
func (h *Host) NoIndexHint(folder string) string {
	const link = "give the pages a canonical link to those that are listed"
	if h.platform.hideHint == "" || folder == "" {
		return link + ", or <meta name=robots content=noindex>"
	}
	return strings.NewReplacer("PATH", folder, "FOLDER", folder[1:]).Replace(h.platform.hideHint) + "; or " + link
}

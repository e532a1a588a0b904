package hosting

import "strings"

// hideHints say what to write, and where, of each host that has something for it.
var hideHints = map[string]string{
	"netlify":    "write into _headers, on two lines: PATH* and, indented, X-Robots-Tag: noindex",
	"cloudflare": "write into _headers, on two lines: PATH* and, indented, X-Robots-Tag: noindex",
	"vercel":     `add to headers in vercel.json: {"source": "PATH(.*)", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}`,
	"firebase":   `add to hosting.headers in firebase.json: {"source": "PATH**", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}`,
	"azure":      `add to routes in staticwebapp.config.json: {"route": "PATH*", "headers": {"X-Robots-Tag": "noindex"}}`,
	"apache":     "write into FOLDER.htaccess: Header set X-Robots-Tag noindex",
	"nginx":      "write into the server block: location PATH { add_header X-Robots-Tag noindex; }",
	"caddy":      "write into the Caddyfile: header PATH* X-Robots-Tag noindex",
}

// HideHint says what to write, and where, so that the host keeps search engines from the
// pages below a URL path, which begins and ends with a slash.
func (s *Site) HideHint(below string) string {
	const link = "give the pages a canonical link to those that are listed"
	hint, ok := hideHints[s.Name()]
	if !ok {
		return link + ", or <meta name=robots content=noindex>"
	}
	return strings.NewReplacer("PATH", below, "FOLDER", below[1:]).Replace(hint) + "; or " + link
}

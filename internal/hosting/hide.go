package hosting

import "fmt"

// HideHint says what to write, and where, so that the host keeps search engines from the
// pages below a URL path, which begins and ends with a slash.
func (s *Site) HideHint(below string) string {
	line := ""
	switch s.Name() {
	case "netlify", "cloudflare":
		line = fmt.Sprintf("write into _headers, on two lines: %s* and, indented, X-Robots-Tag: noindex", below)
	case "vercel":
		line = fmt.Sprintf(`add to headers in vercel.json: {"source": "%s(.*)", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}`, below)
	case "firebase":
		line = fmt.Sprintf(`add to hosting.headers in firebase.json: {"source": "%s**", "headers": [{"key": "X-Robots-Tag", "value": "noindex"}]}`, below)
	case "azure":
		line = fmt.Sprintf(`add to routes in staticwebapp.config.json: {"route": "%s*", "headers": {"X-Robots-Tag": "noindex"}}`, below)
	case "apache":
		line = fmt.Sprintf("write into %s.htaccess: Header set X-Robots-Tag noindex", below[1:])
	case "nginx":
		line = fmt.Sprintf("write into the server block: location %s { add_header X-Robots-Tag noindex; }", below)
	case "caddy":
		line = fmt.Sprintf("write into the Caddyfile: header %s* X-Robots-Tag noindex", below)
	default:
		return "give the pages a canonical link to those that are listed, or <meta name=robots content=noindex>"
	}
	return line + "; or give the pages a canonical link to those that are listed"
}

package live

import (
	"bytes"
	"net/http"
	"strings"
)

// marks are the headers by which firewalls name an answer of their own: a question that
// only a browser answers. Cloudflare documents its header, the others were seen.
var marks = []struct{ header, words, by string }{
	{"Cf-Mitigated", "challenge", "Cloudflare"},
	{"X-Vercel-Mitigated", "challenge deny", "Vercel"},
	{"X-Amzn-Waf-Action", "challenge captcha", "AWS WAF"},
}

// markOf returns who answers in the place of a site, by a header; "" is the site.
func markOf(h http.Header) string {
	for _, m := range marks {
		if v := strings.ToLower(h.Get(m.header)); v != "" && strings.Contains(m.words, v) {
			return m.by
		}
	}
	return ""
}

// markIn is markOf by what stands in the body of a refusal. A page that is served with
// status 200 may have such a script, too.
func markIn(status int, body []byte) string {
	switch status {
	case http.StatusForbidden, http.StatusTooManyRequests, http.StatusServiceUnavailable:
	default:
		return ""
	}
	for text, by := range map[string]string{
		"/cdn-cgi/challenge-platform/": "Cloudflare", "_cf_chl_opt": "Cloudflare", "<title>Just a moment...": "Cloudflare",
		"Vercel Security Checkpoint": "Vercel",
	} {
		if bytes.Contains(body, []byte(text)) {
			return by
		}
	}
	return ""
}

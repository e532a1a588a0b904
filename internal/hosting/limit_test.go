package hosting

import (
	"strings"
	"testing"
	"testing/fstest"
)

// TestRulesAreLimited loads files that exceed the maximum number of rules.
func TestRulesAreLimited(t *testing.T) {
	list := func(n int, before, rule, between, after string) string {
		return before + strings.Repeat(rule+between, n-1) + rule + after
	}
	for _, c := range []struct {
		host, file, text string
		want             int
	}{
		{"netlify", "_redirects", list(maxRules+1, "", "/a /b", "\n", ""), maxRules},
		{"netlify", "_headers", list(maxRules+1, "/a\n", "  X-Robots-Tag: noindex", "\n", ""), 1},
		{"vercel", "vercel.json", list(maxWildcards+1, `{"redirects": [`, `{"source": "/:a", "destination": "/b"}`, ",", "]}"), maxWildcards},
		{"firebase", "firebase.json", list(maxRules+1, `{"hosting": {"redirects": [`, `{"source": "/a", "destination": "/b"}`, ",", "]}}"), maxRules},
		{"apache", ".htaccess", list(maxRules+1, "", "Redirect /a /b", "\n", ""), maxRules},
		{"netlify", "_redirects", list(maxWildcards+1, "", "/*/a /b", "\n", "\n/a /b"), maxWildcards},
		{"netlify", "_headers", list(2*maxWildcards, "", "/a/*\n  X-Robots-Tag: noindex", "\n", ""), maxWildcards},
		{"apache", ".htaccess", list(2*maxWildcards, "", "Header append X-Robots-Tag all", "\n", ""), maxWildcards},
		{"apache", ".htaccess", list(2*maxWildcards, "RewriteEngine on\n", "RewriteRule ^a/(.*)$ /b [R]", "\n", ""), maxWildcards},
		{"vercel", "vercel.json", list(2*maxWildcards, `{"headers": [`, `{"source": "/:a", "headers": [{"key": "X-Robots-Tag", "value": "all"}]}`, ",", "]}"), maxWildcards},
		{"firebase", "firebase.json", list(2*maxWildcards, `{"hosting": {"headers": [`, `{"source": "/a/**", "headers": [{"key": "X-Robots-Tag", "value": "all"}]}`, ",", "]}}"), maxWildcards},
		{"apache", ".htaccess", list(maxWildcards+1, "", "<FilesMatch a.*b>\nHeader append X-Robots-Tag all\n</FilesMatch>", "\n", ""), maxWildcards},
		{"azure", "staticwebapp.config.json", list(maxAzure, `{"routes": [`, `{"route": "/a", "redirect": "/b"}`, ",", "]}"), 0},
	} {
		h, diags := Load(Input{Name: c.host, Publish: fstest.MapFS{c.file: {Data: []byte(c.text)}}, PublishName: "public"})
		if got := len(h.redirects.rules) + len(h.headers.rules); got != c.want {
			t.Errorf("%s: %d rules, want %d", c.file, got, c.want)
		}
		if len(diags) != 1 || diags[0].Code != "oversized" {
			t.Errorf("%s: found %v, want one finding", c.file, diags)
		}
	}
}

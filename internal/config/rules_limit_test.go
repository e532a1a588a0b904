package config

import (
	"strings"
	"testing"
)

// TestResolveLimitsRules checks that Resolve accepts maxRules rules or globs, and rejects one
// more.
func TestResolveLimitsRules(t *testing.T) {
	for _, n := range []int{maxRules, maxRules + 1} {
		for _, list := range []string{
			"rules:\n" + strings.Repeat("- {urls: /a, exclude: true}\n", n),
			"links: {ignore: [" + strings.Repeat("/a,", n) + "]}\n",
			"diff: {gone: [" + strings.Repeat("/a,", n) + "]}\n",
			"pages: {exclude: [" + strings.Repeat("a,", n) + "]}\n",
		} {
			p := newTestProject(t, map[string]string{
				"public/index.html": "",
				"sitemap.yaml":      "base_url: https://boats.internal/\n" + list,
			}).setFlag("dir", "public")
			if _, diags, err := p.resolve(); (err == nil) != (n == maxRules) {
				t.Errorf("%.20q with %d items: error %v, findings %v", list, n, err, diags)
			}
		}
	}
}

package config

import (
	"strings"
	"testing"
)

// TestTooManyRules accepts the maximum number of rules and globs, and rejects one more.
func TestTooManyRules(t *testing.T) {
	for _, n := range []int{maxRules, maxRules + 1} {
		for _, list := range []string{
			"rules:\n" + strings.Repeat("- {urls: /a, exclude: true}\n", n),
			"links: {ignore: [" + strings.Repeat("/a,", n) + "]}\n",
			"diff: {gone: [" + strings.Repeat("/a,", n) + "]}\n",
			"pages: {exclude: [" + strings.Repeat("a,", n) + "]}\n",
		} {
			w := newWorld(t, map[string]string{
				"public/index.html": "",
				"sitemap.yaml":      "base_url: https://boats.internal/\n" + list,
			}).set("dir", "public")
			if _, diags, err := w.resolve(); (err == nil) != (n == maxRules) {
				t.Errorf("%.20q, %d items: %v, %v", list, n, err, diags)
			}
		}
	}
}

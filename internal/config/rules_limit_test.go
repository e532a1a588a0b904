package config

import (
	"strings"
	"testing"
)

// TestTooManyRules accepts the maximum number of rules and rejects one more.
func TestTooManyRules(t *testing.T) {
	for _, n := range []int{maxRules, maxRules + 1} {
		w := newWorld(t, map[string]string{
			"public/index.html": "",
			"sitemap.yaml":      "base_url: https://boats.internal/\nrules:\n" + strings.Repeat("- {urls: /a, exclude: true}\n", n),
		}).set("dir", "public")
		if _, diags, err := w.resolve(); (err == nil) != (n == maxRules) {
			t.Errorf("%d rules: %v, %v", n, err, diags)
		}
	}
}

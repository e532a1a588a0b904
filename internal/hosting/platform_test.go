package hosting

import (
	"strings"
	"testing"
)

func TestMachines(t *testing.T) {
	for variable, want := range map[string][2]string{
		"NETLIFY":        {"netlify", "Netlify's build command"},
		"VERCEL":         {"vercel", "VERCEL_DEEP_CLONE=true"},
		"CF_PAGES":       {"cloudflare", "Cloudflare's build command"},
		"WORKERS_CI":     {"cloudflare", "Cloudflare's build command"},
		"GITLAB_CI":      {"gitlab", "GIT_DEPTH: 0"},
		"GITHUB_ACTIONS": {"", "fetch-depth: 0"},
		"AWS_APP_ID":     {"amplify", ""},
		"READTHEDOCS":    {"readthedocs", ".readthedocs.yaml"},
		"HOME":           {"", ""},
	} {
		getenv := func(name string) string { return map[string]string{variable: "1"}[name] }
		advice := FullHistoryAdvice(getenv)
		if host := BuildHost(getenv); host != want[0] || !strings.Contains(advice, want[1]) || want[1] == "" && advice != "" {
			t.Errorf("%s: %q %q, want %q", variable, host, advice, want)
		}
	}
	for _, m := range buildMachines {
		if m.host != "" && platformByName(m.host) == nil {
			t.Errorf("%s: no host is called %s", m.variable, m.host)
		}
	}
}

package config

import (
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/site"
)

func TestLastModOrder(t *testing.T) {
	defaultOrder := strings.Join(site.SourceNames(), " ")
	gitBefore := strings.Replace(strings.Replace(defaultOrder, " git", "", 1), "frontmatter", "git frontmatter", 1)
	const hugoGit = hugo + "enableGitInfo = true\n"
	const order = "[frontmatter]\nlastmod = "
	dateBefore := strings.Replace(strings.Replace(defaultOrder, " date", "", 1), "frontmatter", "date frontmatter", 1)
	tests := map[string]struct{ yaml, flag, hugo, want string }{
		"default":                          {"", "", hugo, defaultOrder},
		"settings file":                    {"lastmod: [git, mtime]", "", hugo, "git mtime"},
		"empty list":                       {"lastmod: []", "", hugo, ""},
		"word none":                        {"lastmod: none", "", hugo, ""},
		"flag":                             {"lastmod: [git]", "html, rule", hugo, "html rule"},
		"flag none":                        {"lastmod: [git]", "none", hugo, ""},
		"hugo with git":                    {"", "", hugoGit, gitBefore},
		"hugo with git, and an order":      {"", "", hugoGit + "[frontmatter]\nlastmod = ['lastmod', ':git']\n", defaultOrder},
		"hugo with git first in order":     {"", "", hugoGit + "[frontmatter]\nlastmod = [':git', 'lastmod']\n", gitBefore},
		"order of keys":                    {"", "", hugoGit + order + "['changed', ':default']\n", defaultOrder},
		"token :default":                   {"", "", hugoGit + order + "[':default']\n", gitBefore},
		"another token before :default":    {"", "", hugoGit + order + "[':fileModTime', ':default']\n", gitBefore},
		"date first":                       {"", "", hugo + order + "['date', 'lastmod']\n", dateBefore},
		"date only":                        {"", "", hugo + order + "['publishDate']\n", dateBefore},
		"order with git, but git disabled": {"", "", hugo + order + "[':git', 'lastmod', 'date']\n", defaultOrder},
		"settings file overrides hugo":     {"lastmod: [frontmatter, git]", "", hugoGit, "frontmatter git"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := newTestProject(t, map[string]string{"hugo.toml": test.hugo, "sitemap.yaml": test.yaml + "\n", builtPage: ""})
			if test.flag != "" {
				p.setFlag("lastmod", test.flag)
			}
			if got := strings.Join(p.mustResolve().Site.LastMod, " "); got != test.want {
				t.Errorf("lastmod: got %s, want %s", got, test.want)
			}
		})
	}
}

// TestCIDisablesMTime checks that file times are not used if the variable CI is set, unless the
// settings file names mtime.
func TestCIDisablesMTime(t *testing.T) {
	for _, test := range []struct {
		ci, yaml   string
		isDisabled bool
	}{
		{"", "", false},
		{"true", "", true},
		{"1", "lastmod: [git]", true},
		{"false", "", false},
		{"true", "lastmod: [git, mtime]", false},
	} {
		p := newTestProject(t, map[string]string{"hugo.toml": hugo, "sitemap.yaml": test.yaml + "\n", builtPage: ""})
		p.env["CI"] = test.ci
		if got := p.mustResolve().Site.WhyUnused[site.SourceMTime] != ""; got != test.isDisabled {
			t.Errorf("CI=%s, %q: mtime is disabled: %v, want %v", test.ci, test.yaml, got, test.isDisabled)
		}
	}
}

func TestSourceDateEpochSetsClock(t *testing.T) {
	p := newTestProject(t, map[string]string{"hugo.toml": hugo, builtPage: ""})
	for epoch, want := range map[string]time.Time{
		"":           p.input().Now,
		"1700000000": time.Unix(1_700_000_000, 0),
		"315532800":  p.input().Now, // Nix always sets the start of 1980
	} {
		p.env["SOURCE_DATE_EPOCH"] = epoch
		if now := p.mustResolve().Site.Now; !now.Equal(want) {
			t.Errorf("SOURCE_DATE_EPOCH=%s: got %v, want %v", epoch, now, want)
		}
	}
}

func TestTimeZone(t *testing.T) {
	for yaml, want := range map[string]string{"": "Europe/Paris", "timezone: Asia/Tokyo": "Asia/Tokyo", "timezone: UTC": "UTC"} {
		p := newTestProject(t, map[string]string{"hugo.toml": hugo + "timeZone = 'Europe/Paris'\n", "sitemap.yaml": yaml + "\n", builtPage: ""})
		s := p.mustResolve()
		if s.Site.Zone.String() != want || s.Site.Front.Zone != s.Site.Zone || s.Site.Page.Zone != s.Site.Zone {
			t.Errorf("%q: time zones are %v, %v and %v, want %s", yaml, s.Site.Zone, s.Site.Front.Zone, s.Site.Page.Zone, want)
		}
	}
}

func TestLedgerSettings(t *testing.T) {
	tests := map[string]struct {
		yaml, from, to         string
		keepsGoing, newUndated bool
	}{
		"not set":        {"", "", "", false, false},
		"false":          {"ledger: false", "", "", false, false},
		"path":           {"ledger: a/sitemap.ledger", "a/sitemap.ledger", "a/sitemap.ledger", false, false},
		"write only":     {"ledger: {write: l}", "l", "l", false, false},
		"two paths":      {"ledger: {read: a, write: b, new: none, on_error: continue}", "a", "b", true, true},
		"read from site": {"ledger: {read: 'https://example.internal/l', write: public/l}", "https://example.internal/l", "public/l", false, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := newTestProject(t, map[string]string{"hugo.toml": hugo, "sitemap.yaml": test.yaml + "\n", builtPage: ""})
			s := p.mustResolve()
			from, to := s.LedgerFrom, s.LedgerTo
			if from != "" && !strings.Contains(from, "://") {
				from = p.relPath(from)
			}
			if to != "" {
				to = p.relPath(to)
			}
			if from != test.from || to != test.to || s.LedgerOptions.Continue != test.keepsGoing || s.Site.LedgerUpdate.NewUndated != test.newUndated {
				t.Errorf("ledger is read from %q and written to %q with %+v and %+v", from, to, s.LedgerOptions, s.Site.LedgerUpdate)
			}
			if s.Site.Page.ContentHash != (test.to != "") {
				t.Errorf("content is hashed: %v, want %v", s.Site.Page.ContentHash, test.to != "")
			}
		})
	}
}

func TestRemoteLedgerNeedsWritePath(t *testing.T) {
	p := newTestProject(t, map[string]string{"hugo.toml": hugo, "sitemap.yaml": "ledger: https://example.internal/l\n", builtPage: ""})
	_, diags, err := p.resolve()
	if err == nil || len(diags) != 1 || diags[0].Pos.Col != 9 || !strings.Contains(diags[0].Message, "add write: PATH") {
		t.Errorf("error %v, findings %v", err, diags)
	}
}

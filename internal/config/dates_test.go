package config

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sitewalk/sitewalk/internal/site"
)

func TestSourcesOfDates(t *testing.T) {
	usual := strings.Join(site.SourceNames(), " ")
	gitBefore := strings.Replace(strings.Replace(usual, " git", "", 1), "frontmatter", "git frontmatter", 1)
	const hugoGit = hugo + "enableGitInfo = true\n"
	const order = "[frontmatter]\nlastmod = "
	dateBefore := strings.Replace(strings.Replace(usual, " date", "", 1), "frontmatter", "date frontmatter", 1)
	tests := map[string]struct{ yaml, flag, hugo, want string }{
		"usual":                        {"", "", hugo, usual},
		"file":                         {"lastmod: [git, mtime]", "", hugo, "git mtime"},
		"none":                         {"lastmod: []", "", hugo, ""},
		"none by word":                 {"lastmod: none", "", hugo, ""},
		"flag":                         {"lastmod: [git]", "html, rule", hugo, "html rule"},
		"flag none":                    {"lastmod: [git]", "none", hugo, ""},
		"hugo with git":                {"", "", hugoGit, gitBefore},
		"hugo with git, and an order":  {"", "", hugoGit + "[frontmatter]\nlastmod = ['lastmod', ':git']\n", usual},
		"hugo with git first in order": {"", "", hugoGit + "[frontmatter]\nlastmod = [':git', 'lastmod']\n", gitBefore},
		"an order of keys":             {"", "", hugoGit + order + "['changed', ':default']\n", usual},
		"the default order":            {"", "", hugoGit + order + "[':default']\n", gitBefore},
		"a token, then the default":    {"", "", hugoGit + order + "[':fileModTime', ':default']\n", gitBefore},
		"date first":                   {"", "", hugo + order + "['date', 'lastmod']\n", dateBefore},
		"date alone":                   {"", "", hugo + order + "['publishDate']\n", dateBefore},
		"git that hugo has not":        {"", "", hugo + order + "[':git', 'lastmod', 'date']\n", usual},
		"the file beats hugo's git":    {"lastmod: [frontmatter, git]", "", hugoGit, "frontmatter git"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"hugo.toml": test.hugo, "sitemap.yaml": test.yaml + "\n", built: ""})
			if test.flag != "" {
				w.set("lastmod", test.flag)
			}
			if got := strings.Join(w.settings().Site.LastMod, " "); got != test.want {
				t.Errorf("got %s, want %s", got, test.want)
			}
		})
	}
}

func TestMTimeInCI(t *testing.T) {
	for _, test := range []struct {
		ci, yaml string
		quiet    bool
	}{
		{"", "", false},
		{"true", "", true},
		{"1", "lastmod: [git]", true},
		{"false", "", false},
		{"true", "lastmod: [git, mtime]", false},
	} {
		w := newWorld(t, map[string]string{"hugo.toml": hugo, "sitemap.yaml": test.yaml + "\n", built: ""})
		w.env["CI"] = test.ci
		if got := w.settings().Site.QuietMTime != ""; got != test.quiet {
			t.Errorf("CI=%s, %q: quiet %v", test.ci, test.yaml, got)
		}
	}
}

func TestClock(t *testing.T) {
	w := newWorld(t, map[string]string{"hugo.toml": hugo, built: ""})
	if now := w.settings().Site.Now; !now.Equal(w.input().Now) {
		t.Error(now)
	}
	w.env["SOURCE_DATE_EPOCH"] = "1700000000"
	if now := w.settings().Site.Now; !now.Equal(time.Unix(1_700_000_000, 0)) {
		t.Error(now)
	}
	w.env["SOURCE_DATE_EPOCH"] = "315532800" // 1980, which Nix sets
	if now := w.settings().Site.Now; !now.Equal(w.input().Now) {
		t.Error(now)
	}
}

func TestZone(t *testing.T) {
	for yaml, want := range map[string]string{"": "Europe/Paris", "timezone: Asia/Tokyo": "Asia/Tokyo", "timezone: UTC": "UTC"} {
		w := newWorld(t, map[string]string{"hugo.toml": hugo + "timeZone = 'Europe/Paris'\n", "sitemap.yaml": yaml + "\n", built: ""})
		s := w.settings()
		if s.Site.Zone.String() != want || s.Site.Front.Zone != s.Site.Zone || s.Site.Page.Zone != s.Site.Zone {
			t.Errorf("%q: %v", yaml, s.Site.Zone)
		}
	}
}

func TestLedger(t *testing.T) {
	tests := map[string]struct {
		yaml, from, to string
		goOn, undated  bool
	}{
		"none":        {"", "", "", false, false},
		"off":         {"ledger: false", "", "", false, false},
		"a path":      {"ledger: a/sitemap.ledger", "a/sitemap.ledger", "a/sitemap.ledger", false, false},
		"write alone": {"ledger: {write: l}", "l", "l", false, false},
		"two paths":   {"ledger: {read: a, write: b, new: none, on_error: continue}", "a", "b", true, true},
		"the site":    {"ledger: {read: 'https://example.internal/l', write: public/l}", "https://example.internal/l", "public/l", false, false},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t, map[string]string{"hugo.toml": hugo, "sitemap.yaml": test.yaml + "\n", built: ""})
			s := w.settings()
			from, to := s.LedgerFrom, s.LedgerTo
			if from != "" && !strings.Contains(from, "://") {
				from = w.rel(from)
			}
			if to != "" {
				to = w.rel(to)
			}
			if from != test.from || to != test.to || s.LedgerOptions.Continue != test.goOn || s.Site.LedgerUpdate.NewUndated != test.undated {
				t.Errorf("from %q to %q, %+v %+v", from, to, s.LedgerOptions, s.Site.LedgerUpdate)
			}
			if s.Site.Page.ContentHash != (test.to != "") {
				t.Errorf("bodies are read: %v", s.Site.Page.ContentHash)
			}
		})
	}
}

func TestRemoteLedgerNeedsAPath(t *testing.T) {
	w := newWorld(t, map[string]string{"hugo.toml": hugo, "sitemap.yaml": "ledger: https://example.internal/l\n", built: ""})
	_, diags, err := w.resolve()
	if err == nil || len(diags) != 1 || !slices.Contains([]int{9}, diags[0].Pos.Col) || !strings.Contains(diags[0].Message, "add write: PATH") {
		t.Errorf("%v %v", err, diags)
	}
}

//go:build e2e

package e2e

import (
	"encoding/json"
	"maps"
	"path/filepath"
	"testing"
)

// sphinxPages is a Sphinx site whose pages contain a commit hash, the time of the build and memory
// addresses.
var sphinxPages = map[string]string{
	"conf.py": "import subprocess, sys\nsys.path.insert(0, '.')\nproject = 'Lakes'\n" +
		"release = subprocess.check_output(['git', 'rev-parse', '--short', 'HEAD'], text=True).strip()\n" +
		"html_baseurl = 'https://example.internal/'\nhtml_last_updated_fmt = '%Y-%m-%d %H:%M:%S'\nextensions = ['sphinx.ext.autodoc', 'sphinx.ext.viewcode']\n",
	"index.rst": "Lakes\n=====\n\n.. toctree::\n\n   api\n",
	"api.rst":   "API\n===\n\n.. automodule:: lakes\n   :members:\n",
	"lakes.py":  "class Order:\n    pass\n\ndef sort(lakes, by=Order()):\n    \"\"\"Sort lakes.\"\"\"\n",
}

// TestFingerprintsOfRebuild builds each site twice, at different commits and on different days. It
// checks that the fingerprints of the pages are equal.
func TestFingerprintsOfRebuild(t *testing.T) {
	sites := append(generatedSites[:len(generatedSites):len(generatedSites)],
		generatedSite{name: "sphinx", buildCommand: []string{"sphinx-build", "-q", "-E", "-a", "-b", "html", ".", "_build/html"}, publish: "_build/html"})
	for _, g := range sites {
		t.Run(g.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			if g.name == "sphinx" {
				for name, text := range sphinxPages {
					writeFile(t, dir, name, text)
				}
			} else {
				dir = copyTree(t, filepath.Join("testdata", g.name))
			}
			run(t, dir, toolPath(t, "git"), "init", "-q")
			first := g.fingerprints(t, dir, "2024-01-02T03:04:05Z", "SOURCE_DATE_EPOCH=1704164645")
			second := g.fingerprints(t, dir, "2025-11-12T13:14:15Z", "SOURCE_DATE_EPOCH=1762953255")
			if len(first) < 2 || !maps.Equal(first, second) {
				t.Errorf("fingerprints %v, want %v as in the first build", second, first)
			}
		})
	}
}

// fingerprints commits and builds the site on a day, and returns the fingerprint of each listed page.
func (g generatedSite) fingerprints(t *testing.T, dir, day, epoch string) map[string]string {
	t.Helper()
	env := []string{epoch, "GIT_AUTHOR_DATE=" + day, "GIT_COMMITTER_DATE=" + day}
	for _, c := range [][]string{
		{"git", "add", "-A"},
		{"git", "-c", "user.name=A", "-c", "user.email=a@example.internal", "commit", "-q", "--allow-empty", "-m", day},
		g.buildCommand,
	} {
		if out, stderr, err := tryRun(t, dir, env, toolPath(t, c[0]), c[1:]...); err != nil {
			t.Fatalf("%v: %v\n%s%s", c, err, out, stderr)
		}
	}
	var list struct {
		Pages []struct {
			URL, Content string
			Listed       bool
		}
	}
	if err := json.Unmarshal([]byte(run(t, dir, sitewalk, "list", "--json", "--ledger", "sitemap.ledger")), &list); err != nil {
		t.Fatal(err)
	}
	prints := map[string]string{}
	for _, p := range list.Pages {
		if p.Listed && p.Content == "" {
			t.Errorf("%s has no fingerprint", p.URL)
		}
		if p.Listed {
			prints[p.URL] = p.Content
		}
	}
	return prints
}

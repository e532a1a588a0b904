//go:build e2e

package audit

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
)

// toolsDir returns the folder into which .ci/install installs the tools of this test suite.
func toolsDir(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("SITEWALK_TOOLS")
	if dir == "" {
		t.Fatal("SITEWALK_TOOLS is not set; .ci/install installs what this suite needs")
	}
	return dir
}

// TestLinksOfManualsMatchOracle compares the links of real manuals with the oracle.
func TestLinksOfManualsMatchOracle(t *testing.T) {
	for name, dir := range map[string]string{
		"git": "usr/share/doc/git-doc", "node": "usr/share/doc/nodejs/api", "postgresql": "usr/share/doc/postgresql-doc-*/html",
	} {
		t.Run(name, func(t *testing.T) {
			dirs, err := filepath.Glob(filepath.Join(toolsDir(t), "manuals", filepath.FromSlash(dir)))
			if err != nil || len(dirs) != 1 {
				t.Fatalf("%s: got %v, error %v, want one folder", dir, dirs, err)
			}
			if o := requireOracleAgrees(t, dirs[0], "https://example.internal/docs/"); len(o.links) < 3000 {
				t.Errorf("got %d links, want at least 3000", len(o.links))
			}
		})
	}
}

// TestLinksOfHugoMatchOracle compares the links of a site that Hugo builds with the oracle, and the
// findings of the oracle with the known mistakes of the site.
func TestLinksOfHugoMatchOracle(t *testing.T) {
	dir := newTree(t, map[string]string{
		"hugo.toml": "baseURL = 'https://example.internal/docs/'\ntitle = 'Site'\ndisableKinds = ['taxonomy', 'term', 'RSS', 'sitemap']\n[markup.goldmark.renderer]\nunsafe = true\n",
		"layouts/_default/single.html": `<!doctype html><html><head><meta charset="utf-8"><title>{{ .Title }}</title><link rel="stylesheet" href="{{ "style.css" | relURL }}"></head>` +
			`<body><nav><a href="{{ site.Home.RelPermalink }}">Home</a>{{ range site.RegularPages }} <a href="{{ .RelPermalink }}">{{ .Title }}</a>{{ end }}</nav>{{ .Content }}</body></html>`,
		"layouts/_default/list.html": `<!doctype html><title>{{ .Title }}</title>{{ .Content }}{{ range .Pages }}<a href="{{ .Permalink }}">{{ .Title }}</a>{{ end }}`,
		"static/style.css":           "body{}", "static/a b.png": "png",
		"content/_index.md": "---\ntitle: Home\n---\n[one]({{< relref \"one\" >}}) [typo](onne/) ![image](a%20b.png) ![none](/docs/none.png)\n",
		"content/one.md":    "---\ntitle: One\naliases: [/uno/]\n---\n## A heading\n\n[here](#a-heading) [nowhere](#no-heading) [alias](/docs/uno/) [two](../two/#b)\n",
		"content/two.md":    "---\ntitle: Two\n---\n<p id=b>\n\n[draft](../draft/) <img srcset=\"../a%20b.png 1x, ../c.png 2x\">\n",
		"content/draft.md":  "---\ntitle: Draft\ndraft: true\n---\n",
	})
	hugo := exec.Command(filepath.Join(toolsDir(t), "bin", "hugo"), "--quiet")
	hugo.Dir = dir
	if out, err := hugo.CombinedOutput(); err != nil {
		t.Fatalf("hugo: %v\n%s", err, out)
	}
	dead, fragments, orphans := requireOracleAgrees(t, filepath.Join(dir, "public"), "https://example.internal/docs/").findProblems()
	if want := []string{"/docs/c.png", "/docs/draft/", "/docs/none.png", "/docs/onne/"}; !slices.Equal(dead, want) {
		t.Errorf("dead links: got %q, want %q", dead, want)
	}
	if want := []string{"#no-heading"}; !slices.Equal(fragments, want) {
		t.Errorf("dead fragments: got %q, want %q", fragments, want)
	}
	if len(orphans) > 0 {
		t.Errorf("orphan pages: got %q, want none", orphans)
	}
}

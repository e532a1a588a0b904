//go:build e2e

package e2e

import (
	"cmp"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const websiteURL = "https://sitewalk.github.io/sitewalk/"

// buildWebsite builds the website once. It returns the folder to serve, which contains a copy of
// the website in the folder sitewalk.
func buildWebsite(t *testing.T) string {
	t.Helper()
	dir, built := t.TempDir(), filepath.Join(filepath.Dir(sitewalk), "website")
	if !fileExists(built) {
		// .ci/install compiles the version of Hugo in website/go.mod.
		out, stderr, err := tryRun(t, "../..", []string{"HUGO=" + toolPath(t, "hugo")}, "website/build", filepath.Join(dir, "sitewalk"))
		if err != nil {
			t.Fatalf("website/build: %v\n%s%s", err, out, stderr)
		}
		if err := os.Rename(filepath.Join(dir, "sitewalk"), built); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.CopyFS(filepath.Join(dir, "sitewalk"), os.DirFS(built)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestWebsite opens every page of the website in a browser and checks that it is accessible. It
// also checks that diff succeeds for the built website, and fails after a page is deleted.
// Colors do not depend on the width, so it checks the other two views only for three pages.
func TestWebsite(t *testing.T) {
	dir := buildWebsite(t)
	var files []string
	for _, e := range readEntries(t, filepath.Join(dir, "sitewalk/sitemap.xml")) {
		files = append(files, "sitewalk/"+strings.TrimPrefix(e.Loc, websiteURL)+"index.html")
	}
	built, err := filepath.Glob(filepath.Join(dir, "sitewalk/*/index.html"))
	if err != nil || len(files) < len(built) {
		t.Fatalf("the sitemap lists %d pages, want at least the %d in the top folder: %v", len(files), len(built), err)
	}
	pages := renderViews(t, "light,narrow-dark", dir, append(files, "sitewalk/404.html", "sitewalk/sample-report/index.html")...)
	pages = append(pages, renderViews(t, "dark,narrow-light", dir, "sitewalk/index.html", "sitewalk/configuration/index.html", "sitewalk/sample-report/index.html")...)
	for _, p := range pages {
		t.Log(p.URL)
		p.checkAccessible(t)
		if h := p.namesByRole("heading", 1); len(h) != 1 {
			t.Errorf("%s: main headings %q, want one", p.URL, h)
		}
	}

	run(t, dir, "cp", "sitewalk/sitemap.xml", "last.xml")
	config, err := filepath.Abs("../../website/sitemap.yaml")
	if err != nil {
		t.Fatal(err)
	}
	run(t, dir, sitewalk, "diff", "last.xml", "sitewalk", "-c", config)
	if err := os.RemoveAll(filepath.Join(dir, "sitewalk/dates")); err != nil {
		t.Fatal(err)
	}
	if out, _, err := tryRun(t, dir, nil, sitewalk, "diff", "last.xml", "sitewalk", "-c", config); err == nil || !strings.Contains(out, websiteURL+"dates/") {
		t.Errorf("diff after the loss of a page: %v, want an error that names the page\n%s", err, out)
	}
}

// searches are queries for the search of the website, with an address that the first result must have.
var searches = []struct{ query, want string }{
	{"couldn't fetch", "troubles/#couldnt-fetch"},
	{"sitemap is html", "troubles/#sitemap-is-html"},
	{"discovered currently not indexed", "troubles/#discovered-currently-not-indexed"},
	{"lastmod is always today", "troubles/#lastmod-is-always-today"},
	{"page missing", "troubles/#page-missing"},
	{"preview domain in the sitemap", "troubles/#preview-domain-in-the-sitemap"},
	{"trailing slash", "troubles/#trailing-slash"},
	{"tag pages", "troubles/#exclude-tag-pages"},
	{"two sitemaps", "troubles/#two-sitemaps"},
	{"monorepo", "troubles/#monorepo"},
	{"shallow clone", "dates/#shallow-clones"},
	{"submit to google", "troubles/#submit-to-google"},
	{"why is my page missing", "troubles/#page-missing"},
	{"first deploy fails", "troubles/#first-deploy-fails"},
	{"no such host", "troubles/#no-such-host"},
	{"exit code 2", "troubles/#exit-code-2"},
	{"rename a page redirect", "troubles/#renamed-page"},
	{"baseURL placeholder example.org", "troubles/#placeholder-address"},
	{"password protected preview", "troubles/#password-protected-preview"},
	{"uninstall", "install/#uninstall"},
	{"why is my page missing from the sitemap", "troubles/#page-missing"},
	{"page missing from sitemap", "troubles/#page-missing"},
	{"page not in sitemap", "troubles/#page-missing"},
	{"how to install on windows", "install/"},
	{"how to install", "install/"},
	{"remove sitewalk", "install/#uninstall"},
	{"noindex", "the-list/#effects-of-the-html"},
	{"multiple languages hreflang", "languages-and-images/"},
	{"how do I add hreflang", "languages-and-images/"},
	{"multiple languages", "languages-and-images/"},
	{"sitemap over 50000 urls", "files/#more-than-one-file"},
	{"what does exit code 1 mean", "reports/#what-makes-a-command-fail"},
}

// TestWebsiteInteraction checks the keyboard navigation, the copy buttons, the themes, the
// demonstration, the menu and the search of the website.
func TestWebsiteInteraction(t *testing.T) {
	dir := buildWebsite(t)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	script, err := os.ReadFile(filepath.Join("testdata", "browser", "website.cjs"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, npmDir(t), "website.cjs", string(script))
	var queries []string
	for _, s := range searches {
		queries = append(queries, s.query)
	}
	shots := cmp.Or(os.Getenv("SITEWALK_SHOTS"), t.TempDir())
	out, stderr, err := tryRun(t, npmDir(t), []string{"CHROMIUM=" + toolPath(t, "chromium-headless-shell")}, toolPath(t, "node"),
		append([]string{"website.cjs", shots, server.URL + "/sitewalk/"}, queries...)...)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	var got struct {
		Keys, Themes, Copied, Demo, Menu, Console, ForeignRequests, Violations []string
		Results                                                                [][]string
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatal(err)
	}
	for name, pair := range map[string][2][]string{
		"keys": {got.Keys, {"Skip to the content", "content", "search", "shallow-clones", "closed", "find"}},
		"themes, by background": {got.Themes, {
			"System rgb(253, 253, 252)", "Light rgb(253, 253, 252)", "Dark rgb(19, 23, 26)", "again Dark rgb(19, 23, 26)", "first painted rgb(19, 23, 26)",
		}},
		"copied":                  {got.Copied, {"sitewalk build", "npx --yes sitewalk@0.1"}},
		"buttons of the demo":     {got.Demo, {"Play", "Show all", "Play", "0"}},
		"menu is visible":         {got.Menu, {"false", "true", "false"}},
		"console":                 {got.Console, nil},
		"requests to other hosts": {got.ForeignRequests, nil},
		"violations in search":    {got.Violations, nil},
	} {
		if !slices.Equal(pair[0], pair[1]) {
			t.Errorf("%s: %q, want %q", name, pair[0], pair[1])
		}
	}
	for i, s := range searches {
		if pages := got.Results[i]; len(pages) == 0 || !slices.Contains(strings.Fields(pages[0]), "/sitewalk/"+s.want) {
			t.Errorf("search for %q finds %q, want %s on the first page", s.query, pages, s.want)
		}
	}
}

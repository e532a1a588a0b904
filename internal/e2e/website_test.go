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

// website builds the website once and returns a folder in which it lies as it is served,
// below sitewalk/.
func website(t *testing.T) string {
	t.Helper()
	dir, built := t.TempDir(), filepath.Join(filepath.Dir(sitewalk), "website")
	if !exists(built) {
		// .ci/install has compiled the Hugo of website/go.mod.
		out, stderr, err := try(t, "../..", []string{"HUGO=" + tool(t, "hugo")}, "website/build", filepath.Join(dir, "sitewalk"))
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

// TestWebsite compares the sitemap of the website to its pages, looks at every page light
// and wide, and dark and narrow, and lets diff guard it with the loss of a page. Colors
// do not depend on the width, so the other two views of three pages stand for all.
func TestWebsite(t *testing.T) {
	dir := website(t)
	var files []string
	for _, e := range entries(t, filepath.Join(dir, "sitewalk/sitemap.xml")) {
		files = append(files, "sitewalk/"+strings.TrimPrefix(e.Loc, websiteURL)+"index.html")
	}
	built, err := filepath.Glob(filepath.Join(dir, "sitewalk/*/index.html"))
	if err != nil || len(files) < len(built) {
		t.Fatalf("%d pages are listed of %d at the top alone: %v", len(files), len(built), err)
	}
	sights := lookIn(t, "light,narrow-dark", dir, append(files, "sitewalk/404.html", "sitewalk/sample-report/index.html")...)
	sights = append(sights, lookIn(t, "dark,narrow-light", dir, "sitewalk/index.html", "sitewalk/configuration/index.html", "sitewalk/sample-report/index.html")...)
	for _, s := range sights {
		t.Log(s.URL)
		s.open(t)
		if h := s.named("heading", 1); len(h) != 1 {
			t.Errorf("main headings %q", h)
		}
	}

	do(t, dir, "cp", "sitewalk/sitemap.xml", "last.xml")
	config, err := filepath.Abs("../../website/sitemap.yaml")
	if err != nil {
		t.Fatal(err)
	}
	do(t, dir, sitewalk, "diff", "last.xml", "sitewalk", "-c", config)
	if err := os.RemoveAll(filepath.Join(dir, "sitewalk/dates")); err != nil {
		t.Fatal(err)
	}
	if out, _, err := try(t, dir, nil, sitewalk, "diff", "last.xml", "sitewalk", "-c", config); err == nil || !strings.Contains(out, websiteURL+"dates/") {
		t.Errorf("a page is lost, and diff says %v\n%s", err, out)
	}
}

// questions are what people ask in their own words, and the place on the first page found.
var questions = []struct{ words, answer string }{
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

// TestWebsiteIsUsed uses the website with the keyboard alone, copies commands, chooses
// a theme, and asks its search what people ask.
func TestWebsiteIsUsed(t *testing.T) {
	dir := website(t)
	server := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer server.Close()
	script, err := os.ReadFile(filepath.Join("testdata", "browser", "website.cjs"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, npmDir(t), "website.cjs", string(script))
	var words []string
	for _, q := range questions {
		words = append(words, q.words)
	}
	shots := cmp.Or(os.Getenv("SITEWALK_SHOTS"), t.TempDir())
	out, stderr, err := try(t, npmDir(t), []string{"CHROMIUM=" + tool(t, "chromium-headless-shell")}, tool(t, "node"),
		append([]string{"website.cjs", shots, server.URL + "/sitewalk/"}, words...)...)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	var met struct {
		Keys, Themes, Copied, Played, Menu, Said, Elsewhere, Barriers []string
		Answers                                                       [][]string
	}
	if err := json.Unmarshal([]byte(out), &met); err != nil {
		t.Fatal(err)
	}
	for what, pair := range map[string][2][]string{
		"keys": {met.Keys, {"Skip to the content", "content", "search", "shallow-clones", "closed", "find"}},
		"themes, by background": {met.Themes, {
			"System rgb(253, 253, 252)", "Light rgb(253, 253, 252)", "Dark rgb(19, 23, 26)", "again Dark rgb(19, 23, 26)", "first painted rgb(19, 23, 26)",
		}},
		"copied":                {met.Copied, {"sitewalk build", "npx --yes sitewalk@0.1"}},
		"the demonstration":     {met.Played, {"Play", "Show all", "Play", "0"}},
		"the menu of a phone":   {met.Menu, {"false", "true", "false"}},
		"the console":           {met.Said, nil},
		"requests to elsewhere": {met.Elsewhere, nil},
		"barriers of search":    {met.Barriers, nil},
	} {
		if !slices.Equal(pair[0], pair[1]) {
			t.Errorf("%s: %q, want %q", what, pair[0], pair[1])
		}
	}
	for i, q := range questions {
		if all := met.Answers[i]; len(all) == 0 || !slices.Contains(strings.Fields(all[0]), "/sitewalk/"+q.answer) {
			t.Errorf("%q: the pages are %q", q.words, all)
		}
	}
}

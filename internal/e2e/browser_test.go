//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A renderedPage is the output of look.cjs for one URL.
type renderedPage struct {
	URL   string
	Views []struct {
		View            string
		Console         []string // console messages and errors
		ForeignRequests []string // requests to other hosts
		Violations      []string // accessibility problems that axe-core finds
		Texts, Visible  int      // number of texts, and of texts with a position on the page
		Overflow        int      // pixels by which the page is wider than the window
		MinContrast     struct {
			Ratio float64
			Text  string
		}
	}
	Tree []struct { // the accessibility tree
		Role, Name string
		Level      int
	}
}

// renderPages opens files below a folder in Chromium, with light and dark themes and different
// widths. SITEWALK_SHOTS is a folder for screenshots.
func renderPages(t *testing.T, dir string, files ...string) []renderedPage {
	t.Helper()
	return renderViews(t, "", dir, files...)
}

// renderViews is like renderPages for some of the views in look.cjs, for example "light,narrow-dark".
func renderViews(t *testing.T, views, dir string, files ...string) []renderedPage {
	t.Helper()
	pages := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/favicon.ico" { // every browser requests it
			w.WriteHeader(http.StatusNoContent)
			return
		}
		pages.ServeHTTP(w, r)
	}))
	defer server.Close()
	shots := os.Getenv("SITEWALK_SHOTS")
	if shots != "" {
		if err := os.MkdirAll(shots, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	args := []string{filepath.Join(npmDir(t), "look.cjs"), shots}
	for _, file := range files {
		args = append(args, server.URL+"/"+file)
	}
	script, err := os.ReadFile(filepath.Join("testdata", "browser", "look.cjs"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, npmDir(t), "look.cjs", string(script))
	out, stderr, err := tryRun(t, npmDir(t), []string{"CHROMIUM=" + toolPath(t, "chromium-headless-shell"), "VIEWS=" + views}, toolPath(t, "node"), args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	var rendered []renderedPage
	if err := json.Unmarshal([]byte(out), &rendered); err != nil {
		t.Fatal(err)
	}
	return rendered
}

// checkAllVisible checks that every view is accessible, without console messages and without
// requests to other hosts. All text must be visible, with the contrast that WCAG 2.2 (1.4.3)
// requires and without horizontal scrolling.
func (p *renderedPage) checkAllVisible(t *testing.T) {
	t.Helper()
	if len(p.Views) != 8 {
		t.Fatalf("%s: %d views, want 8", p.URL, len(p.Views))
	}
	for _, v := range p.Views {
		// The language of a site without lang attributes is unknown.
		violations := slices.DeleteFunc(v.Violations, func(s string) bool { return strings.HasPrefix(s, "html-has-lang: <html>") })
		if len(violations) > 0 {
			t.Errorf("%s, %s: violations %q", p.URL, v.View, violations)
		}
		if len(v.Console) > 0 || len(v.ForeignRequests) > 0 {
			t.Errorf("%s, %s: console messages %q, foreign requests %q, want none", p.URL, v.View, v.Console, v.ForeignRequests)
		}
		if v.Texts == 0 || v.Visible != v.Texts || v.Overflow > 0 {
			t.Errorf("%s, %s: %d of %d texts are visible; the page is %d pixels too wide", p.URL, v.View, v.Visible, v.Texts, v.Overflow)
		}
		if v.MinContrast.Ratio < 4.5 {
			t.Errorf("%s, %s: the contrast of %q is %.2f, want at least 4.5", p.URL, v.View, v.MinContrast.Text, v.MinContrast.Ratio)
		}
	}
}

// namesByRole returns the names of the nodes with a role in the accessibility tree. level is the
// level of headings, and 0 for other roles.
func (p *renderedPage) namesByRole(role string, level int) (names []string) {
	for _, n := range p.Tree {
		if n.Role == role && n.Level == level {
			names = append(names, n.Name)
		}
	}
	return names
}

// TestStyledSitemapsInBrowser opens the HTML sitemap, the styled XML sitemap and a styled index in a
// browser. It checks that they are accessible and contain the pages.
func TestStyledSitemapsInBrowser(t *testing.T) {
	const numPages = 120
	dir := newDatedSite(t, numPages)
	long := "public/blog/" + strings.Repeat("unbreakable", 12) + "/index.html"
	writeFile(t, dir, long, "<!doctype html><title>"+strings.Repeat("Donaudampfschifffahrt", 8)+"</title><img src=/a.jpg>")
	writeFile(t, dir, "public/arabic/a/index.html", "<!doctype html><html lang=ar><title>مرحبا بالعالم</title>")
	writeFile(t, dir, "public/arabic/b/index.html", "<!doctype html><title>B</title>")
	config := `base_url: https://example.internal/
images: true
rules: [{files: "docs/**", priority: 0.8, changefreq: weekly}]
output: {stylesheet: true, %s}
`
	writeFile(t, dir, "sitemap.yaml", fmt.Sprintf(config, "page: sitemap.html"))
	run(t, dir, sitewalk, "-q")
	writeFile(t, dir, "split.yaml", fmt.Sprintf(config, "name: split.xml, max_urls: 40"))
	run(t, dir, sitewalk, "-q", "-c", "split.yaml")

	public := filepath.Join(dir, "public")
	pages := renderPages(t, public, "sitemap.html", "sitemap.xml", "split.xml")
	for i := range pages {
		pages[i].checkAllVisible(t)
	}
	htmlSitemap, xmlSitemap, index := &pages[0], &pages[1], &pages[2]
	sections := []string{"Arabic", "Blog (Blog)", "Blog (blog)", "Blog 2", "Docs", "Straße", "example.internal"}
	if h := htmlSitemap.namesByRole("heading", 1); len(h) != 1 || h[0] != "example.internal" {
		t.Errorf("main headings %q, want example.internal", h)
	}
	h := htmlSitemap.namesByRole("heading", 2)
	slices.Sort(h)
	if !slices.Equal(h, sections) {
		t.Errorf("headings of sections %q, want %q", h, sections)
	}
	links := htmlSitemap.namesByRole("link", 0)
	if len(links) != numPages+3+1 || slices.Contains(links, "") {
		t.Errorf("%d links, want one with a name for each page and the site: %q", len(links), links)
	}
	for role, want := range map[string]int{"banner": 1, "main": 1, "list": len(sections), "DisclosureTriangle": len(sections)} {
		if got := len(htmlSitemap.namesByRole(role, 0)); got != want {
			t.Errorf("%d elements with the role %s, want %d", got, role, want)
		}
	}
	texts := xmlSitemap.namesByRole("StaticText", 0)
	for _, e := range readEntries(t, filepath.Join(public, "sitemap.xml")) {
		if !slices.Contains(texts, e.Loc) || e.LastMod != "" && !slices.Contains(texts, e.LastMod) {
			t.Errorf("the styled XML sitemap does not show %s %s", e.Loc, e.LastMod)
		}
	}
	if texts := index.namesByRole("StaticText", 0); !slices.Contains(texts, "https://example.internal/split-docs.xml") {
		t.Errorf("the styled index does not show split-docs.xml: %q", texts)
	}
}

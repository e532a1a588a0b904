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

// A sight is what a browser shows of one address.
type sight struct {
	URL   string
	Views []struct {
		View            string
		Said, Elsewhere []string // on the console; requests to other places
		Barriers        []string // that a page has for some of its readers, by axe-core
		Texts, Shown    int      // pieces of text, and those that have a place
		Wider           int      // pixels by which the window is too narrow
		Least           struct { // contrast
			Ratio float64
			Text  string
		}
	}
	Tree []struct { // what a screen reader is told
		Role, Name string
		Level      int
	}
}

// look lets Chromium look at files below a folder, light and dark, wide and on
// a phone. SITEWALK_SHOTS names a folder that keeps the screenshots.
func look(t *testing.T, dir string, files ...string) []sight {
	t.Helper()
	return lookIn(t, "", dir, files...)
}

// lookIn is look in some of the views, as "light,narrow-dark".
func lookIn(t *testing.T, views, dir string, files ...string) []sight {
	t.Helper()
	pages := http.FileServer(http.Dir(dir))
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/favicon.ico" { // every browser asks for one
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
	args := []string{"", shots}
	for _, file := range files {
		args = append(args, server.URL+"/"+file)
	}
	script, err := os.ReadFile(filepath.Join("testdata", "browser", "look.cjs"))
	if err != nil {
		t.Fatal(err)
	}
	args[0] = filepath.Join(npmDir(t), "look.cjs")
	write(t, npmDir(t), "look.cjs", string(script))
	out, stderr, err := try(t, npmDir(t), []string{"CHROMIUM=" + tool(t, "chromium-headless-shell"), "VIEWS=" + views}, tool(t, "node"), args...)
	if err != nil {
		t.Fatalf("%v\n%s", err, stderr)
	}
	var sights []sight
	if err := json.Unmarshal([]byte(out), &sights); err != nil {
		t.Fatal(err)
	}
	return sights
}

// clear fails unless every view shows all text, on this side of the least
// contrast that WCAG 2.2 (1.4.3) allows, and without scrolling to the side.
func (s *sight) clear(t *testing.T) {
	t.Helper()
	if len(s.Views) != 8 {
		t.Fatalf("%s: %d views", s.URL, len(s.Views))
	}
	for _, v := range s.Views {
		// Of a site that does not say its language, none is known.
		barriers := slices.DeleteFunc(v.Barriers, func(b string) bool { return strings.HasPrefix(b, "html-has-lang: <html>") })
		if len(barriers) > 0 {
			t.Errorf("%s, %s: %q", s.URL, v.View, barriers)
		}
		if len(v.Said) > 0 || len(v.Elsewhere) > 0 {
			t.Errorf("%s, %s: the console says %q; requests to %q", s.URL, v.View, v.Said, v.Elsewhere)
		}
		if v.Texts == 0 || v.Shown != v.Texts || v.Wider > 0 {
			t.Errorf("%s, %s: %d of %d texts are shown, %d pixels too wide", s.URL, v.View, v.Shown, v.Texts, v.Wider)
		}
		if v.Least.Ratio < 4.5 {
			t.Errorf("%s, %s: contrast %.2f of %q", s.URL, v.View, v.Least.Ratio, v.Least.Text)
		}
	}
}

// named returns the names of all that have a role, and of headings that level.
func (s *sight) named(role string, level int) (names []string) {
	for _, n := range s.Tree {
		if n.Role == role && n.Level == level {
			names = append(names, n.Name)
		}
	}
	return names
}

// TestBrowser looks at the page for people, the styled XML and a styled index
// in a real browser.
func TestBrowser(t *testing.T) {
	const pages = 120
	dir := lake(t, pages)
	long := "public/blog/" + strings.Repeat("unbreakable", 12) + "/index.html"
	write(t, dir, long, "<!doctype html><title>"+strings.Repeat("Donaudampfschifffahrt", 8)+"</title><img src=/a.jpg>")
	write(t, dir, "public/arabic/a/index.html", "<!doctype html><html lang=ar><title>مرحبا بالعالم</title>")
	write(t, dir, "public/arabic/b/index.html", "<!doctype html><title>B</title>")
	config := `base_url: https://example.internal/
images: true
rules: [{files: "docs/**", priority: 0.8, changefreq: weekly}]
output: {stylesheet: true, %s}
`
	write(t, dir, "sitemap.yaml", fmt.Sprintf(config, "page: sitemap.html"))
	do(t, dir, sitewalk, "-q")
	write(t, dir, "split.yaml", fmt.Sprintf(config, "name: split.xml, max_urls: 40"))
	do(t, dir, sitewalk, "-q", "-c", "split.yaml")

	public := filepath.Join(dir, "public")
	sights := look(t, public, "sitemap.html", "sitemap.xml", "split.xml")
	for i := range sights {
		sights[i].clear(t)
	}
	people := &sights[0]
	sections := []string{"Arabic", "Blog (Blog)", "Blog (blog)", "Blog 2", "Docs", "Straße", "example.internal"}
	if h := people.named("heading", 1); len(h) != 1 || h[0] != "example.internal" {
		t.Errorf("main headings %q", h)
	}
	h := people.named("heading", 2)
	slices.Sort(h)
	if !slices.Equal(h, sections) {
		t.Errorf("headings of sections %q", h)
	}
	links := people.named("link", 0)
	if len(links) != pages+3+1 || slices.Contains(links, "") {
		t.Errorf("%d links are told, want each page and the site: %q", len(links), links)
	}
	for role, want := range map[string]int{"banner": 1, "main": 1, "list": len(sections), "DisclosureTriangle": len(sections)} {
		if got := len(people.named(role, 0)); got != want {
			t.Errorf("%d of role %s, want %d", got, role, want)
		}
	}
	told := sights[1].named("StaticText", 0)
	for _, e := range entries(t, filepath.Join(public, "sitemap.xml")) {
		if !slices.Contains(told, e.Loc) || e.LastMod != "" && !slices.Contains(told, e.LastMod) {
			t.Errorf("the styled XML does not tell %s %s", e.Loc, e.LastMod)
		}
	}
	if told := sights[2].named("StaticText", 0); !slices.Contains(told, "https://example.internal/split-docs.xml") {
		t.Errorf("the styled index does not tell its sitemaps: %q", told)
	}
}

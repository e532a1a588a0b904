//go:build e2e && linux

package e2e

import (
	"encoding/json"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// A mappedSite is a built site with the sitemaps that its generator wrote.
type mappedSite struct {
	name, dir, publish string
	ownSitemaps        []string // paths below publish
	args               []string // arguments of sitewalk
}

// TestOwnSitemaps serves built sites and checks the URLs in the sitemaps of their generators. It
// compares the numbers of wrong URLs with the table in docs/comparison.md, and checks that sitewalk
// lists no wrong URL.
func TestOwnSitemaps(t *testing.T) {
	table := "| sitemap of | URLs | wrong |\n|---|---|---|\n"
	for _, m := range mappedSites(t) {
		own := m.takeOwnEntries(t)
		base, ours := m.listURLs(t)
		classify := m.serve(t, base)
		for _, loc := range ours {
			if got := classify(loc); got != "page" {
				t.Errorf("%s: sitewalk lists %s, which is of class %q, want page", m.name, loc, got)
			}
		}
		count, dated := map[string]int{}, 0 // by class; entries with the date of the build
		listed := map[string]bool{}
		for _, e := range own {
			count[classify(e.Loc)]++
			listed[pagePath(t, e.Loc)] = true
			if isBuildDate(e.LastMod) {
				dated++
			}
		}
		unlisted := slices.DeleteFunc(ours, func(loc string) bool { return listed[pagePath(t, loc)] })
		var wrong []string
		for _, cell := range []struct {
			n    int
			text string
		}{
			{len(unlisted), "missing"},
			{count["noindex"], "`noindex`"},
			{count["canonical"], "other canonical"},
			{count["redirect"], "redirects"},
			{count["error page"], "error pages"},
			{count["no URL"], "no URL"},
			{dated, "date of the build"},
		} {
			if cell.n > 0 {
				wrong = append(wrong, fmt.Sprintf("%s: %d", cell.text, cell.n))
			}
		}
		table += fmt.Sprintf("| %s | %d | %s |\n", m.name, len(own), strings.Join(wrong, ", "))
		if n := count["absent"]; n > 0 {
			t.Errorf("%s: the sitemap lists %d URLs that the site does not serve; the table has no column for them", m.name, n)
		}
	}
	page, err := os.ReadFile("../../docs/comparison.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), table) {
		t.Errorf("docs/comparison.md does not contain this table:\n%s", table)
	}
}

// buildDay is the day on which the tests started. Within a minute after midnight, it is the day before.
var buildDay = time.Now().UTC().Add(-time.Minute).Format(time.DateOnly)

func isBuildDate(lastmod string) bool { return lastmod >= buildDay }

// mappedSites builds a site with each generator.
func mappedSites(t *testing.T) (all []mappedSite) {
	plugins := map[string]string{"hugo": "Hugo", "jekyll": "jekyll-sitemap", "mkdocs": "MkDocs"}
	for _, g := range generatedSites {
		dir := g.buildCopy(t)
		all = append(all, mappedSite{name: plugins[g.name], dir: dir, publish: g.publish, ownSitemaps: g.ownSitemaps})
	}
	for _, sample := range []struct{ file, name string }{
		{"sphinx", "sphinx-sitemap"},
		{"eleventy", "Eleventy, a template"},
		{"astro", "@astrojs/sitemap"},
		{"vitepress", "VitePress"},
		{"hexo", "hexo-generator-sitemap"},
		{"antora", "Antora"},
	} {
		p := newSample(t, filepath.Join("testdata", "generators", sample.file+".txtar"))
		p.build(t)
		all = append(all, mappedSite{name: sample.name, dir: p.dir, publish: p.lists["PUBLISH"][0], ownSitemaps: p.lists["OWN"]})
	}
	dir := t.TempDir()
	for name, text := range readRecordedSite("docusaurus/bare") {
		writeFile(t, dir, name, text)
	}
	return append(all, mappedSite{
		name: "Docusaurus", dir: dir, publish: "public", ownSitemaps: []string{"sitemap.xml"}, args: []string{"public", "-b", siteURL, "--host", "github"},
	})
}

// takeOwnEntries reads the sitemaps of the generator and removes them.
func (m mappedSite) takeOwnEntries(t *testing.T) (all []entry) {
	for _, name := range m.ownSitemaps {
		file := filepath.Join(m.dir, m.publish, filepath.FromSlash(name))
		all = append(all, readEntries(t, file)...)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// listURLs returns the base URL of the site and the URLs that sitewalk lists.
func (m mappedSite) listURLs(t *testing.T) (base *url.URL, locs []string) {
	var report struct {
		Base  string `json:"base_url"`
		Pages []struct {
			URL, LastMod string
			Listed       bool
		}
	}
	err := json.Unmarshal([]byte(run(t, m.dir, sitewalk, append([]string{"--json", "-n"}, m.args...)...)), &report)
	if err == nil {
		base, err = url.Parse(report.Base)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range report.Pages {
		if p.Listed {
			locs = append(locs, p.URL)
		}
		if p.Listed && isBuildDate(p.LastMod) {
			t.Errorf("%s: sitewalk lists %s with %s, the date of the build", m.name, p.URL, p.LastMod)
		}
	}
	return base, locs
}

// pagePath returns the path of a URL without index.html and trailing slash.
func pagePath(t *testing.T, loc string) string {
	u, err := url.Parse(loc)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimSuffix(u.Path, "index.html"), "/")
}

var (
	noindexMeta   = regexp.MustCompile(`<meta name="?robots"? content="?[^">]*noindex`)
	refreshMeta   = regexp.MustCompile(`http-equiv="?refresh`)
	canonicalLink = regexp.MustCompile(`<link rel="?canonical"? href=(?:"([^"]+)"|([^"> ]+))`)
)

// serve serves the site below the path of its base URL. As most hosts do, the server also serves
// a.html as a, and adds the slash of a folder. The returned function requests a URL and returns the
// class of the response: "page", or the reason why a sitemap should not list the URL.
func (m mappedSite) serve(t *testing.T, base *url.URL) (classify func(loc string) string) {
	root, address := t.TempDir(), freeAddress(t)
	at := filepath.Join(root, "public", filepath.FromSlash(base.Path))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(m.dir, m.publish), at); err != nil {
		t.Fatal(err)
	}
	startNginx(t, root, address, []string{"location / { try_files $uri $uri.html @files; }", "location @files { }"})
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return func(loc string) string {
		u, err := url.Parse(loc)
		if err != nil {
			t.Fatal(err)
		}
		if strings.ContainsFunc(loc, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return "no URL"
		}
		response, err := client.Get("http://" + address + u.EscapedPath())
		if err != nil {
			t.Fatal(err)
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		if err != nil {
			t.Fatal(err)
		}
		canonical := canonicalLink.FindSubmatch(body)
		switch {
		case response.StatusCode/100 == 3, refreshMeta.Match(body):
			return "redirect"
		case response.StatusCode != 200:
			return "absent"
		case noindexMeta.Match(body):
			return "noindex"
		case strings.HasPrefix(strings.TrimPrefix(u.Path, base.Path), "404"):
			return "error page"
		case canonical != nil && pagePath(t, html.UnescapeString(string(canonical[1])+string(canonical[2]))) != pagePath(t, loc):
			return "canonical"
		}
		return "page"
	}
}

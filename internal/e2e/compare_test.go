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

// A mapped is a built site with the sitemaps that came with it.
type mapped struct {
	name, dir, publish string
	own                []string // below publish
	args               []string // of sitewalk
}

// TestOwnSitemaps compares what the generators' own sitemaps list with what a web
// server answers, and the table of docs/comparison.md to that.
func TestOwnSitemaps(t *testing.T) {
	table := "| sitemap of | URLs | wrong |\n|---|---|---|\n"
	for _, m := range mappedSites(t) {
		own := m.entries(t)
		base, ours := m.ours(t)
		ask := m.serve(t, base)
		for _, loc := range ours {
			if got := ask(loc); got != "page" {
				t.Errorf("%s: sitewalk lists %s, and that is: %s", m.name, loc, got)
			}
		}
		found, dated := map[string]int{}, 0
		listed := map[string]bool{}
		for _, e := range own {
			found[ask(e.Loc)]++
			listed[served(t, e.Loc)] = true
			if ofBuild(e.LastMod) {
				dated++
			}
		}
		lost := slices.DeleteFunc(ours, func(loc string) bool { return listed[served(t, loc)] })
		var wrong []string
		for _, count := range []struct {
			n    int
			what string
		}{
			{len(lost), "missing"},
			{found["noindex"], "`noindex`"},
			{found["canonical"], "other canonical"},
			{found["redirect"], "redirects"},
			{found["error page"], "error pages"},
			{found["no URL"], "no URL"},
			{dated, "date of the build"},
		} {
			if count.n > 0 {
				wrong = append(wrong, fmt.Sprintf("%s: %d", count.what, count.n))
			}
		}
		table += fmt.Sprintf("| %s | %d | %s |\n", m.name, len(own), strings.Join(wrong, ", "))
		if n := found["absent"]; n > 0 {
			t.Errorf("%s lists %d addresses where nothing is, which the table does not count", m.name, n)
		}
	}
	page, err := os.ReadFile("../../docs/comparison.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), table) {
		t.Errorf("docs/comparison.md does not have this table:\n%s", table)
	}
}

// before is the day on which the sites were built, or an earlier one at midnight.
var before = time.Now().UTC().Add(-time.Minute).Format(time.DateOnly)

func ofBuild(lastmod string) bool { return lastmod >= before }

// mappedSites builds the sites, each as its generator does.
func mappedSites(t *testing.T) (all []mapped) {
	plugins := map[string]string{"hugo": "Hugo", "jekyll": "jekyll-sitemap", "mkdocs": "MkDocs"}
	for _, g := range generatedSites {
		dir := g.built(t)
		all = append(all, mapped{name: plugins[g.name], dir: dir, publish: g.publish, own: g.own})
	}
	for _, one := range []struct{ file, name string }{
		{"sphinx", "sphinx-sitemap"},
		{"eleventy", "Eleventy, a template"},
		{"astro", "@astrojs/sitemap"},
		{"vitepress", "VitePress"},
		{"hexo", "hexo-generator-sitemap"},
		{"antora", "Antora"},
	} {
		p := newSample(t, filepath.Join("testdata", "generators", one.file+".txtar"))
		p.run(t)
		all = append(all, mapped{name: one.name, dir: p.dir, publish: p.lists["PUBLISH"][0], own: p.lists["OWN"]})
	}
	dir := t.TempDir()
	for name, text := range recorded("docusaurus/bare") {
		write(t, dir, name, text)
	}
	return append(all, mapped{
		name: "Docusaurus", dir: dir, publish: "public", own: []string{"sitemap.xml"}, args: []string{"public", "-b", own, "--host", "github"},
	})
}

// entries reads the site's own sitemaps, and removes them.
func (m mapped) entries(t *testing.T) (all []entry) {
	for _, name := range m.own {
		file := filepath.Join(m.dir, m.publish, filepath.FromSlash(name))
		all = append(all, entries(t, file)...)
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
	}
	return all
}

// ours are the addresses that sitewalk lists, and that of the site.
func (m mapped) ours(t *testing.T) (base *url.URL, locs []string) {
	var report struct {
		Base  string `json:"base_url"`
		Pages []struct {
			URL, LastMod string
			Listed       bool
		}
	}
	err := json.Unmarshal([]byte(do(t, m.dir, sitewalk, append([]string{"--json", "-n"}, m.args...)...)), &report)
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
		if p.Listed && ofBuild(p.LastMod) {
			t.Errorf("%s: sitewalk dates %s %s", m.name, p.URL, p.LastMod)
		}
	}
	return base, locs
}

// served is the path at which a server finds the page of an address, however that
// is spelt.
func served(t *testing.T, loc string) string {
	u, err := url.Parse(loc)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSuffix(strings.TrimSuffix(u.Path, "index.html"), "/")
}

var (
	saysNoindex = regexp.MustCompile(`<meta name="?robots"? content="?[^">]*noindex`)
	refreshes   = regexp.MustCompile(`http-equiv="?refresh`)
	canonical   = regexp.MustCompile(`<link rel="?canonical"? href=(?:"([^"]+)"|([^"> ]+))`)
)

// serve serves the site below its own path, as most hosts do: a.html also as a,
// and a folder with its slash. It returns what says what is at an address.
func (m mapped) serve(t *testing.T, base *url.URL) (ask func(loc string) string) {
	root, address := t.TempDir(), freeAddress(t)
	at := filepath.Join(root, "public", filepath.FromSlash(base.Path))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(m.dir, m.publish), at); err != nil {
		t.Fatal(err)
	}
	nginx(t, root, address, []string{"location / { try_files $uri $uri.html @files; }", "location @files { }"})
	client := &http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	return func(loc string) string {
		u, err := url.Parse(loc)
		if err != nil {
			t.Fatal(err)
		}
		if strings.ContainsFunc(loc, func(r rune) bool { return r <= ' ' || r > '~' }) {
			return "no URL"
		}
		answer, err := client.Get("http://" + address + u.EscapedPath())
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		body, err := io.ReadAll(answer.Body)
		if err != nil {
			t.Fatal(err)
		}
		to := canonical.FindSubmatch(body)
		switch {
		case answer.StatusCode/100 == 3, refreshes.Match(body):
			return "redirect"
		case answer.StatusCode != 200:
			return "absent"
		case saysNoindex.Match(body):
			return "noindex"
		case strings.HasPrefix(strings.TrimPrefix(u.Path, base.Path), "404"):
			return "error page"
		case to != nil && served(t, html.UnescapeString(string(to[1])+string(to[2]))) != served(t, loc):
			return "canonical"
		}
		return "page"
	}
}

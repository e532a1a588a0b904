//go:build e2e

package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A deployer is a site on Netlify that is deployed again after a week's work.
type deployer struct {
	dir, publish, content string
	build                 []string
	alias                 string // the key of a page's former addresses
}

func hugoDeployer(t *testing.T) *deployer {
	d := &deployer{t.TempDir(), "public", "content", []string{tool(t, "hugo"), "--quiet"}, "aliases"}
	const layout = `<!doctype html><html><head><title>{{ .Title }}</title>{{ with .Params.robots }}<meta name=robots content="{{ . }}">{{ end }}</head><body>{{ .Content }}</body></html>`
	write(t, d.dir, "hugo.toml", "baseURL = 'https://example.internal/'\ntitle = 'Site'\ndisableKinds = ['taxonomy', 'term', 'section', 'RSS', 'sitemap']\n")
	write(t, d.dir, "layouts/_default/single.html", layout)
	write(t, d.dir, "layouts/index.html", layout)
	write(t, d.dir, "content/_index.md", "---\ntitle: Home\n---\n")
	return d
}

func jekyllDeployer(t *testing.T) *deployer {
	d := &deployer{t.TempDir(), "_site", ".", []string{tool(t, "jekyll"), "build", "--quiet"}, "redirect_from"}
	write(t, d.dir, "_config.yml", "url: https://example.internal\npermalink: pretty\nplugins: [jekyll-redirect-from]\ninclude: [_redirects]\nexclude: [sitemap.yaml, old.xml]\ndefaults:\n  - scope: {path: \"\"}\n    values: {layout: page}\n")
	write(t, d.dir, "_layouts/page.html", `<!doctype html><html><head><title>{{ page.title }}</title>{% if page.robots %}<meta name=robots content="{{ page.robots }}">{% endif %}</head><body>{{ content }}</body></html>`)
	write(t, d.dir, "index.md", "---\ntitle: Home\n---\n")
	return d
}

// page writes a page with a line of front matter, "" being none.
func (d *deployer) page(t *testing.T, name, front string) {
	write(t, d.dir, filepath.Join(d.content, name+".md"), "---\ntitle: About "+filepath.Base(name)+"\n"+front+"\n---\nText of "+name+".\n")
}

func (d *deployer) move(t *testing.T, from, to string) {
	name := func(s string) string { return filepath.Join(d.dir, d.content, filepath.FromSlash(s)) }
	err := os.MkdirAll(filepath.Dir(name(to)), 0o755)
	if err == nil {
		err = os.Rename(name(from), name(to))
	}
	if err != nil {
		t.Fatal(err)
	}
}

func (d *deployer) redirects(t *testing.T, lines string) {
	to := map[string]string{"public": "static/_redirects", "_site": "_redirects"}[d.publish]
	write(t, d.dir, to, lines)
}

// deploy builds the site and its sitemap, and keeps that as the published one.
func (d *deployer) deploy(t *testing.T) {
	if err := os.RemoveAll(filepath.Join(d.dir, d.publish)); err != nil {
		t.Fatal(err)
	}
	do(t, d.dir, d.build[0], d.build[1:]...)
}

// place is a line and a column of a page.
var place = regexp.MustCompile(`(index\.html):\d+:\d+`)

// TestDeploys lives through a week of a site with real Hugo and real Jekyll: a
// section is renamed, a page is lost, one becomes noindex, one gets an alias, a
// redirect goes nowhere, and one is a chain. What diff says of it is the example
// of docs/guard.md.
func TestDeploys(t *testing.T) {
	src, err := os.ReadFile("../../docs/guard.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```\n(lost .*?)```").FindStringSubmatch(string(src))
	if example == nil {
		t.Fatal("docs/guard.md has no example of diff")
	}
	for name, site := range map[string]func(*testing.T) *deployer{"hugo": hugoDeployer, "jekyll": jekyllDeployer} {
		t.Run(name, func(t *testing.T) {
			d := site(t)
			write(t, d.dir, "sitemap.yaml", "host: netlify\nlastmod: []\n")
			for _, p := range []string{"blog/lakes", "blog/rivers", "contact", "team", "prices", "offer", "start"} {
				d.page(t, p, "")
			}
			d.deploy(t)
			do(t, d.dir, sitewalk, "-q")
			before, err := os.ReadFile(filepath.Join(d.dir, d.publish, "sitemap.xml"))
			if err != nil {
				t.Fatal(err)
			}
			write(t, d.dir, "old.xml", string(before))

			d.move(t, "blog/lakes.md", "stories/lakes.md")
			d.move(t, "blog/rivers.md", "stories/rivers.md")
			if err := os.Remove(filepath.Join(d.dir, d.content, "contact.md")); err != nil {
				t.Fatal(err)
			}
			d.page(t, "team", "robots: noindex")
			d.move(t, "prices.md", "costs.md")
			d.page(t, "costs", d.alias+": [/prices/]")
			d.move(t, "offer.md", "news.md")
			d.move(t, "start.md", "begin.md")
			d.redirects(t, "/blog/lakes/ /stories/lakes/ 301\n/offer/ /offers/ 301\n/start/ /first/ 301\n/first/ /begin/ 301\n")
			d.deploy(t)
			out, stderr, err := try(t, d.dir, nil, sitewalk, "diff", "old.xml")
			if err == nil {
				t.Errorf("diff does not fail\n%s%s", out, stderr)
			}
			said, want := strings.NewReplacer("_site/", "public/", "add to static/", "add to ", own, "https://example.com/").Replace(out), example[1]
			if name == "jekyll" { // whose templates have other lines
				said, want = place.ReplaceAllString(said, "$1"), place.ReplaceAllString(want, "$1")
			}
			if said != want {
				t.Errorf("diff says\n%sand docs/guard.md\n%s\n%s", out, example[1], stderr)
			}
		})
	}
}

// TestOfferedAliases moves pages on a host without redirects, pastes the aliases
// that diff offers into their front matter, and lets Hugo and Jekyll build again:
// then each page is moved.
func TestOfferedAliases(t *testing.T) {
	for name, site := range map[string]func(*testing.T) *deployer{"hugo": hugoDeployer, "jekyll": jekyllDeployer} {
		t.Run(name, func(t *testing.T) {
			d := site(t)
			write(t, d.dir, "sitemap.yaml", "host: github\nlastmod: []\n")
			pages := []string{"lakes", "über", "a+b", "it's", "half%"}
			for _, p := range pages {
				d.page(t, "blog/"+p, "")
			}
			if name == "hugo" {
				pages = append(pages, "toml")
				write(t, d.dir, "content/blog/toml.md", "+++\ntitle = 'TOML'\n+++\nText\n")
			}
			d.deploy(t)
			do(t, d.dir, sitewalk, "-q")
			before, err := os.ReadFile(filepath.Join(d.dir, d.publish, "sitemap.xml"))
			if err != nil {
				t.Fatal(err)
			}
			write(t, d.dir, "old.xml", string(before))
			for _, p := range pages {
				d.move(t, "blog/"+p+".md", "stories/"+p+".md")
			}
			d.deploy(t)
			lost := d.changes(t, "lost")
			for _, c := range lost {
				file := filepath.Join(d.dir, filepath.FromSlash(c.In))
				src, err := os.ReadFile(file)
				if err != nil || c.Fix == "" {
					t.Fatalf("%s: %v, %q", c.URL, err, c.Fix)
				}
				first, rest, _ := strings.Cut(string(src), "\n")
				write(t, d.dir, c.In, first+"\n"+c.Fix+"\n"+rest)
			}
			if len(lost) != len(pages) {
				t.Fatalf("%d of %d pages are lost: %v", len(lost), len(pages), lost)
			}
			d.deploy(t)
			if moved := d.changes(t, "moved"); len(moved) != len(pages) {
				t.Errorf("%d of %d pages are moved; the others: %v", len(moved), len(pages), d.changes(t, ""))
			}
		})
	}
}

// A change is one of diff's report.
type change struct{ Class, URL, To, Reason, Fix, In string }

// changes returns the changes of one class, "" being all, since old.xml.
func (d *deployer) changes(t *testing.T, class string) (cs []change) {
	out, stderr, _ := try(t, d.dir, nil, sitewalk, "diff", "old.xml", "--json")
	var report struct{ Changes struct{ List []change } }
	if err := json.Unmarshal([]byte(out), &report); err != nil {
		t.Fatal(err, stderr)
	}
	for _, c := range report.Changes.List {
		if class == "" || c.Class == class {
			cs = append(cs, c)
		}
	}
	return cs
}

// TestCheckGenerators checks what real generators build with the sitemaps that
// they write themselves: what is right is not reported, and of what is wrong
// each fault is named. Of healthy pages nothing is said.
func TestCheckGenerators(t *testing.T) {
	for _, tt := range []struct {
		name, publish string
		build         []string
		codes         string
	}{
		{"hugo", "public", []string{"hugo", "--quiet"}, "listed-hidden not-listed"},
		{"jekyll", "_site", []string{"jekyll", "build", "--quiet"}, "listed-hidden"},
		{"mkdocs", "site", []string{"mkdocs", "build", "--quiet"}, "not-listed same-date"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := copyTree(t, filepath.Join("testdata", tt.name))
			if tt.name == "mkdocs" { // of fewer than ten pages a common day says nothing
				for i := range 6 {
					write(t, dir, fmt.Sprintf("docs/note-%d.md", i), "# A note\n")
				}
			}
			do(t, dir, tool(t, tt.build[0]), tt.build[1:]...)
			out, stderr, _ := try(t, dir, nil, sitewalk, "check", "-v")
			for _, m := range regexp.MustCompile(`(?m)^.*sitemap.xml.*(error|warning): .*\[([a-z-]+)\]$|^.*\[not-listed\]$`).FindAllStringSubmatch(stderr, -1) {
				code := m[2]
				if code == "" {
					code = "not-listed"
				}
				if !strings.Contains(" "+tt.codes+" ", " "+code+" ") {
					t.Errorf("%s", m[0])
				}
			}
			if of := regexp.MustCompile(`\[(cut-page|empty-page|soft-404|open-preview)\]`).FindString(stderr); of != "" {
				t.Errorf("%s of a healthy site\n%s", of, stderr)
			}
			for code := range strings.FieldsSeq(tt.codes) {
				if !strings.Contains(stderr, "["+code+"]") {
					t.Errorf("%s is not found\n%s%s", code, out, stderr)
				}
			}
		})
	}
}

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

// A redesignedSite is a site whose pages move between two builds.
type redesignedSite struct {
	dir, publish, content string
	buildCommand          []string
	aliasKey              string // front matter key for the old URLs of a page
}

func newRedesignedHugo(t *testing.T) *redesignedSite {
	d := &redesignedSite{t.TempDir(), "public", "content", []string{toolPath(t, "hugo"), "--quiet"}, "aliases"}
	const layout = `<!doctype html><html><head><title>{{ .Title }}</title>{{ with .Params.robots }}<meta name=robots content="{{ . }}">{{ end }}</head><body>{{ .Content }}</body></html>`
	writeFile(t, d.dir, "hugo.toml", "baseURL = 'https://example.internal/'\ntitle = 'Site'\ndisableKinds = ['taxonomy', 'term', 'section', 'RSS', 'sitemap']\n")
	writeFile(t, d.dir, "layouts/_default/single.html", layout)
	writeFile(t, d.dir, "layouts/index.html", layout)
	writeFile(t, d.dir, "content/_index.md", "---\ntitle: Home\n---\n")
	return d
}

func newRedesignedJekyll(t *testing.T) *redesignedSite {
	d := &redesignedSite{t.TempDir(), "_site", ".", []string{toolPath(t, "jekyll"), "build", "--quiet"}, "redirect_from"}
	writeFile(t, d.dir, "_config.yml", "url: https://example.internal\npermalink: pretty\nplugins: [jekyll-redirect-from]\ninclude: [_redirects]\nexclude: [sitemap.yaml, old.xml]\ndefaults:\n  - scope: {path: \"\"}\n    values: {layout: page}\n")
	writeFile(t, d.dir, "_layouts/page.html", `<!doctype html><html><head><title>{{ page.title }}</title>{% if page.robots %}<meta name=robots content="{{ page.robots }}">{% endif %}</head><body>{{ content }}</body></html>`)
	writeFile(t, d.dir, "index.md", "---\ntitle: Home\n---\n")
	return d
}

// writePage writes a content file. front is an additional line of front matter, or "".
func (d *redesignedSite) writePage(t *testing.T, name, front string) {
	writeFile(t, d.dir, filepath.Join(d.content, name+".md"), "---\ntitle: About "+filepath.Base(name)+"\n"+front+"\n---\nText of "+name+".\n")
}

// movePage moves a content file.
func (d *redesignedSite) movePage(t *testing.T, from, to string) {
	name := func(s string) string { return filepath.Join(d.dir, d.content, filepath.FromSlash(s)) }
	err := os.MkdirAll(filepath.Dir(name(to)), 0o755)
	if err == nil {
		err = os.Rename(name(from), name(to))
	}
	if err != nil {
		t.Fatal(err)
	}
}

// writeRedirects writes the _redirects file of the site.
func (d *redesignedSite) writeRedirects(t *testing.T, lines string) {
	to := map[string]string{"public": "static/_redirects", "_site": "_redirects"}[d.publish]
	writeFile(t, d.dir, to, lines)
}

// build removes the publish directory and runs the generator.
func (d *redesignedSite) build(t *testing.T) {
	if err := os.RemoveAll(filepath.Join(d.dir, d.publish)); err != nil {
		t.Fatal(err)
	}
	run(t, d.dir, d.buildCommand[0], d.buildCommand[1:]...)
}

// position matches the line and the column after the name of a page.
var position = regexp.MustCompile(`(index\.html):\d+:\d+`)

// TestDiffExample makes typical changes to a Hugo site and a Jekyll site: a renamed section, a
// deleted page, a noindex page, an alias, a broken redirect and a redirect chain. It checks that
// diff prints the example in docs/guard.md.
func TestDiffExample(t *testing.T) {
	src, err := os.ReadFile("../../docs/guard.md")
	if err != nil {
		t.Fatal(err)
	}
	example := regexp.MustCompile("(?s)```\n(lost .*?)```").FindStringSubmatch(string(src))
	if example == nil {
		t.Fatal("docs/guard.md has no example of diff")
	}
	for name, newSite := range map[string]func(*testing.T) *redesignedSite{"hugo": newRedesignedHugo, "jekyll": newRedesignedJekyll} {
		t.Run(name, func(t *testing.T) {
			d := newSite(t)
			writeFile(t, d.dir, "sitemap.yaml", "host: netlify\nlastmod: []\n")
			for _, p := range []string{"blog/lakes", "blog/rivers", "contact", "team", "prices", "offer", "start"} {
				d.writePage(t, p, "")
			}
			d.build(t)
			run(t, d.dir, sitewalk, "-q")
			before, err := os.ReadFile(filepath.Join(d.dir, d.publish, "sitemap.xml"))
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, d.dir, "old.xml", string(before))

			d.movePage(t, "blog/lakes.md", "stories/lakes.md")
			d.movePage(t, "blog/rivers.md", "stories/rivers.md")
			if err := os.Remove(filepath.Join(d.dir, d.content, "contact.md")); err != nil {
				t.Fatal(err)
			}
			d.writePage(t, "team", "robots: noindex")
			d.movePage(t, "prices.md", "costs.md")
			d.writePage(t, "costs", d.aliasKey+": [/prices/]")
			d.movePage(t, "offer.md", "news.md")
			d.movePage(t, "start.md", "begin.md")
			d.writeRedirects(t, "/blog/lakes/ /stories/lakes/ 301\n/offer/ /offers/ 301\n/start/ /first/ 301\n/first/ /begin/ 301\n")
			d.build(t)
			out, stderr, err := tryRun(t, d.dir, nil, sitewalk, "diff", "old.xml")
			if err == nil {
				t.Errorf("diff succeeds, want an error\n%s%s", out, stderr)
			}
			got, want := strings.NewReplacer("_site/", "public/", "add to static/", "add to ", siteURL, "https://example.com/").Replace(out), example[1]
			if name == "jekyll" { // the template of Jekyll has other positions
				got, want = position.ReplaceAllString(got, "$1"), position.ReplaceAllString(want, "$1")
			}
			if got != want {
				t.Errorf("diff prints\n%swant the example in docs/guard.md\n%s\n%s", out, example[1], stderr)
			}
		})
	}
}

// TestSuggestedAliases moves pages on a host without redirects. It adds the aliases that diff
// suggests to their front matter, and checks that diff then reports the pages as moved.
func TestSuggestedAliases(t *testing.T) {
	for name, newSite := range map[string]func(*testing.T) *redesignedSite{"hugo": newRedesignedHugo, "jekyll": newRedesignedJekyll} {
		t.Run(name, func(t *testing.T) {
			d := newSite(t)
			writeFile(t, d.dir, "sitemap.yaml", "host: github\nlastmod: []\n")
			pages := []string{"lakes", "über", "a+b", "it's", "half%"}
			for _, p := range pages {
				d.writePage(t, "blog/"+p, "")
			}
			if name == "hugo" {
				pages = append(pages, "toml")
				writeFile(t, d.dir, "content/blog/toml.md", "+++\ntitle = 'TOML'\n+++\nText\n")
			}
			d.build(t)
			run(t, d.dir, sitewalk, "-q")
			before, err := os.ReadFile(filepath.Join(d.dir, d.publish, "sitemap.xml"))
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, d.dir, "old.xml", string(before))
			for _, p := range pages {
				d.movePage(t, "blog/"+p+".md", "stories/"+p+".md")
			}
			d.build(t)
			lost := d.changes(t, "lost")
			for _, c := range lost {
				file := filepath.Join(d.dir, filepath.FromSlash(c.In))
				src, err := os.ReadFile(file)
				if err != nil || c.Fix == "" {
					t.Fatalf("%s: %v, %q", c.URL, err, c.Fix)
				}
				first, rest, _ := strings.Cut(string(src), "\n")
				writeFile(t, d.dir, c.In, first+"\n"+c.Fix+"\n"+rest)
			}
			if len(lost) != len(pages) {
				t.Fatalf("%d pages are lost, want %d: %v", len(lost), len(pages), lost)
			}
			d.build(t)
			if moved := d.changes(t, "moved"); len(moved) != len(pages) {
				t.Errorf("%d pages are moved, want %d; all changes: %v", len(moved), len(pages), d.changes(t, ""))
			}
		})
	}
}

// A change is a change in the report of diff.
type change struct{ Class, URL, To, Reason, Fix, In string }

// changes returns the changes since old.xml of one class, or of all classes for "".
func (d *redesignedSite) changes(t *testing.T, class string) (cs []change) {
	out, stderr, _ := tryRun(t, d.dir, nil, sitewalk, "diff", "old.xml", "--json")
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

// TestCheckGenerators runs check on the sitemaps that real generators write for their sites. It
// checks that exactly the known faults are reported, and no finding about the content of the pages.
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
			if tt.name == "mkdocs" { // same-date needs at least ten pages
				for i := range 6 {
					writeFile(t, dir, fmt.Sprintf("docs/note-%d.md", i), "# A note\n")
				}
			}
			run(t, dir, toolPath(t, tt.build[0]), tt.build[1:]...)
			out, stderr, _ := tryRun(t, dir, nil, sitewalk, "check", "-v")
			for _, m := range regexp.MustCompile(`(?m)^.*sitemap.xml.*(error|warning): .*\[([a-z-]+)\]$|^.*\[not-listed\]$`).FindAllStringSubmatch(stderr, -1) {
				code := m[2]
				if code == "" {
					code = "not-listed"
				}
				if !strings.Contains(" "+tt.codes+" ", " "+code+" ") {
					t.Errorf("unexpected finding: %s", m[0])
				}
			}
			if code := regexp.MustCompile(`\[(cut-page|empty-page|soft-404|open-preview)\]`).FindString(stderr); code != "" {
				t.Errorf("check reports %s for a healthy site\n%s", code, stderr)
			}
			for code := range strings.FieldsSeq(tt.codes) {
				if !strings.Contains(stderr, "["+code+"]") {
					t.Errorf("check does not report %s\n%s%s", code, out, stderr)
				}
			}
		})
	}
}

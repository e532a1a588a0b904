//go:build e2e && linux

package channels

import (
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// weeks are the smallest sites whose builds leave nothing of what sitewalk wrote.
var weeks = []struct {
	name, script, publish string
	page                  string            // of the pages, %s
	files                 map[string]string // beside them
	text                  string            // of a page, with its title and head
}{
	{
		name: "hugo", script: "rm -rf public && hugo --quiet", publish: "public", page: "content/%s.md",
		files: map[string]string{
			"hugo.toml":           "baseURL = 'https://example.internal/'\ndisableKinds = ['taxonomy', 'term', 'RSS']\n",
			"layouts/single.html": "<!doctype html><title>{{ .Title }}</title>{{ with .Params.robots }}<meta name=robots content={{ . }}>{{ end }}<main>{{ .Content }}</main>",
			"layouts/list.html":   "<!doctype html><title>Home</title><main>Hello</main>",
		},
		text: "---\ntitle: TITLE\nrobots: ROBOTS\n---\nText\n",
	},
	{
		name: "jekyll", script: "jekyll build --quiet", publish: "_site", page: "%s.md",
		files: map[string]string{
			"_config.yml":         "url: https://example.internal\npermalink: pretty\n",
			"_layouts/plain.html": "<!doctype html><title>{{ page.title }}</title><meta name=robots content={{ page.robots }}><main>{{ content }}</main>",
			"index.md":            "---\nlayout: plain\ntitle: Home\nrobots: all\n---\nHello\n",
		},
		text: "---\nlayout: plain\ntitle: TITLE\nrobots: ROBOTS\n---\nText\n",
	},
	{
		name: "eleventy", script: "rm -rf _site && eleventy --quiet", publish: "_site", page: "%s.md",
		files: map[string]string{
			"_includes/plain.njk": "<!doctype html><title>{{ title }}</title><meta name=robots content={{ robots }}><main>{{ content | safe }}</main>",
			"index.md":            "---\nlayout: plain.njk\ntitle: Home\nrobots: all\n---\nHello\n",
		},
		text: "---\nlayout: plain.njk\ntitle: TITLE\nrobots: ROBOTS\n---\nText\n",
	},
	{
		name: "astro", script: "astro build", publish: "dist", page: "src/pages/%s.astro",
		files: map[string]string{
			"astro.config.mjs":      "import { defineConfig } from \"astro/config\";\nexport default defineConfig({ site: \"https://example.internal\" });\n",
			"src/pages/index.astro": "<html><head><title>Home</title></head><body>Hello</body></html>\n",
		},
		text: "<html><head><title>TITLE</title><meta name=\"robots\" content=\"ROBOTS\"></head><body>Text</body></html>\n",
	},
}

// TestWeek builds a site with a generator that wipes its folder, day after day, and
// holds what sitewalk says each day of what came and went.
func TestWeek(t *testing.T) {
	for _, w := range weeks {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			s := newSite(t, `{}`)
			if w.name == "astro" {
				if err := os.Symlink(tools(t, "astro"), filepath.Join(s.dir, "node_modules/astro")); err != nil {
					t.Fatal(err)
				}
			}
			publish := filepath.Join(s.dir, w.publish)
			var live atomic.Pointer[string] // the folder that is deployed
			server := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
				dir := live.Load()
				if dir == nil {
					http.NotFound(rw, r)
					return
				}
				http.FileServer(http.Dir(*dir)).ServeHTTP(rw, r)
			}))
			defer server.Close()
			for name, text := range w.files {
				s.write(name, text)
			}
			page := func(name, robots string) {
				s.write(strings.ReplaceAll(w.page, "%s", name), strings.NewReplacer("TITLE", name, "ROBOTS", robots).Replace(w.text))
			}
			said := func(want ...string) {
				t.Helper()
				s.do("sh", "-c", w.script)
				if _, err := os.Stat(filepath.Join(publish, "sitemap.xml")); err == nil && w.name != "hugo" { // which writes its own
					t.Fatal("the generator leaves our sitemap")
				}
				o := s.try("node_modules/.bin/sitewalk", "build", "-v", "-b", server.URL)
				if o.code != 0 {
					t.Fatalf("exit code %d: %s", o.code, o.stderr)
				}
				contains(t, o.stderr, want...)
			}
			for _, name := range []string{"rivers", "lakes", "oder"} {
				page(name, "all")
			}
			said("4 URLs; sitemap.xml written in ")
			if o := s.try("node_modules/.bin/sitewalk", "diff", "-b", server.URL); o.code != 0 || !strings.Contains(o.stderr, "the site has no such file yet") {
				t.Errorf("a first deploy: exit code %d: %s", o.code, o.stderr)
			}
			deployed := t.TempDir()
			s.do("cp", "-r", publish+"/.", deployed)
			live.Store(&deployed)

			page("seas", "all")
			said("1 new              0 gone", "new: "+server.URL+"/seas/")

			if err := os.Remove(filepath.Join(s.dir, strings.ReplaceAll(w.page, "%s", "oder"))); err != nil {
				t.Fatal(err)
			}
			page("lakes", "noindex")
			said("0 new              2 gone", "gone: "+server.URL+"/lakes/", "gone: "+server.URL+"/oder/")
			s.do("sh", "-c", w.script) // it is wiped again
			if o := s.try("node_modules/.bin/sitewalk", "diff", "-b", server.URL); o.code != 1 ||
				!strings.Contains(o.stdout, "lost             "+server.URL+"/oder/") || !strings.Contains(o.stdout, "hidden           "+server.URL+"/lakes/") {
				t.Errorf("the deploy would lose two: exit code %d: %s%s", o.code, o.stdout, o.stderr)
			}

			page("canals", "all")
			said("1 new              0 gone")
			contains(t, s.do("node_modules/.bin/sitewalk", "explain", "-b", server.URL, "/oder/"), "not a page of this site any more")
		})
	}
}

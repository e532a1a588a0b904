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

// wipingSites are small sites whose build removes the old publish directory.
var wipingSites = []struct {
	name, script, publish string
	pageFile              string            // file name of a page; %s is its name
	files                 map[string]string // all other files
	pageText              string            // text of a page with the placeholders TITLE and ROBOTS
}{
	{
		name: "hugo", script: "rm -rf public && hugo --quiet", publish: "public", pageFile: "content/%s.md",
		files: map[string]string{
			"hugo.toml":           "baseURL = 'https://example.internal/'\ndisableKinds = ['taxonomy', 'term', 'RSS']\n",
			"layouts/single.html": "<!doctype html><title>{{ .Title }}</title>{{ with .Params.robots }}<meta name=robots content={{ . }}>{{ end }}<main>{{ .Content }}</main>",
			"layouts/list.html":   "<!doctype html><title>Home</title><main>Hello</main>",
		},
		pageText: "---\ntitle: TITLE\nrobots: ROBOTS\n---\nText\n",
	},
	{
		name: "jekyll", script: "jekyll build --quiet", publish: "_site", pageFile: "%s.md",
		files: map[string]string{
			"_config.yml":         "url: https://example.internal\npermalink: pretty\n",
			"_layouts/plain.html": "<!doctype html><title>{{ page.title }}</title><meta name=robots content={{ page.robots }}><main>{{ content }}</main>",
			"index.md":            "---\nlayout: plain\ntitle: Home\nrobots: all\n---\nHello\n",
		},
		pageText: "---\nlayout: plain\ntitle: TITLE\nrobots: ROBOTS\n---\nText\n",
	},
	{
		name: "eleventy", script: "rm -rf _site && eleventy --quiet", publish: "_site", pageFile: "%s.md",
		files: map[string]string{
			"_includes/plain.njk": "<!doctype html><title>{{ title }}</title><meta name=robots content={{ robots }}><main>{{ content | safe }}</main>",
			"index.md":            "---\nlayout: plain.njk\ntitle: Home\nrobots: all\n---\nHello\n",
		},
		pageText: "---\nlayout: plain.njk\ntitle: TITLE\nrobots: ROBOTS\n---\nText\n",
	},
	{
		name: "astro", script: "astro build", publish: "dist", pageFile: "src/pages/%s.astro",
		files: map[string]string{
			"astro.config.mjs":      "import { defineConfig } from \"astro/config\";\nexport default defineConfig({ site: \"https://example.internal\" });\n",
			"src/pages/index.astro": "<html><head><title>Home</title></head><body>Hello</body></html>\n",
		},
		pageText: "<html><head><title>TITLE</title><meta name=\"robots\" content=\"ROBOTS\"></head><body>Text</body></html>\n",
	},
}

// TestChangesAfterWipe builds sites repeatedly with generators that remove the old sitemap. It checks
// that build, diff and explain nevertheless report the new and the lost pages.
func TestChangesAfterWipe(t *testing.T) {
	for _, w := range wipingSites {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			s := newNodeSite(t, `{}`)
			if w.name == "astro" {
				if err := os.Symlink(toolPath(t, "astro"), filepath.Join(s.dir, "node_modules/astro")); err != nil {
					t.Fatal(err)
				}
			}
			publish := filepath.Join(s.dir, w.publish)
			var live atomic.Pointer[string] // folder of the live site
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
			writePage := func(name, robots string) {
				s.write(strings.ReplaceAll(w.pageFile, "%s", name), strings.NewReplacer("TITLE", name, "ROBOTS", robots).Replace(w.pageText))
			}
			buildAndCheck := func(want ...string) {
				t.Helper()
				s.run("sh", "-c", w.script)
				if _, err := os.Stat(filepath.Join(publish, "sitemap.xml")); err == nil && w.name != "hugo" { // Hugo writes its own sitemap
					t.Fatal("the generator does not remove the old sitemap")
				}
				o := s.tryRun("node_modules/.bin/sitewalk", "build", "-v", "-b", server.URL)
				if o.code != 0 {
					t.Fatalf("exit code %d: %s", o.code, o.stderr)
				}
				checkContains(t, o.stderr, want...)
			}
			for _, name := range []string{"rivers", "lakes", "oder"} {
				writePage(name, "all")
			}
			buildAndCheck("4 URLs; sitemap.xml written in ")
			if o := s.tryRun("node_modules/.bin/sitewalk", "diff", "-b", server.URL); o.code != 0 || !strings.Contains(o.stderr, "the site has no such file yet") {
				t.Errorf("diff before the first deploy: exit code %d, want 0: %s", o.code, o.stderr)
			}
			deployed := t.TempDir()
			s.run("cp", "-r", publish+"/.", deployed)
			live.Store(&deployed)

			writePage("seas", "all")
			buildAndCheck("1 new              0 gone", "new: "+server.URL+"/seas/")

			if err := os.Remove(filepath.Join(s.dir, strings.ReplaceAll(w.pageFile, "%s", "oder"))); err != nil {
				t.Fatal(err)
			}
			writePage("lakes", "noindex")
			buildAndCheck("0 new              2 gone", "gone: "+server.URL+"/lakes/", "gone: "+server.URL+"/oder/")
			s.run("sh", "-c", w.script) // removes the sitemap again
			if o := s.tryRun("node_modules/.bin/sitewalk", "diff", "-b", server.URL); o.code != 1 ||
				!strings.Contains(o.stdout, "lost             "+server.URL+"/oder/") || !strings.Contains(o.stdout, "hidden           "+server.URL+"/lakes/") {
				t.Errorf("diff with two lost pages: exit code %d, want 1: %s%s", o.code, o.stdout, o.stderr)
			}

			writePage("canals", "all")
			buildAndCheck("1 new              0 gone")
			checkContains(t, s.run("node_modules/.bin/sitewalk", "explain", "-b", server.URL, "/oder/"), "not a page of this site any more")
		})
	}
}

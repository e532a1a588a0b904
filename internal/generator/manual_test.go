package generator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// minimalProjects contains a project of each generator. Its files set only the base URL and the
// settings that detection needs.
var minimalProjects = map[string]string{
	"hugo":       "-- hugo.toml --\nbaseURL = 'https://x.internal/'\n",
	"jekyll":     "-- _config.yml --\nurl: https://x.internal\nbaseurl: /b\n",
	"mkdocs":     "-- mkdocs.yml --\nsite_url: https://x.internal/\n",
	"zola":       "-- zola.toml --\nbase_url = 'https://x.internal'\n",
	"sphinx":     "-- conf.py --\nextensions = []\nhtml_baseurl = 'https://x.internal/'\n",
	"eleventy":   "-- eleventy.config.js --\nexport default function () {}\n",
	"astro":      "-- astro.config.mjs --\nexport default { site: 'https://x.internal', base: '/b' }\n",
	"vitepress":  "-- .vitepress/config.mjs --\nexport default { base: '/b/', sitemap: { hostname: 'https://x.internal' } }\n",
	"docusaurus": "-- docusaurus.config.js --\nexport default { url: 'https://x.internal', baseUrl: '/b/' }\n-- docs/a.md --\n-- blog/a.md --\n-- src/pages/a.md --\n",
	"next":       "-- next.config.js --\nmodule.exports = { output: 'export', basePath: '/b' }\n-- app/page.mdx --\n",
	"nuxt":       "-- nuxt.config.ts --\nexport default defineNuxtConfig({ site: { url: 'https://x.internal' }, app: { baseURL: '/b/' } })\n",
	"gatsby":     "-- gatsby-config.js --\nmodule.exports = { siteMetadata: { siteUrl: 'https://x.internal' } }\n",
	"sveltekit":  "-- svelte.config.js --\nexport default { kit: { prerender: { origin: 'https://x.internal' }, paths: { base: '/b' } } }\n",
	"hexo":       "-- _config.yml --\nurl: https://x.internal\nroot: /b/\nnew_post_name: ':title.md'\n",
	"pelican":    "-- pelicanconf.py --\nSITEURL = 'https://x.internal'\n",
	"nikola":     "-- conf.py --\nBLOG_TITLE = 'x'\nSITE_URL = 'https://x.internal'\nPOSTS = [('posts/*.md', 'posts', 'x')]\n",
	"antora":     "-- antora-playbook.yml --\nsite: {url: 'https://x.internal'}\n",
	"quarto":     "-- _quarto.yml --\nproject: {type: website}\nwebsite: {site-url: 'https://x.internal'}\n",
	"pkgdown":    "-- _pkgdown.yml --\nurl: https://x.internal\n",
	"docfx":      "-- docfx.json --\n{\"build\": {\"sitemap\": {\"baseUrl\": \"https://x.internal\"}}}\n",
	"vuepress":   "-- docs/.vuepress/config.js --\nmodule.exports = { base: '/b/' }\n",
	"documenter": "-- docs/make.jl --\nusing Documenter\nmakedocs(sitename = \"X\")\n",
	"myst":       "-- myst.yml --\nproject: {}\nsite: {}\n",
	"zensical":   "-- zensical.toml --\n[project]\nsite_url = 'https://x.internal/'\n",
	"quartz":     "-- quartz.config.ts --\nconst config = { configuration: { baseUrl: 'https://x.internal' } }\nexport default config\n",
	"mdbook":     "-- book.toml --\n[output.html]\nsite-url = '/b/'\n",
}

// TestManualListsGenerators checks that the table in docs/generators.md has one row for each
// generator, with its folders and the key of the base URL.
func TestManualListsGenerators(t *testing.T) {
	src, err := os.ReadFile(filepath.Join("..", "..", "docs", "generators.md"))
	if err != nil {
		t.Fatal(err)
	}
	manual, _, _ := strings.Cut(string(src), "## Which content file")
	for _, g := range generators {
		var rows []string
		for line := range strings.Lines(manual) {
			if strings.HasPrefix(line, "| `"+g.name+"` |") {
				rows = append(rows, line)
			}
		}
		if len(rows) != 1 {
			t.Errorf("%s has %d rows in the first table of docs/generators.md, want 1", g.name, len(rows))
			continue
		}
		if g.sitemapHint == "" {
			t.Errorf("%s has no hint about disabling its own sitemap", g.name)
		}
		projects, diags := Detect(archiveFS(minimalProjects[g.name]), "", noVariables)
		if len(projects) != 1 || projects[0].Name != g.name || len(diags) > 0 {
			t.Errorf("minimal project of %s: got %d projects and findings %v, want 1 project", g.name, len(projects), diags)
			continue
		}
		p := projects[0]
		words := append(append([]string{p.Publish[0]}, p.Content...), baseURLKeys(p)...)
		for _, word := range words {
			if !strings.Contains(rows[0], "`"+word+"`") {
				t.Errorf("row of %s does not contain `%s`:\n%s", g.name, word, rows[0])
			}
		}
		if (p.BaseURL == "") != strings.Contains(rows[0], "none: name it") {
			t.Errorf("%s: base URL is %q, but its row is\n%s", g.name, p.BaseURL, rows[0])
		}
	}
}

// baseURLKeys returns the keys that set the base URL or the base path of p.
func baseURLKeys(p Project) (keys []string) {
	for _, f := range p.Settings {
		if strings.Contains(f.Value, "://x.internal") || strings.Trim(f.Value, "/") == "b" {
			keys = append(keys, f.Key)
		}
	}
	return keys
}

// TestManualListsPublishFolders compares usualPublishDirs with the folders in
// docs/configuration.md.
func TestManualListsPublishFolders(t *testing.T) {
	manual, err := os.ReadFile(filepath.Join("..", "..", "docs", "configuration.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, line, _ := strings.Cut(string(manual), ". a conventional folder: ")
	line, _, _ = strings.Cut(line, ";")
	line = strings.ReplaceAll(line, " or ", ", ")
	if want := "`" + strings.Join(usualPublishDirs, "`, `") + "`"; line != want {
		t.Errorf("publish directories in the manual: got %s, want %s", line, want)
	}
}

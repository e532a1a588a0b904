package generator

import (
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
)

// A generator is a row of the table of generators.
type generator struct {
	name  string
	files []string // configuration files; "a.*" is a script with any extension
	npm   string   // npm packages of a generator that needs no configuration, separated by spaces

	open func(*reader, []string) config // reads the configuration; nil reads the first of its files
	is   func(config) bool              // reports whether a file is the generator's own; nil accepts every file

	publish  namedFolder // what it builds
	content  namedFolder // its content files
	relative bool        // both are relative to the folder of the configuration
	base     string      // keys of the base URL, the first that is there
	basePath string      // key of the path of the base URL
	zone     string      // key of the time zone
	settings []string    // further keys to print with -v
	place    pathRules   // rules for content files

	read func(*reader, *Project, config) // reads the remaining settings

	server    string   // as in Project
	sitemap   string   // as in Project
	sitemaps  []string // as in Project
	aliases   string   // AliasKey in Content
	archives  []string // as in Project
	templates []string // as in Project
	front     frontmatter.Conventions
}

// A namedFolder is a folder that a configuration names: by the first of some keys,
// separated by spaces, or by default.
type namedFolder struct{ keys, usual string }

// nodeFront are the conventions of most tools of Node and Python.
var nodeFront = frontmatter.Conventions{Fences: []string{"---", "---yaml", "---toml", "---json"}}

// generators is the table of generators, in the order of detection.
var generators = []*generator{
	&hugo, &jekyll,
	{
		name: "mkdocs", files: []string{"mkdocs.yml", "mkdocs.yaml"}, open: (*reader).openMkDocs,
		publish: namedFolder{"site_dir", "site"}, content: namedFolder{"docs_dir", "docs"}, base: "site_url", read: (*reader).readMkDocs,
		server:   `"mkdocs serve" builds into a folder of its own; run "mkdocs build" after a change`,
		sitemap:  "put an empty sitemap.xml into theme.custom_dir",
		archives: []string{"/blog/{archive,category,author,page}/**"},
		front:    nodeFront,
	},
	&zola,
	{
		name: "sphinx", is: isSphinx, read: (*reader).readSphinx, base: "html_baseurl", settings: []string{"language"},
		files:    []string{"conf.py", "docs/conf.py", "doc/conf.py", "source/conf.py", "docs/source/conf.py", "doc/source/conf.py"},
		sitemap:  "remove sphinx_sitemap from the extensions",
		archives: []string{"/blog/{archive,author,category,tag}{,.html,/**}"},
		front:    nodeFront,
	},
	&eleventy, &astro, &vitepress, &docusaurus,
	{
		name: "next", files: []string{"next.config.*"}, read: (*reader).readNext,
		is:      func(c config) bool { return c.get("output").str() == "export" }, // else it runs as a server
		publish: namedFolder{"distDir", "out"}, basePath: "basePath", settings: []string{"output", "trailingSlash"},
		server:   `"next dev" writes no pages; run "next build" after a change`,
		sitemap:  "remove app/sitemap or next-sitemap",
		sitemaps: []string{"sitemap-0.xml", "server-sitemap.xml"},
		front:    nodeFront,
	},
	&nuxt,
	{
		// pathPrefix holds only for builds with --prefix-paths, so it is reported only.
		name: "gatsby", files: []string{"gatsby-config.*"},
		publish: namedFolder{usual: "public"}, content: namedFolder{usual: "src/pages"}, base: "siteMetadata.siteUrl",
		settings: []string{"pathPrefix", "trailingSlash"}, place: routeRules{},
		server:   `"gatsby develop" writes no pages; run "gatsby build" after a change`,
		sitemap:  "remove gatsby-plugin-sitemap from the plugins",
		sitemaps: []string{"sitemap-index.xml", "sitemap-0.xml", "sitemap/sitemap-index.xml", "sitemap/sitemap-0.xml"},
		front:    nodeFront,
	},
	{
		name: "sveltekit", files: []string{"svelte.config.*", "vite.config.*"}, npm: "@sveltejs/kit", open: (*reader).openSvelteKit,
		publish: namedFolder{"adapter.pages", "build"}, content: namedFolder{"kit.files.routes", "src/routes"},
		base: "kit.prerender.origin", basePath: "kit.paths.base",
		place:   routeRules{plainRules: plainRules{flat: true, foldIndex: true}, entry: "+page"},
		server:  `"vite dev" writes no pages; run "vite build" after a change`,
		sitemap: "remove the site's own route",
		front:   nodeFront,
	},
	&hexo, &pelican,
	{
		name: "nikola", files: []string{"conf.py"}, is: isNikola, read: (*reader).readNikola,
		publish: namedFolder{"OUTPUT_FOLDER", "output"}, base: "BASE_URL SITE_URL", zone: "TIMEZONE",
		server:   `"nikola serve" serves what is on disk; run "nikola build" after a change`,
		sitemap:  `set DISABLED_PLUGINS = ["sitemap"] in conf.py`,
		sitemaps: []string{"sitemapindex.xml"},
		archives: []string{"/{archive,authors,categories}/**", "/archive.html", "/**/index-*.html"},
		front:    frontmatter.Conventions{Fences: []string{"---", "+++"}, Headers: true, Keys: []string{"status"}},
	},
	{
		name: "antora", files: []string{"antora-playbook.yml", "antora-playbook.yaml", "antora-playbook.json", "local-antora-playbook.yml"},
		publish: namedFolder{"output.dir", "build/site"}, base: "site.url",
		sitemap: "remove site.url from the playbook",
	},
	{
		name: "mdbook", files: []string{"book.toml"}, read: (*reader).readMdBook,
		publish: namedFolder{"build.build-dir", "book"}, content: namedFolder{"book.src", "src"}, base: "output.html.site-url",
		settings: []string{"book.language"},
		place:    plainRules{flat: true, indexes: []string{"README"}, ends: mapping.FileName, only: []string{".md"}, noPage: "SUMMARY"},
		server:   `"mdbook serve" writes local addresses into its pages; run "mdbook build" after it`,
		sitemap:  "mdBook writes none",
		front:    frontmatter.Conventions{Fences: []string{}},
	},
	{
		name: "quarto", files: []string{"_quarto.yml", "_quarto.yaml"}, is: isQuartoSite, read: (*reader).readQuarto,
		publish: namedFolder{"project.output-dir", "_site"}, content: namedFolder{usual: "."}, base: "book.site-url website.site-url",
		place:     plainRules{flat: true, ends: mapping.FileName, underscore: true, noPage: "README"},
		server:    `"quarto preview" writes pages as they are looked at; run "quarto render" after a change`,
		sitemap:   "remove site-url",
		templates: []string{"qmd", "ipynb", "rmd"},
		front:     nodeFront,
	},
	{
		name: "pkgdown", files: []string{"_pkgdown.yml", "_pkgdown.yaml", "pkgdown/_pkgdown.yml", "pkgdown/_pkgdown.yaml", "inst/_pkgdown.yml"},
		publish: namedFolder{"destination", "docs"}, base: "url",
		sitemap: "remove url from the configuration",
	},
	{
		name: "docfx", files: []string{"docfx.json", "docs/docfx.json", "doc/docfx.json", "docfx/docfx.json", "documentation/docfx.json"},
		publish: namedFolder{"build.dest build.output dest", "_site"}, base: "build.sitemap.baseUrl", relative: true,
		sitemap: "remove build.sitemap",
	},
	{
		name: "vuepress", files: []string{".vuepress/config.*", "docs/.vuepress/config.*", "src/.vuepress/config.*"},
		publish: namedFolder{usual: ".vuepress/dist"}, content: namedFolder{usual: "."}, basePath: "base", relative: true, read: (*reader).readVuePress,
		place:    plainRules{flat: true, indexes: []string{"README"}, ends: mapping.FileName, permalink: true},
		server:   `"vuepress dev" writes no pages; run "vuepress build" after a change`,
		sitemap:  "remove the sitemap plugin",
		archives: []string{"/{category,tag}/**"},
		front:    nodeFront,
	},
	{
		// The program is not read: its settings are computed as a rule.
		name: "documenter", files: []string{"docs/make.jl", "make.jl", "doc/make.jl"},
		is:      func(c config) bool { return strings.Contains(c.source, "makedocs(") },
		publish: namedFolder{usual: "build"}, relative: true,
		sitemap: "Documenter.jl writes none",
	},
	&myst,
	{
		name: "zensical", files: []string{zensicalFile}, open: (*reader).openZensical,
		publish: namedFolder{"site_dir", "site"}, content: namedFolder{"docs_dir", "docs"}, base: "site_url", read: (*reader).readMkDocs,
		server:  `"zensical serve" builds for a local address; run "zensical build" after a change`,
		sitemap: "Zensical always writes one; it is empty without site_url",
		front:   nodeFront,
	},
	{
		name: "quartz", files: []string{"quartz.config.yaml", "quartz.config.*"}, read: (*reader).readQuartz,
		is:      func(c config) bool { return c.hasAny("configuration") },
		publish: namedFolder{usual: "public"}, content: namedFolder{usual: "content"},
		place:    quartzRules{plainRules{flat: true, indexes: []string{"_index"}, ends: mapping.Bare}},
		server:   `"quartz build --serve" may leave pages of an earlier build; run "quartz build" before you publish`,
		sitemap:  "set enableSiteMap: false in ContentIndex",
		archives: []string{"/tags/**"},
		aliases:  "aliases",
		front:    nodeFront,
	},
}

// project reads a generator's project from its configuration.
func (r *reader) project(g *generator, c config) (p Project) {
	p = Project{Name: g.name, Server: g.server, Sitemap: g.sitemap, Sitemaps: g.sitemaps, Archives: g.archives, Templates: g.templates, Front: g.front}
	m := &p.Mapping
	m.AliasKey, m.rules = g.aliases, g.place
	dir := "."
	if g.relative { // such as docs of docs/.vitepress/config.ts
		dir, _, _ = strings.Cut("./"+path.Dir(c.file), "/.")
	}
	if g.publish != (namedFolder{}) {
		p.Publish = []string{path.Join(dir, p.folderOf(c, g.publish))}
	}
	if g.content != (namedFolder{}) {
		m.Trees = []Tree{{Dir: path.Join(dir, p.folderOf(c, g.content))}}
	}
	r.setBase(&p, c, g.base, p.addSetting(g.basePath, c.get(g.basePath)))
	if g.zone != "" {
		r.setZone(&p, g.zone, c.get(g.zone))
	}
	for _, key := range g.settings {
		p.addSetting(key, c.get(key))
	}
	if g.read != nil {
		g.read(r, &p, c)
	}
	p.Content = outermost(m.Trees)
	return p
}

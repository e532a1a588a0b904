package generator

import (
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
)

// A generator describes how to read the configuration of one site generator.
type generator struct {
	name  string
	files []string // names of configuration files; "a.*" means any extension of a script
	npm   string   // npm packages that imply this generator even without a configuration file, separated by spaces

	open  func(*reader, []string) config // reads the configuration from the existing files; nil means readFirstConfig
	isOwn func(*reader, config) bool     // reports whether a file belongs to this generator; nil means that every file does

	publish  namedFolder // publish directory
	content  namedFolder // content folder
	static   namedFolder // folder whose files the generator copies to the publish directory
	relative bool        // publish, content and static are relative to the folder of the configuration file
	base     string      // keys of the base URL, separated by spaces; the first key with a string value counts
	basePath string      // key of the path of the base URL
	zone     string      // key of the time zone
	rules    pathRules   // rules for the output files of content files

	read func(*reader, *Project, config) // reads the remaining settings; nil if there are none

	sitemapHint string   // see Project
	sitemaps    []string // see Project
	aliases     string   // see Mapping.AliasKey
	archives    []string // see Project
	templates   []string // see Project
	front       frontmatter.Conventions
}

// A namedFolder is a folder that a setting may name. keys are the keys of this setting, separated
// by spaces; the first key with a string value counts. If no key has a string value, the folder is
// defaultDir.
type namedFolder struct{ keys, defaultDir string }

// nodeFront contains the conventions for front matter of most generators written in JavaScript or
// Python.
var nodeFront = frontmatter.Conventions{Fences: []string{"---", "---yaml", "---toml", "---json"}}

// generators lists the supported generators in the order of detection.
var generators = []*generator{
	&hugo, &jekyll,
	{
		name: "mkdocs", files: []string{"mkdocs.yml", "mkdocs.yaml"}, isOwn: (*reader).isMkDocsConfig,
		publish: namedFolder{"site_dir", "site"}, content: namedFolder{"docs_dir", "docs"}, static: namedFolder{"docs_dir", "docs"}, base: "site_url", read: (*reader).readMkDocs,
		sitemapHint: "put an empty sitemap.xml into theme.custom_dir",
		archives:    []string{"/blog/{archive,category,author,page}/**"},
		front:       nodeFront,
	},
	&zola,
	{
		name: "sphinx", isOwn: (*reader).isSphinxConfig, read: (*reader).readSphinx, base: "html_baseurl",
		files:       []string{"conf.py", "docs/conf.py", "doc/conf.py", "source/conf.py", "docs/source/conf.py", "doc/source/conf.py"},
		sitemapHint: "remove sphinx_sitemap from the extensions",
		archives:    []string{"/blog/{archive,author,category,tag}{,.html,/**}"},
		front:       nodeFront,
	},
	&eleventy, &astro, &vitepress, &docusaurus,
	{
		name: "next", files: []string{"next.config.*"}, read: (*reader).readNext,
		isOwn:   func(_ *reader, c config) bool { return c.getKey("output").str() == "export" }, // otherwise it builds a server
		publish: namedFolder{"distDir", "out"}, static: namedFolder{defaultDir: "public"}, basePath: "basePath",
		sitemapHint: "remove app/sitemap or next-sitemap",
		sitemaps:    []string{"sitemap-0.xml", "server-sitemap.xml"},
		front:       nodeFront,
	},
	&nuxt,
	{
		// Only builds with --prefix-paths use pathPrefix, so it is not part of the base URL.
		name: "gatsby", files: []string{"gatsby-config.*"},
		publish: namedFolder{defaultDir: "public"}, content: namedFolder{defaultDir: "src/pages"}, static: namedFolder{defaultDir: "static"}, base: "siteMetadata.siteUrl",
		rules:       routeRules{},
		sitemapHint: "remove gatsby-plugin-sitemap from the plugins",
		sitemaps:    []string{"sitemap-index.xml", "sitemap-0.xml", "sitemap/sitemap-index.xml", "sitemap/sitemap-0.xml"},
		front:       nodeFront,
	},
	{
		name: "sveltekit", files: []string{"svelte.config.*", "vite.config.*"}, npm: "@sveltejs/kit", open: (*reader).openSvelteKit, read: (*reader).readSvelteKit,
		publish: namedFolder{"adapter.pages", "build"}, content: namedFolder{"kit.files.routes", "src/routes"}, static: namedFolder{"kit.files.assets", "static"},
		base: "kit.prerender.origin", basePath: "kit.paths.base",
		rules:       routeRules{plainRules: plainRules{flat: true, foldIndex: true}, entry: "+page"},
		sitemapHint: "remove the site's own route",
		front:       nodeFront,
	},
	&hexo, &pelican,
	{
		name: "nikola", files: []string{"conf.py"}, isOwn: (*reader).isNikolaConfig, read: (*reader).readNikola,
		publish: namedFolder{"OUTPUT_FOLDER", "output"}, base: "BASE_URL SITE_URL", zone: "TIMEZONE",
		sitemapHint: `set DISABLED_PLUGINS = ["sitemap"] in conf.py`,
		sitemaps:    []string{"sitemapindex.xml"},
		archives:    []string{"/{archive,authors,categories}/**", "/archive.html", "/**/index-*.html"},
		front:       frontmatter.Conventions{Fences: []string{"---", "+++"}, AllowsHeaders: true, GeneratorKeys: []string{"status"}},
	},
	{
		name: "antora", files: []string{"antora-playbook.yml", "antora-playbook.yaml", "antora-playbook.json", "local-antora-playbook.yml"},
		publish: namedFolder{"output.dir", "build/site"}, base: "site.url",
		sitemapHint: "remove site.url from the playbook",
	},
	{
		name: "mdbook", files: []string{"book.toml"}, read: (*reader).readMdBook,
		publish: namedFolder{"build.build-dir", "book"}, content: namedFolder{"book.src", "src"}, static: namedFolder{"book.src", "src"}, basePath: "output.html.site-url",
		rules:       plainRules{flat: true, indexes: []string{"README"}, ends: mapping.FileName, onlyExts: []string{".md"}, noPageName: "SUMMARY"},
		sitemapHint: "mdBook writes none",
		front:       frontmatter.Conventions{Fences: []string{}},
	},
	{
		name: "quarto", files: []string{"_quarto.yml", "_quarto.yaml"}, isOwn: (*reader).isQuartoSite, read: (*reader).readQuarto,
		publish: namedFolder{"project.output-dir", "_site"}, content: namedFolder{defaultDir: "."}, base: "book.site-url website.site-url",
		rules:       plainRules{flat: true, ends: mapping.FileName, underscore: true, noPageName: "README"},
		sitemapHint: "remove site-url",
		templates:   []string{"qmd", "ipynb", "rmd"},
		front:       nodeFront,
	},
	{
		name: "pkgdown", files: []string{"_pkgdown.yml", "_pkgdown.yaml", "pkgdown/_pkgdown.yml", "pkgdown/_pkgdown.yaml", "inst/_pkgdown.yml"},
		publish: namedFolder{"destination", "docs"}, base: "url",
		sitemapHint: "remove url from the configuration",
	},
	{
		name: "docfx", files: []string{"docfx.json", "docs/docfx.json", "doc/docfx.json", "docfx/docfx.json", "documentation/docfx.json"},
		publish: namedFolder{"build.dest build.output dest", "_site"}, base: "build.sitemap.baseUrl", relative: true,
		sitemapHint: "remove build.sitemap",
	},
	{
		name: "vuepress", files: []string{".vuepress/config.*", "docs/.vuepress/config.*", "src/.vuepress/config.*"},
		publish: namedFolder{defaultDir: ".vuepress/dist"}, content: namedFolder{defaultDir: "."}, static: namedFolder{defaultDir: ".vuepress/public"}, basePath: "base", relative: true, read: (*reader).readVuePress,
		rules:       plainRules{flat: true, indexes: []string{"README"}, ends: mapping.FileName, permalink: true},
		sitemapHint: "remove the sitemap plugin",
		archives:    []string{"/{category,tag}/**"},
		front:       nodeFront,
	},
	{
		// sitewalk does not parse make.jl, because its settings are usually computed.
		name: "documenter", files: []string{"docs/make.jl", "make.jl", "doc/make.jl"},
		isOwn:   func(_ *reader, c config) bool { return strings.Contains(c.source, "makedocs(") },
		publish: namedFolder{defaultDir: "build"}, relative: true,
		sitemapHint: "Documenter.jl writes none",
	},
	&myst,
	{
		name: "zensical", files: []string{zensicalFile}, open: (*reader).openZensical,
		publish: namedFolder{"site_dir", "site"}, content: namedFolder{"docs_dir", "docs"}, static: namedFolder{"docs_dir", "docs"}, base: "site_url", read: (*reader).readMkDocs,
		sitemapHint: "Zensical always writes one; it is empty without site_url",
		front:       nodeFront,
	},
	{
		name: "quartz", files: []string{"quartz.config.yaml", "quartz.config.*"}, read: (*reader).readQuartz,
		isOwn:   func(_ *reader, c config) bool { return c.hasAny("configuration") },
		publish: namedFolder{defaultDir: "public"}, content: namedFolder{defaultDir: "content"},
		rules:       quartzRules{plainRules{flat: true, indexes: []string{"_index"}, ends: mapping.Bare}},
		sitemapHint: "set enableSiteMap: false in ContentIndex",
		archives:    []string{"/tags/**"},
		aliases:     "aliases",
		front:       nodeFront,
	},
}

// newProject returns the Project of a site that the generator g builds with the configuration c.
func (r *reader) newProject(g *generator, c config) (p Project) {
	p = Project{Name: g.name, SitemapHint: g.sitemapHint, Sitemaps: g.sitemaps, Archives: g.archives, Templates: g.templates, Front: g.front}
	m := &p.Mapping
	m.AliasKey, m.rules = g.aliases, g.rules
	dir := "."
	if g.relative { // for example, "docs" for docs/.vitepress/config.ts
		dir, _, _ = strings.Cut("./"+path.Dir(c.file), "/.")
	}
	if g.publish != (namedFolder{}) {
		p.Publish = []string{path.Join(dir, p.resolveNamedFolder(c, g.publish))}
	}
	if g.content != (namedFolder{}) {
		m.Trees = []Tree{{Dir: path.Join(dir, p.resolveNamedFolder(c, g.content))}}
	}
	if g.static.defaultDir != "" {
		_, v := c.firstStringKey(g.static.keys)
		p.Static.Dir = path.Join(dir, cleanFolder(v.str(), g.static.defaultDir))
	}
	r.setBaseURLFromKeys(&p, c, g.base, p.addSetting(g.basePath, c.getKey(g.basePath)))
	if g.zone != "" {
		r.setZone(&p, g.zone, c.getKey(g.zone))
	}
	if g.read != nil {
		g.read(r, &p, c)
	}
	p.Content = outermostDirs(m.Trees)
	return p
}

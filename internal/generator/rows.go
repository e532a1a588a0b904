package generator

import (
	"cmp"
	"path"
	"strings"
	"unicode"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// This file has the functions of the rows in table.go.

// openMkDocs reads the configuration of MkDocs, unless the project uses Zensical and kept the
// file.
func (r *reader) openMkDocs(files []string) config {
	if len(r.existingFiles([]string{zensicalFile})) > 0 {
		return config{}
	}
	return r.readFirst(files, nil)
}

// zensicalFile is Zensical's configuration, which takes precedence over mkdocs.yml.
const zensicalFile = "zensical.toml"

// openZensical reads the settings of MkDocs in Zensical's table "project".
func (r *reader) openZensical(files []string) config {
	c := r.readFirst(files, nil)
	if project := c.at("project"); project != nil {
		c.value = project
	}
	return c
}

// readMkDocs reads MkDocs' and Zensical's use_directory_urls.
// https://www.mkdocs.org/user-guide/configuration/
func (r *reader) readMkDocs(p *Project, c config) {
	offline := c.at("plugins", "offline")
	isOffline := p.Name == "zensical" && offline != nil && !offline.at("enabled").isFalse()
	p.Mapping.rules = plainRules{flat: isOffline || c.at("use_directory_urls").isFalse(), indexes: []string{"README"}, ends: mapping.FileName}
}

// isSphinx reports whether a conf.py is Sphinx's.
func isSphinx(c config) bool {
	return (strings.Contains(c.source, "extensions") || strings.Contains(c.source, "html_")) && !isNikola(c)
}

// readSphinx finds the folder that Sphinx builds, which only its command names.
// https://www.sphinx-doc.org/en/master/usage/configuration.html
func (r *reader) readSphinx(p *Project, c config) {
	dir := path.Dir(c.file)
	outer := strings.TrimSuffix(strings.TrimSuffix(dir, "source"), "/")
	p.Publish = r.publishDirs(
		path.Join(outer, "_build/html"), path.Join(outer, "build/html"),
		path.Join(outer, "_build/dirhtml"), path.Join(outer, "build/dirhtml"),
	)
	p.Mapping.Trees = []Tree{{Dir: dir}}
	p.Mapping.rules = plainRules{flat: !strings.HasSuffix(p.Publish[0], "dirhtml")}
}

// readNext finds the folder of a Next.js project's pages.
// https://nextjs.org/docs/app/guides/static-exports
func (r *reader) readNext(p *Project, c config) {
	if p.Publish[0] == ".next" {
		p.Publish[0] = "out"
	}
	names := plainRules{flat: !c.at("trailingSlash").isTrue(), foldIndex: true}
	p.Mapping.rules = routeRules{plainRules: names}
	for _, dir := range []string{"app", "src/app", "pages", "src/pages"} {
		if r.isDir(dir) {
			p.Mapping.Trees = []Tree{{Dir: dir}}
			if path.Base(dir) == "app" {
				p.Mapping.rules = routeRules{plainRules: names, entry: "page"}
			}
			return
		}
	}
}

// openSvelteKit reads svelte.config.*, or the options that vite.config.* gives to
// the plugin sveltekit. The pages of adapter-static are added to them.
// https://svelte.dev/docs/kit/adapter-static
func (r *reader) openSvelteKit(files []string) config {
	c := r.readFirst(files, func(c config) bool { return c.hasAny("kit") || len(c.script.callArguments("sveltekit")) > 0 })
	if c == (config{}) {
		return c
	}
	options := c.value
	if plugin := c.script.callArgument("sveltekit"); !options.hasAny("kit") {
		options = newTable(plugin.position())
		options.set("kit", plugin)
	}
	adapter := newTable(options.position())
	adapter.set("adapter", c.script.callArgument("adapter"))
	c.value = options.merge(adapter)
	return c
}

// isNikola reports whether a conf.py is Nikola's. Sphinx has one, too.
func isNikola(c config) bool { return strings.Contains(c.source, "BLOG_TITLE") }

// readNikola reads the languages, and the folders of posts and pages.
// https://getnikola.com/handbook.html
func (r *reader) readNikola(p *Project, c config) {
	m := &p.Mapping
	m.DefaultLanguage = cmp.Or(p.addSetting("DEFAULT_LANG", c.at("DEFAULT_LANG")), "en")
	c.at("TRANSLATIONS").eachEntry(func(name string, v *value) { p.addLanguage(name, "", v) })
	for _, key := range []string{"POSTS", "PAGES"} {
		for _, v := range c.at(key).items() {
			from := v.item(0).str()
			to, ok := v.item(1).asString() // else one for each language
			if ok && from != "" && !strings.Contains(path.Dir(from), "*") {
				m.Trees = append(m.Trees, Tree{Dir: path.Dir(from), Prefix: to})
			}
		}
	}
	m.rules = nikolaRules{plainRules{flat: c.at("PRETTY_URLS").isFalse()}}
}

type nikolaRules struct{ plainRules }

// outputFile puts a slug in the place of the name, and languages other than the
// default one into a folder.
func (n nikolaRules) outputFile(c *Content, s source, f *page.Facts) (out, note string) {
	return n.joinOutput(path.Join(c.langDir(s.lang), s.dir), cmp.Or(f.Slug, s.name)), ""
}

// readMdBook finds the folder of the HTML, if mdBook writes other forms too.
// https://rust-lang.github.io/mdBook/format/configuration/
func (r *reader) readMdBook(p *Project, c config) {
	if outputs := c.at("output"); outputs != nil && len(outputs.keys) > 1 {
		p.Publish = r.publishDirs(path.Join(p.Publish[0], "html"), p.Publish[0])[:1]
	}
}

// isQuartoSite reports whether a project makes a site: by default it makes documents.
func isQuartoSite(c config) bool {
	kind := c.at("project", "type").str()
	return kind == "website" || kind == "book"
}

// readQuarto finds the folder of a book.
// https://quarto.org/docs/reference/projects/books.html
func (r *reader) readQuarto(p *Project, c config) {
	if c.at("project", "type").str() == "book" && c.at("project", "output-dir") == nil {
		p.Publish = []string{"_book"}
	}
}

// readVuePress reads dest, which is relative to the project's root.
// https://vuepress.vuejs.org/reference/config.html
func (r *reader) readVuePress(p *Project, c config) {
	if dest := c.at("dest"); dest.str() != "" {
		p.Publish = []string{p.resolveFolder("dest", dest, "")}
	}
}

// readQuartz reads the base URL, which has no scheme in Quartz. Version 4 has a script as
// configuration, version 5 a YAML file.
// https://quartz.jzhao.xyz/configuration
func (r *reader) readQuartz(p *Project, c config) {
	base := c.at("configuration", "baseUrl")
	if s := base.str(); s != "" && !strings.Contains(s, "://") {
		base = &value{scalar: "https://" + s, pos: base.pos}
	}
	r.setBaseURL(p, "baseUrl", base, "")
}

type quartzRules struct{ plainRules }

func (q quartzRules) outputFile(_ *Content, s source, _ *page.Facts) (out, note string) {
	return q.joinOutput(quartzSlug(s.dir), quartzSlug(s.name)), ""
}

// alias returns "", because the versions of Quartz differ.
func (quartzRules) alias(*Content, source, string, string) string { return "" }

// quartzSlug returns a path as Quartz writes it in addresses. It keeps case and letters.
func quartzSlug(name string) string {
	return quartzNames.Replace(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return '-'
		}
		return r
	}, name))
}

var quartzNames = strings.NewReplacer("&", "-and-", "%", "-percent", "?", "", "#", "")

package generator

import (
	"cmp"
	"path"
	"strings"
	"unicode"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// This file contains the functions of generators that have no file of their own.

// isMkDocsConfig reports whether mkdocs.yml is the configuration of the site. It returns false if
// the project also has a configuration of Zensical, which replaces MkDocs.
func (r *reader) isMkDocsConfig(config) bool {
	return len(r.existingFiles([]string{zensicalFile})) == 0
}

// zensicalFile is the name of Zensical's configuration file.
const zensicalFile = "zensical.toml"

// openZensical reads the configuration of Zensical. The table "project" of the file has the same
// settings as MkDocs.
func (r *reader) openZensical(files []string) config {
	c := r.readFirstConfig(files, nil)
	if project := c.at("project"); project != nil {
		c.value = project
	}
	return c
}

// readMkDocs reads the settings of MkDocs or Zensical that determine output files and redirects.
// See https://www.mkdocs.org/user-guide/configuration/
func (r *reader) readMkDocs(p *Project, c config) {
	offline := c.at("plugins", "offline")
	isOffline := p.Name == "zensical" && offline != nil && !offline.at("enabled").isFalse()
	p.Mapping.rules = plainRules{flat: isOffline || c.at("use_directory_urls").isFalse(), indexes: []string{"README"}, ends: mapping.FileName}
	for _, plugin := range c.at("plugins").items() {
		if plugin.str() == "redirects" || plugin.hasAny("redirects") {
			p.Mapping.RedirectMap = "redirect_maps in " + c.file
		}
	}
}

// isSphinxConfig reports whether c, the content of conf.py, is a configuration of Sphinx. Nikola
// uses the same file name.
func (r *reader) isSphinxConfig(c config) bool {
	return (strings.Contains(c.source, "extensions") || strings.Contains(c.source, "html_")) && !r.isNikolaConfig(c)
}

// readSphinx sets the folders of a Sphinx project and the form of its output files. It guesses the
// publish directory from the existing folders, because only the build command names it.
// See https://www.sphinx-doc.org/en/master/usage/configuration.html
func (r *reader) readSphinx(p *Project, c config) {
	dir := path.Dir(c.file)
	outer := strings.TrimSuffix(strings.TrimSuffix(dir, "source"), "/")
	p.Publish = r.existingOrFirst(
		path.Join(outer, "_build/html"), path.Join(outer, "build/html"),
		path.Join(outer, "_build/dirhtml"), path.Join(outer, "build/dirhtml"),
	)
	p.Mapping.Trees = []Tree{{Dir: dir}}
	p.Mapping.rules = plainRules{flat: !strings.HasSuffix(p.Publish[0], "dirhtml")}
	extra := c.at("html_extra_path").item(0).str()
	if extra == "" {
		extra = "extra"
		hint := `with html_extra_path = ["extra"] in ` + c.file
		p.Static = StaticFolder{RedirectsHint: hint, PageHint: hint}
	}
	p.Static.Dir = path.Join(dir, extra)
}

// readNext sets the ending of URLs and the folder of the routes of a Next.js project.
// See https://nextjs.org/docs/app/guides/static-exports
func (r *reader) readNext(p *Project, c config) {
	if p.Publish[0] == ".next" {
		p.Publish[0] = "out"
	}
	p.NextEnding = mapping.Bare
	if c.at("trailingSlash").isTrue() {
		p.NextEnding = mapping.Slashed
	}
	names := plainRules{flat: p.NextEnding == mapping.Bare, foldIndex: true}
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

// openSvelteKit reads the configuration of SvelteKit: svelte.config.*, or the options of the plugin
// in vite.config.*. In the result, the key "adapter" contains the argument of the call adapter(…),
// which for adapter-static is a table of options.
// See https://svelte.dev/docs/kit/adapter-static
func (r *reader) openSvelteKit(files []string) config {
	c := r.readFirstConfig(files, func(_ *reader, c config) bool { return c.hasAny("kit") || len(c.script.callArguments("sveltekit")) > 0 })
	if c == (config{}) {
		return c
	}
	options := c.value
	if plugin := c.script.onlyCallArgument("sveltekit"); !options.hasAny("kit") {
		options = newTable(plugin.position())
		options.set("kit", plugin)
	}
	adapter := newTable(options.position())
	adapter.set("adapter", c.script.onlyCallArgument("adapter"))
	c.value = options.merge(adapter)
	return c
}

// readSvelteKit sets p.Fallback to the name of the page that adapter-static writes for a
// single-page application.
func (r *reader) readSvelteKit(p *Project, c config) {
	p.Fallback = p.addSetting("adapter.fallback", c.getKey("adapter.fallback"))
}

// isNikolaConfig reports whether c, the content of conf.py, is a configuration of Nikola. Sphinx
// uses the same file name.
func (*reader) isNikolaConfig(c config) bool { return strings.Contains(c.source, "BLOG_TITLE") }

// readNikola reads the languages, and the folders of posts and pages.
// See https://getnikola.com/handbook.html
func (r *reader) readNikola(p *Project, c config) {
	m := &p.Mapping
	m.DefaultLanguage = cmp.Or(p.addSetting("DEFAULT_LANG", c.at("DEFAULT_LANG")), "en")
	c.at("TRANSLATIONS").eachEntry(func(name string, v *value) { p.addLanguage(name, "", v) })
	for _, key := range []string{"POSTS", "PAGES"} {
		for _, v := range c.at(key).items() {
			from := v.item(0).str()                       // "" for a table with a glob for each language
			to, ok := v.item(1).orEmpty().scalar.(string) // not ok for a table with a folder for each language
			if ok && from != "" && !strings.Contains(path.Dir(from), "*") {
				m.Trees = append(m.Trees, Tree{Dir: path.Dir(from), Prefix: to})
			}
		}
	}
	m.rules = nikolaRules{plainRules{flat: c.at("PRETTY_URLS").isFalse()}}
}

type nikolaRules struct{ plainRules }

// outputFile returns the output file for the slug in the front matter, or else for the name of the
// file. Pages in other languages than the default language are in a language folder.
func (n nikolaRules) outputFile(m *Mapping, s source, f *page.Facts) (out, whyUnknown string) {
	return n.outputPath(path.Join(m.langDir(s.lang), s.dir), cmp.Or(f.Slug, s.name)), ""
}

// readMdBook finds the folder with the HTML if mdBook also writes other formats.
// See https://rust-lang.github.io/mdBook/format/configuration/
func (r *reader) readMdBook(p *Project, c config) {
	if outputs := c.at("output"); outputs != nil && len(outputs.keys) > 1 {
		p.Publish = r.existingOrFirst(path.Join(p.Publish[0], "html"), p.Publish[0])[:1]
	}
}

// isQuartoSite reports whether c configures a website or a book. Other Quarto projects only render
// single documents.
func (*reader) isQuartoSite(c config) bool {
	kind := c.at("project", "type").str()
	return kind == "website" || kind == "book"
}

// readQuarto sets the publish directory of a book to "_book" if the configuration has no
// output-dir. The default for a website, "_site", is already set.
// See https://quarto.org/docs/reference/projects/books.html
func (r *reader) readQuarto(p *Project, c config) {
	if c.at("project", "type").str() == "book" && c.at("project", "output-dir") == nil {
		p.Publish = []string{"_book"}
	}
}

// readVuePress reads the setting dest, which is relative to the root of the project.
// See https://vuepress.vuejs.org/reference/config.html
func (r *reader) readVuePress(p *Project, c config) {
	if dest := c.at("dest"); dest.str() != "" {
		p.Publish = []string{p.resolveFolder("dest", dest, "")}
	}
}

// readQuartz sets the base URL, and adds "https://" if it has no scheme, because Quartz expects a
// URL without one. The configuration is a script in version 4 and a YAML file in version 5.
// See https://quartz.jzhao.xyz/configuration
func (r *reader) readQuartz(p *Project, c config) {
	base := c.at("configuration", "baseUrl")
	if s := base.str(); s != "" && !strings.Contains(s, "://") {
		base = &value{scalar: "https://" + s, pos: base.pos}
	}
	r.setBaseURL(p, "baseUrl", base, "")
}

type quartzRules struct{ plainRules }

func (q quartzRules) outputFile(_ *Mapping, s source, _ *page.Facts) (out, whyUnknown string) {
	return q.outputPath(quartzSlug(s.dir), quartzSlug(s.name)), ""
}

// redirectFile always returns "", which means that the file is unknown. The path of a redirect file
// depends on the version of Quartz.
func (quartzRules) redirectFile(*Mapping, source, string, string) (unknown string) { return "" }

// quartzSlug converts a path to the form that Quartz uses in URLs: "My Page?" gives "My-Page". It
// replaces spaces, "&" and "%", removes "?" and "#", and does not change the case.
func quartzSlug(name string) string {
	return quartzNames.Replace(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return '-'
		}
		return r
	}, name))
}

// quartzNames replaces or removes the characters that Quartz does not allow in URLs.
var quartzNames = strings.NewReplacer("&", "-and-", "%", "-percent", "?", "", "#", "")

package generator

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/internal/glob"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
)

var hugo = generator{
	name: "hugo", open: (*reader).openHugo, read: (*reader).readHugo,
	files: []string{
		"hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config.toml", "config.yaml", "config.yml", "config.json",
		"config",
	},
	sitemapHint: `set disableKinds = ["sitemap"]`,
	static:      namedFolder{"staticdir", "static"},
	aliases:     "aliases",
	front:       frontmatter.Conventions{NestedKey: "params", TitleInURL: true, GeneratorKeys: []string{"cascade"}},
}

// readHugo reads the settings of a Hugo project.
// See https://gohugo.io/configuration/introduction/
func (r *reader) readHugo(p *Project, c config) {
	p.Publish = []string{p.resolveFolder("publishDir", c.at("publishdir"), "public")}
	r.setZone(p, "timeZone", c.at("timezone"))
	m := &p.Mapping
	m.Drafts, m.Future = c.at("builddrafts").isTrue(), c.at("buildfuture").isTrue()
	h := &hugoRules{
		plainRules:    plainRules{ends: mapping.FileName},
		permalinks:    readHugoPermalinks(r.limitRules(c.at("permalinks")), ""),
		keepCase:      c.at("disablepathtolower").isTrue(),
		removeAccents: c.at("removepathaccents").isTrue(),
		disabledKinds: c.at("disablekinds").stringList(),
		uglyURLs:      c.at("uglyurls").isTrue(),
		pager:         cmp.Or(c.at("pagination", "path").str(), c.at("paginatepath").str(), "page"),
	}
	m.rules = h
	c.at("taxonomies").eachEntry(func(_ string, v *value) { h.taxonomies = append(h.taxonomies, v.str()) })
	if !c.hasAny("taxonomies") {
		h.taxonomies = []string{"tags", "categories"}
	}
	c.at("uglyurls").eachEntry(func(section string, v *value) {
		if v.isTrue() {
			h.uglySections = append(h.uglySections, section)
		}
	})
	p.Archives = h.archiveGlobs(len(c.at("languages").orEmpty().keys) > 1)
	m.cascades = readHugoCascades(r.limitRules(c.at("cascade")))
	p.readHugoDates(h, c.at("frontmatter"), c.at("enablegitinfo").isTrue())
	r.readHugoLanguages(p, h, c.value)
	r.readHugoBaseURLs(p, c.value)
	for _, l := range m.Languages {
		p.SitemapDirs = append(p.SitemapDirs, l.Name)
	}
	readHugoTrees(p, c.value)
}

// openHugo reads the configuration of Hugo from several files and merges them. In the root, only
// the first file that belongs to Hugo is used. The folder "config/_default" overrides this file.
// The folder of the environment, usually "config/production", overrides both. Environment variables
// such as HUGO_BASEURL override all files. files are the existing configuration files.
func (r *reader) openHugo(files []string) config {
	var c *value
	for _, file := range files {
		if v := r.readHugoFile(file); v != nil && (strings.HasPrefix(file, "hugo.") || isHugoConfig(v)) {
			c = v
			break
		}
	}
	env := cmp.Or(r.getenv("HUGO_ENVIRONMENT"), r.getenv("HUGO_ENV"), "production")
	for _, sub := range []string{"_default", env} {
		if d := r.readHugoConfigDir(path.Join("config", sub)); d != nil {
			c = c.merge(d)
		}
	}
	if c != nil {
		r.applyHugoEnv(c)
	}
	return config{value: c}
}

// readHugoFile parses a configuration file and converts its keys to lower case, as Hugo does. The
// result is nil if the file is missing, cannot be parsed or contains no table.
func (r *reader) readHugoFile(file string) *value {
	return r.readDocument(file, strict.Options{FoldCase: true}).asTable()
}

// isHugoConfig reports whether c, the content of a file config.*, is a configuration of Hugo. Zola
// and other programs use the same file names.
func isHugoConfig(c *value) bool {
	return !c.hasAny("base_url") && c.hasAny(
		"baseurl", "publishdir", "contentdir", "languagecode", "defaultcontentlanguage", "theme",
		"permalinks", "taxonomies", "markup", "outputs",
	)
}

// readHugoConfigDir reads all TOML, YAML and JSON files in dir, such as "config/_default", and
// merges them. The files hugo.* and config.* may contain any key. Any other file contains only the
// value of the key that its name implies; see nestHugoConfig. The result is nil if there is no such
// file.
func (r *reader) readHugoConfigDir(dir string) *value {
	entries, err := fs.ReadDir(r.root, dir)
	if err != nil {
		return nil
	}
	var c *value
	for _, e := range entries {
		stem, ext := cutExt(e.Name())
		if !slices.Contains([]string{".toml", ".yaml", ".yml", ".json"}, ext) {
			continue
		}
		if v := r.readHugoFile(path.Join(dir, e.Name())); v != nil {
			c = c.merge(nestHugoConfig(v, strings.ToLower(stem)))
		}
	}
	return c
}

// nestHugoConfig returns v, the content of a file in "config", under the key that the file name
// implies. stem is the file name in lower case, without its extension. "params" gives {params: v},
// "languages.de" and "hugo.de" give {languages: {de: v}}, and "hugo" gives v itself. If v contains
// only the key, as in {params: …}, the key is not added again. The result is nil for other files of
// a language, such as "menus.de", because sitewalk does not use them.
// See config/configLoader.go of Hugo.
func nestHugoConfig(v *value, stem string) *value {
	key, lang := cutExt(stem)
	isMain := key == "hugo" || key == "config"
	keys := []string{key}
	switch {
	case lang == "" && isMain:
		return v
	case isMain, lang != "" && key == "languages":
		keys = []string{"languages", lang[1:]}
	case lang != "":
		return nil
	}
	if last := keys[len(keys)-1]; v.at(last) != nil && len(v.keys) == 1 {
		v = v.at(last)
	}
	for _, k := range slices.Backward(keys) {
		outer := newTable(v.pos)
		outer.set(k, v)
		v = outer
	}
	return v
}

// applyHugoEnv overrides keys of the configuration c with the values of environment variables, such
// as baseurl with HUGO_BASEURL. It supports only the keys below.
func (r *reader) applyHugoEnv(c *value) {
	for _, key := range []string{"baseurl", "publishdir", "contentdir", "timezone", "defaultcontentlanguage"} {
		name := "HUGO_" + strings.ToUpper(key)
		if s := r.getenv(name); s != "" {
			v := &value{scalar: s}
			v.pos.File = "$" + name
			c.set(key, v)
		}
	}
}

// readHugoPermalinks reads v, the value of the setting "permalinks". v is a list of patterns with
// conditions, a table of patterns by section, or a table of such tables by page kind. In the
// result, a list keeps its order, and the patterns of a table begin with inner sections. A pattern
// without a condition on the language applies only to the language lang, or to all languages if
// lang is "".
// See https://gohugo.io/configuration/permalinks/
func readHugoPermalinks(v *value, lang string) (all []permalink) {
	if v != nil && v.kind == list {
		for _, w := range v.list {
			t := w.at("target")
			all = append(all, permalink{
				kind: strings.ToLower(t.at("kind").str()), path: strings.ToLower(t.at("path").str()),
				lang: cmp.Or(strings.ToLower(t.at("lang").str()), lang), pattern: w.at("pattern").str(),
			})
		}
		return all
	}
	add := func(section, kind string, w *value) {
		l := permalink{path: "/*", kind: kind, lang: lang, pattern: w.str()} // the section "/" means pages outside of all sections
		if name := strings.Trim(section, " /"); name != "" {
			l.path = "/" + glob.Quote(name) + "{,/**}"
		}
		all = append(all, l)
	}
	v.eachEntry(func(key string, w *value) {
		if w.kind != table {
			add(key, "{page,term}", w)
		}
		w.eachEntry(func(section string, x *value) { add(section, key, x) })
	})
	slices.SortStableFunc(all, func(a, b permalink) int { return cmp.Compare(len(b.path), len(a.path)) }) // inner sections first
	return all
}

// archiveGlobs returns globs for the URL paths of the lists that Hugo generates: "/tags/**" for a
// taxonomy, and "/**/page/*/" for the second and further pages of lists. If hasLanguages is true,
// the globs of taxonomies also match in language folders.
func (h *hugoRules) archiveGlobs(hasLanguages bool) (globs []string) {
	in := "/"
	if hasLanguages {
		in = "/{,*/}"
	}
	for _, name := range h.taxonomies {
		globs = append(globs, in+name+"/**")
	}
	return append(globs, "/**/"+h.pager+"/*/")
}

// hugoAliases maps a front matter key to the further keys that Hugo tries after this key.
// See https://gohugo.io/configuration/front-matter/
var hugoAliases = map[string][]string{
	"lastmod":     {"modified"},
	"publishdate": {"pubdate", "published"},
	"expirydate":  {"unpublishdate"},
}

// readHugoDates reads v, the table [frontmatter] of Hugo, into p.Front.DateOrder and p.Sources. For
// each kind of date, the table lists the front matter keys that may contain it: lastmod =
// ["modified", ":git"]. If a list contains ":filename", readHugoDates sets h.usesNameDate. If a
// list begins with ":filename", it also sets h.prefersNameDate. gitInfo is the setting
// enableGitInfo.
// See https://gohugo.io/configuration/front-matter/#dates
func (p *Project) readHugoDates(h *hugoRules, v *value, gitInfo bool) {
	orders := map[string][]string{}
	v.eachEntry(func(key string, w *value) {
		for _, k := range w.stringList() {
			k = strings.ToLower(k)
			orders[key] = append(append(orders[key], k), hugoAliases[k]...)
		}
	})
	if len(orders) > 0 {
		p.Front.DateOrder = orders
	}
	for _, order := range orders { // if any date comes from the file name, the slug does too
		if i := slices.Index(order, ":filename"); i >= 0 {
			h.usesNameDate = true
			h.prefersNameDate = h.prefersNameDate || i == 0
		}
	}
	p.Sources = hugoLastModSources(orders["lastmod"], gitInfo)
}

// hugoSources maps the keys in Hugo's setting frontmatter.lastmod to sitewalk's sources of lastmod.
// A key that is not in the map has the source "frontmatter".
var hugoSources = map[string][]string{
	":default": {"git", "frontmatter", "date"}, ":git": {"git"},
	"date": {"date"}, "publishdate": {"date"}, "pubdate": {"date"}, "published": {"date"},
	":filemodtime": nil, // not used, because a checkout gives all files the same time
}

// hugoLastModSources returns the sources of lastmod that Hugo uses, the most important first. order
// is the setting frontmatter.lastmod, or nil if it is not set. The result always contains
// "frontmatter". It contains "git" only if gitInfo, the setting enableGitInfo, is true.
func hugoLastModSources(order []string, gitInfo bool) (out []string) {
	if order == nil {
		order = []string{":default"}
	}
	for _, key := range append(slices.Clip(order), "frontmatter") {
		sources, known := hugoSources[key]
		if !known {
			sources = []string{"frontmatter"}
		}
		for _, source := range sources {
			if !slices.Contains(out, source) && (source != "git" || gitInfo) {
				out = append(out, source)
			}
		}
	}
	return out
}

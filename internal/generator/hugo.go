package generator

import (
	"cmp"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
)

var hugo = generator{
	name: "hugo", open: (*reader).hugoConfig, read: (*reader).hugo,
	files: []string{
		"hugo.toml", "hugo.yaml", "hugo.yml", "hugo.json", "config.toml", "config.yaml", "config.yml", "config.json",
		"config", "$HUGO_CONFIGDIR",
	},
	server:  `"hugo server" may keep its pages in memory; run it without --renderToMemory, or run "hugo --watch"`,
	sitemap: `set disableKinds = ["sitemap"]`,
	aliases: "aliases",
	front:   frontmatter.Conventions{Below: "params", Titles: true, Keys: []string{"cascade"}},
}

// hugo reads a Hugo project.
// https://gohugo.io/configuration/introduction/
func (r *reader) hugo(p *Project, c config) {
	p.Publish = []string{p.folder("publishDir", c.at("publishdir"), "public")}
	r.baseURL(p, "baseURL", c.at("baseurl"), "")
	r.zone(p, "timeZone", c.at("timezone"))
	m := &p.Mapping
	m.Drafts, m.Future = c.at("builddrafts").isTrue(), c.at("buildfuture").isTrue()
	h := &hugoRules{
		plain:         plain{ends: mapping.FileName},
		permalinks:    hugoPermalinks(c.at("permalinks"), ""),
		keepCase:      c.at("disablepathtolower").isTrue(),
		removeAccents: c.at("removepathaccents").isTrue(),
		disabledKinds: disabledKinds(c.at("disablekinds")),
		taxonomies:    hugoTaxonomies(c.at("taxonomies")),
		pager:         cmp.Or(c.at("pagination", "path").str(), c.at("paginatepath").str(), "page"),
	}
	m.by = h
	p.Archives = h.archives(len(c.at("languages").get().keys) > 1)
	r.hugoSitemap(m, c.at("sitemap"))
	m.cascades = hugoCascades(c.at("cascade"))
	h.ugly(c.at("uglyurls"))
	p.hugoDates(h, c.at("frontmatter"), c.at("enablegitinfo").isTrue())
	r.hugoLanguages(p, h, c.value)
	for _, l := range m.Languages {
		p.SitemapDirs = append(p.SitemapDirs, l.Name)
	}
	hugoTrees(p, c.value)
}

// hugoConfig reads and merges Hugo's configuration: the file in the root, then
// the configuration folder's defaults, then its production environment.
func (r *reader) hugoConfig(files []string) config {
	var c *value
	for _, file := range files {
		if v := r.config(file).lower(); v != nil && (strings.HasPrefix(file, "hugo.") || hugoLike(v)) {
			c = v
			break
		}
	}
	env := cmp.Or(r.getenv("HUGO_ENVIRONMENT"), r.getenv("HUGO_ENV"), "production")
	dir := cmp.Or(r.getenv("HUGO_CONFIGDIR"), "config")
	for _, sub := range []string{"_default", env} {
		if d := r.hugoConfigDir(path.Join(dir, sub)); d != nil {
			c = c.merge(d)
		}
	}
	if c != nil {
		r.hugoEnv(c)
	}
	return config{value: c}
}

// hugoLike reports whether a file called config.* is Hugo's. Zola and others use the name, too.
func hugoLike(c *value) bool {
	return !c.has("base_url") && c.has(
		"baseurl", "publishdir", "contentdir", "languagecode", "defaultcontentlanguage", "theme",
		"permalinks", "taxonomies", "markup", "outputs",
	)
}

// hugoConfigDir merges the files of a folder below config: hugo.* and config.* have all keys, and
// every other file has the key of its name.
func (r *reader) hugoConfigDir(dir string) *value {
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
		if v := r.config(path.Join(dir, e.Name())).lower(); v != nil {
			c = c.merge(hugoBelow(v, strings.ToLower(stem)))
		}
	}
	return c
}

// hugoBelow nests v under the key that the file name implies: "params.toml" under params,
// "languages.de.toml" and "hugo.de.toml" under languages.de. Menus and parameters of one
// language do not matter. See config/configLoader.go of Hugo.
func hugoBelow(v *value, stem string) *value {
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

// hugoEnv sets the keys of a configuration that environment variables override.
func (r *reader) hugoEnv(c *value) {
	for _, key := range []string{"baseurl", "publishdir", "contentdir", "timezone", "defaultcontentlanguage"} {
		name := "HUGO_" + strings.ToUpper(key)
		if s := r.getenv(name); s != "" {
			v := &value{scalar: s}
			v.pos.File = "$" + name
			c.set(key, v)
		}
	}
}

// hugoPermalinks reads permalinks: a list of patterns with their targets, or
// patterns by section, or by kind and section.
// https://gohugo.io/configuration/permalinks/
func hugoPermalinks(v *value, lang string) (all []permalink) {
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
	v.each(func(key string, w *value) {
		if w.kind == table {
			w.each(func(section string, x *value) { all = append(all, sectionPermalink(section, lang, x, key)) })
			return
		}
		all = append(all, sectionPermalink(key, lang, w, "page", "term"))
	})
	slices.SortStableFunc(all, func(a, b permalink) int { return cmp.Compare(len(b.section), len(a.section)) })
	return all
}

// sectionPermalink returns the permalink of a section, or of the pages in none for "/".
func sectionPermalink(section, lang string, v *value, kinds ...string) permalink {
	l := permalink{section: strings.Trim(section, " /"), kinds: kinds, lang: lang, pattern: v.str()}
	if l.section == "" {
		l.path = "/*"
	}
	return l
}

// hugoTaxonomies returns the folders of the taxonomies.
func hugoTaxonomies(v *value) (all []string) {
	if v == nil {
		return []string{"tags", "categories"}
	}
	v.each(func(_ string, w *value) { all = append(all, w.str()) })
	return all
}

// archives returns the addresses of the lists that Hugo makes of taxonomies and of what
// has more than one page, in the folder of each language too.
func (h *hugoRules) archives(languages bool) (globs []string) {
	in := "/"
	if languages {
		in = "/{,*/}"
	}
	for _, name := range h.taxonomies {
		globs = append(globs, in+name+"/**")
	}
	return append(globs, "/**/"+h.pager+"/*/")
}

// disabledKinds returns disableKinds in the words of the mapping.
func disabledKinds(v *value) []string {
	kinds := v.strs()
	for i, kind := range kinds {
		kinds[i] = strings.ToLower(kind)
		if kinds[i] == "taxonomyterm" { // before Hugo 0.73
			kinds[i] = "taxonomy"
		}
	}
	return kinds
}

// hugoSitemap reads the change frequency and priority of all pages.
// https://gohugo.io/configuration/sitemap/
func (r *reader) hugoSitemap(m *Content, v *value) {
	if v == nil {
		return
	}
	d := Default{Pos: v.pos}
	r.frequency(&d, v.at("changefreq"), v.at("priority"))
	m.Defaults = append(m.Defaults, d)
}

// ugly reads uglyURLs: for all pages, or by section.
func (h *hugoRules) ugly(v *value) {
	h.uglyURLs = v.isTrue()
	v.each(func(section string, w *value) {
		if w.isTrue() {
			h.uglySections = append(h.uglySections, section)
		}
	})
}

// hugoAliases are further spellings that Hugo reads after a key.
// https://gohugo.io/configuration/front-matter/
var hugoAliases = map[string][]string{
	"lastmod":     {"modified"},
	"publishdate": {"pubdate", "published"},
	"expirydate":  {"unpublishdate"},
}

// hugoDates reads [frontmatter]: the keys of each date, and the sources of the last change.
// https://gohugo.io/configuration/front-matter/#dates
func (p *Project) hugoDates(h *hugoRules, v *value, gitInfo bool) {
	orders := map[string][]string{}
	v.each(func(key string, w *value) {
		for _, k := range w.strs() {
			k = strings.ToLower(k)
			orders[key] = append(append(orders[key], k), hugoAliases[k]...)
		}
	})
	if len(orders) > 0 {
		p.Front.DateOrder = orders
	}
	for _, order := range orders { // whichever date takes it, the slug comes with it
		if i := slices.Index(order, ":filename"); i >= 0 {
			h.nameDate = true
			h.nameDateFirst = h.nameDateFirst || i == 0
		}
	}
	p.Sources = hugoSourcesOf(orders["lastmod"], gitInfo)
}

// hugoSources are the sources of the keys in the order of lastmod. Any other key is of front
// matter.
var hugoSources = map[string][]string{
	":default": {"git", "frontmatter", "date"}, ":git": {"git"},
	"date": {"date"}, "publishdate": {"date"}, "pubdate": {"date"}, "published": {"date"},
	":filemodtime": nil, // a checkout gives all files the same
}

// hugoSourcesOf returns Hugo's sources of lastmod by priority. With enableGitInfo and the default
// order, git is the first.
func hugoSourcesOf(order []string, gitInfo bool) (out []string) {
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

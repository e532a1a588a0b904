package generator

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
)

var docusaurus = generator{
	name: "docusaurus", files: []string{"docusaurus.config.*"}, read: (*reader).docusaurus,
	server:  `"docusaurus start" writes no pages; run "docusaurus build" after a change`,
	sitemap: "sitemap: false among the options of the classic preset turns that of Docusaurus off",
	front:   frontmatter.Conventions{Fences: yamlFences, Keys: []string{"id"}},
}

// docusaurus reads a Docusaurus project: the folders of its preset, and of each
// instance of the plugins for docs, posts and pages.
// https://docusaurus.io/docs/api/docusaurus-config
func (r *reader) docusaurus(p *Project, c config) {
	p.Publish = []string{"build"}
	r.baseURL(p, "url", c.at("url"), p.setting("baseUrl", c.at("baseUrl")))
	p.setting("trailingSlash", c.at("trailingSlash"))
	m := &p.Mapping
	m.by = docusaurusRules{plain{flat: c.at("trailingSlash").isFalse(), foldIndex: true, ends: mapping.Bare}}
	docusaurusLanguages(p, c)
	for _, in := range docusaurusInstances(c) {
		trees := r.docusaurusTrees(in)
		m.Trees = append(m.Trees, trees...)
		for _, l := range m.Languages {
			m.Trees = append(m.Trees, r.docusaurusTranslations(in, trees, l.Name, m.DefaultLanguage, c.at("i18n"))...)
		}
	}
}

// docusaurusTranslations returns the folders of what of an instance is translated,
// whose pages lie below the language's own folder.
// https://docusaurus.io/docs/i18n/introduction#translation-files-location
func (r *reader) docusaurusTranslations(in instance, trees []Tree, lang, first string, i18n *value) (all []Tree) {
	if lang == first {
		return nil
	}
	plugin := "docusaurus-plugin-content-" + in.kind
	if id := in.options.at("id").str(); id != "" && id != "default" {
		plugin += "-" + id
	}
	dir := path.Join(cmp.Or(i18n.at("path").str(), "i18n"), cmp.Or(i18n.at("localeConfigs", lang, "path").str(), lang), plugin)
	for _, t := range trees {
		version := ""
		if in.kind == "docs" {
			if version = path.Base(t.Dir); !strings.Contains(t.Dir, "versioned_docs/") {
				version = "current"
			}
		}
		t.Dir, t.Prefix, t.Lang = path.Join(dir, version), path.Join(lang, t.Prefix), lang
		if r.isDir(t.Dir) {
			all = append(all, t)
		}
	}
	return all
}

// An instance is one use of a content plugin.
type instance struct {
	kind    string // "docs", "blog" or "pages"
	options *value
}

var docusaurusKinds = []string{"docs", "blog", "pages"}

// docusaurusInstances returns the uses of content plugins that are written out:
// those of the classic preset, which is taken to be there where no preset can be
// read, and those of plugins.
func docusaurusInstances(c config) (all []instance) {
	for _, plugin := range c.at("plugins").items() {
		name, options := docusaurusItem(plugin)
		for _, kind := range docusaurusKinds {
			if strings.HasSuffix(name, "content-"+kind) {
				all = append(all, instance{kind, options})
			}
		}
	}
	classic, there := (*value)(nil), c.at("presets") == nil && all == nil
	for _, preset := range c.at("presets").items() {
		if name, options := docusaurusItem(preset); name == "" || strings.Contains(name, "classic") {
			classic, there = options, true
		}
	}
	if !there {
		return all
	}
	var usual []instance
	for _, kind := range docusaurusKinds {
		if !classic.at(kind).isFalse() {
			usual = append(usual, instance{kind, classic.at(kind)})
		}
	}
	return append(usual, all...)
}

// docusaurusItem returns the name and the options of a preset or a plugin; the
// name is "" where only running the file would tell.
func docusaurusItem(v *value) (name string, options *value) {
	if pair := v.items(); len(pair) > 0 {
		name = pair[0].str()
		if len(pair) > 1 {
			options = pair[1]
		}
		return name, options
	}
	return v.str(), nil
}

// docusaurusTrees returns the content folders of an instance.
func (r *reader) docusaurusTrees(in instance) (trees []Tree) {
	o := in.options
	usual, at := in.kind, in.kind
	if in.kind == "pages" {
		usual, at = "src/pages", ""
	}
	t := Tree{Dir: cleanFolder(o.at("path").str(), usual), Prefix: route(o, at), kind: in.kind}
	if in.kind == "docs" {
		t.numbers = !o.at("numberPrefixParser").isFalse()
		trees = r.docusaurusVersions(t, o)
	} else {
		trees = []Tree{t}
	}
	return slices.DeleteFunc(trees, func(t Tree) bool {
		return !strings.HasPrefix(t.Dir, "../") && !r.isDir(t.Dir)
	})
}

// docusaurusVersions returns the folders of the versions of docs, whose current
// one is t. The last one that was released has the address of the docs, and the
// current one that of the next.
// https://docusaurus.io/docs/versioning
func (r *reader) docusaurusVersions(t Tree, o *value) []Tree {
	prefix := ""
	if id := o.at("id").str(); id != "" && id != "default" {
		prefix = id + "_"
	}
	versions := r.strings(prefix + "versions.json")
	if off := o.at("disableVersioning").isTrue(); off || len(versions) == 0 {
		return []Tree{t}
	}
	last := cmp.Or(o.at("lastVersion").str(), versions[0])
	var trees []Tree
	for _, name := range append([]string{"current"}, versions...) {
		v := t
		below := name
		switch {
		case name == last:
			below = ""
		case name == "current":
			below = "next"
		}
		if own := o.at("versions", name, "path"); own != nil {
			below = strings.Trim(own.str(), "/")
		}
		v.Prefix = strings.Trim(path.Join(t.Prefix, below), "/")
		if name != "current" {
			v.Dir = prefix + "versioned_docs/version-" + name
		}
		trees = append(trees, v)
	}
	return trees
}

// strings reads a JSON file that is a list of strings, as far as it is one.
func (r *reader) strings(file string) []string {
	src, _, ok := r.read(file)
	var all []string
	if !ok || json.Unmarshal(src, &all) != nil {
		return nil
	}
	return all
}

// route returns where a plugin's pages lie in the output; "/" is its root.
func route(v *value, usual string) string {
	return strings.Trim(cmp.Or(v.at("routeBasePath").str(), usual), "/")
}

func docusaurusLanguages(p *Project, c config) {
	m := &p.Mapping
	m.DefaultLanguage = p.setting("i18n.defaultLocale", c.at("i18n", "defaultLocale"))
	for _, v := range c.at("i18n", "locales").items() {
		if name := v.str(); name != "" {
			code := cmp.Or(c.at("i18n", "localeConfigs", name, "htmlLang").str(), name)
			m.Languages = append(m.Languages, Language{Name: name, Code: code, Pos: v.pos})
		}
	}
}

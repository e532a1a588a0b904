package generator

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

var docusaurus = generator{
	name: "docusaurus", files: []string{"docusaurus.config.*"}, read: (*reader).readDocusaurus,
	publish: namedFolder{usual: "build"}, static: namedFolder{usual: "static"}, base: "url", basePath: "baseUrl", settings: []string{"trailingSlash"},
	server:   `"docusaurus start" writes no pages; run "docusaurus build" after a change`,
	sitemap:  "set sitemap: false in the classic preset",
	archives: []string{"/**/tags/**", "/blog/{archive,authors,page}/**"},
	front:    frontmatter.Conventions{Fences: nodeFront.Fences, Keys: []string{"id"}},
}

// readDocusaurus reads the settings of a Docusaurus project. Its content folders are those of the
// preset, and those of each instance of the plugins for docs, blogs and pages.
// See https://docusaurus.io/docs/api/docusaurus-config
func (r *reader) readDocusaurus(p *Project, c config) {
	m := &p.Mapping
	m.rules = docusaurusRules{plainRules{flat: c.at("trailingSlash").isFalse(), foldIndex: true, ends: mapping.Bare}}
	readDocusaurusLanguages(p, c)
	for _, in := range docusaurusInstances(c) {
		trees := r.docusaurusTrees(in)
		m.Trees = append(m.Trees, trees...)
		for _, l := range m.Languages {
			m.Trees = append(m.Trees, r.docusaurusTranslations(in, trees, l.Name, m.DefaultLanguage, c.at("i18n"))...)
		}
	}
}

// docusaurusTranslations returns the content folders that contain the translations into lang.
// trees are the untranslated folders of the plugin instance in. The translated pages are
// published below the folder lang.
// See https://docusaurus.io/docs/i18n/introduction#translation-files-location
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

// An instance is one configured use of a content plugin.
type instance struct {
	Tree    // default content folder
	options *value
}

// docusaurusDefaults lists the content folders of the classic preset.
var docusaurusDefaults = []Tree{
	{kind: "docs", Dir: "docs", Prefix: "docs"},
	{kind: "blog", Dir: "blog", Prefix: "blog"},
	{kind: "pages", Dir: "src/pages"},
}

// docusaurusInstances returns the uses of content plugins in the preset and in the setting
// "plugins". If no preset can be read, it assumes the classic preset.
func docusaurusInstances(c config) (all []instance) {
	for _, plugin := range c.at("plugins").items() {
		for _, t := range docusaurusDefaults {
			if strings.HasSuffix(docusaurusName(plugin), "content-"+t.kind) {
				all = append(all, instance{t, plugin.item(1)})
			}
		}
	}
	classic, there := (*value)(nil), c.at("presets") == nil && all == nil
	for _, preset := range c.at("presets").items() {
		if name := docusaurusName(preset); name == "" || strings.Contains(name, "classic") {
			classic, there = preset.item(1), true
		}
	}
	if !there {
		return all
	}
	var usual []instance
	for _, t := range docusaurusDefaults {
		if !classic.at(t.kind).isFalse() {
			usual = append(usual, instance{t, classic.at(t.kind)})
		}
	}
	return append(usual, all...)
}

// docusaurusName returns the name of a preset or a plugin. v is the name, or a list of the name
// and the options. It returns "" if the name is computed.
func docusaurusName(v *value) string { return cmp.Or(v.str(), v.item(0).str()) }

// docusaurusTrees returns the existing content folders of a plugin instance.
func (r *reader) docusaurusTrees(in instance) (trees []Tree) {
	t, o := in.Tree, in.options
	t.Dir = cleanFolder(o.at("path").str(), t.Dir)
	t.Prefix = strings.Trim(cmp.Or(o.at("routeBasePath").str(), t.Prefix), "/")
	trees = []Tree{t}
	if t.kind == "docs" {
		t.numbers = !o.at("numberPrefixParser").isFalse()
		trees = r.docusaurusVersions(t, o)
	}
	return slices.DeleteFunc(trees, func(t Tree) bool {
		return !strings.HasPrefix(t.Dir, "../") && !r.isDir(t.Dir)
	})
}

// docusaurusVersions returns the content folders for all versions of the docs. t is the folder of
// the current version, which is published below "next". The last released version has the URL of
// the docs without a version.
// See https://docusaurus.io/docs/versioning
func (r *reader) docusaurusVersions(t Tree, o *value) []Tree {
	prefix := ""
	if id := o.at("id").str(); id != "" && id != "default" {
		prefix = id + "_"
	}
	versions := r.readDocument(prefix+"versions.json", strict.Options{}).strs()
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

func readDocusaurusLanguages(p *Project, c config) {
	m := &p.Mapping
	m.DefaultLanguage = p.addSetting("i18n.defaultLocale", c.at("i18n", "defaultLocale"))
	for _, v := range c.at("i18n", "locales").items() {
		if name := v.str(); name != "" {
			p.addLanguage(name, c.at("i18n", "localeConfigs", name, "htmlLang").str(), v)
		}
	}
}

var (
	// docusaurusNumber matches a file name with a leading number that only sorts. Names that
	// docusaurusVersion matches are dates or versions, and keep their number.
	docusaurusNumber  = regexp.MustCompile(`^\d+\s*[-_.]+\s*([^-_.\s].*)$`)
	docusaurusVersion = regexp.MustCompile(`^\d+[-_.]\d+|^(\d{2}|\d{4})[-_.]\d{2}([-_.](\d{2}|\d{4}))?`)
	// docusaurusPost matches the path of a blog post with a date in its name or folders.
	docusaurusPost = regexp.MustCompile(`^(.*)(\d{4}-\d{1,2}-\d{1,2}|\d{4}/\d{1,2}/\d{1,2})[-/]?(.*?)(/index)?$`)
)

type docusaurusRules struct{ plainRules }

func (docusaurusRules) whyNotRendered(_ *Content, s source) string { return underscoreReason(s) }

// outputFile returns the output file of a doc, a blog post or a page.
// See https://docusaurus.io/docs/create-doc
// See https://docusaurus.io/docs/blog
// See getSlug in Docusaurus' plugin for docs.
func (d docusaurusRules) outputFile(_ *Content, s source, f *page.Facts) (out, note string) {
	below := strings.Trim(strings.TrimPrefix(s.dir, s.tree.Prefix), "/")
	if s.tree.kind == "blog" {
		return d.joinOutput(blogPostAddress(s, below, f), "index"), ""
	}
	dir, name := below, s.name
	if s.tree.numbers {
		dir, name = trimNumbers(dir), trimNumbers(name)
	}
	switch {
	case f.Slug != "" && f.Slug[0] != '/':
		return d.joinOutput(path.Join(s.tree.Prefix, path.Join("/", dir, f.Slug)), "index"), ""
	case f.Slug != "":
		return d.joinOutput(path.Join(s.tree.Prefix, f.Slug), "index"), ""
	case strings.EqualFold(s.name, "index"), s.tree.kind == "docs" && isCategoryIndex(s.name, below):
		return d.joinOutput(path.Join(s.tree.Prefix, dir), "index"), ""
	}
	return d.joinOutput(path.Join(s.tree.Prefix, dir), cmp.Or(f.ID, name)), ""
}

// isCategoryIndex reports whether the doc is the index page of the folder dir, because it is
// called "readme" or has the name of the folder.
func isCategoryIndex(name, dir string) bool {
	low := strings.ToLower(name)
	return low == "readme" || dir != "" && low == strings.ToLower(path.Base(dir))
}

// blogPostAddress returns the URL path of a blog post: its slug, or its date and name.
func blogPostAddress(s source, below string, f *page.Facts) string {
	if f.Slug != "" {
		return path.Join(s.tree.Prefix, f.Slug)
	}
	full := path.Join(below, s.name)
	if m := docusaurusPost.FindStringSubmatch(full); m != nil {
		date := strings.ReplaceAll(m[2], "-", "/")
		return path.Join(s.tree.Prefix, date, m[1], m[3])
	}
	return path.Join(s.tree.Prefix, strings.TrimSuffix(full, "/index"))
}

// trimNumbers removes the leading numbers from the parts of the path p. Parts that
// docusaurusVersion matches keep their numbers.
func trimNumbers(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		if m := docusaurusNumber.FindStringSubmatch(part); m != nil && !docusaurusVersion.MatchString(part) {
			parts[i] = m[1]
		}
	}
	return strings.Join(parts, "/")
}

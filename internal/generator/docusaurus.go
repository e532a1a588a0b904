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
	publish: namedFolder{defaultDir: "build"}, static: namedFolder{defaultDir: "static"}, base: "url", basePath: "baseUrl",
	sitemapHint: "set sitemap: false in the classic preset",
	archives:    []string{"/**/tags/**", "/blog/{archive,authors,page}/**"},
	front:       frontmatter.Conventions{Fences: nodeFront.Fences, GeneratorKeys: []string{"id"}},
}

// readDocusaurus reads the settings of a Docusaurus project. The content folders are set in the
// preset, and in the plugins for docs, blogs and pages.
// See https://docusaurus.io/docs/api/docusaurus-config
func (r *reader) readDocusaurus(p *Project, c config) {
	m := &p.Mapping
	m.rules = docusaurusRules{plainRules{flat: c.at("trailingSlash").isFalse(), foldIndex: true, ends: mapping.Bare}}
	m.DefaultLanguage = p.addSetting("i18n.defaultLocale", c.at("i18n", "defaultLocale"))
	for _, v := range c.at("i18n", "locales").items() {
		if name := v.str(); name != "" {
			p.addLanguage(name, c.at("i18n", "localeConfigs", name, "htmlLang").str(), v)
		}
	}
	for _, inst := range docusaurusInstances(c) {
		trees := r.docusaurusTrees(inst)
		m.Trees = append(m.Trees, trees...)
		for _, l := range m.Languages {
			m.Trees = append(m.Trees, r.docusaurusTranslationTrees(inst, trees, l.Name, m.DefaultLanguage, c.at("i18n"))...)
		}
	}
}

// docusaurusTranslationTrees returns the existing folders that contain the content of inst in the
// language lang. trees are the folders with the content of inst in the default language. The
// translated pages are published below the folder lang. For the default language, the result is
// nil.
// See https://docusaurus.io/docs/i18n/introduction#translation-files-location
func (r *reader) docusaurusTranslationTrees(inst pluginInstance, trees []Tree, lang, defaultLang string, i18n *value) (all []Tree) {
	if lang == defaultLang {
		return nil
	}
	plugin := "docusaurus-plugin-content-" + inst.kind
	if id := inst.options.at("id").str(); id != "" && id != "default" {
		plugin += "-" + id
	}
	dir := path.Join(cmp.Or(i18n.at("path").str(), "i18n"), cmp.Or(i18n.at("localeConfigs", lang, "path").str(), lang), plugin)
	for _, t := range trees {
		version := ""
		if inst.kind == "docs" {
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

// A pluginInstance is one configured use of a Docusaurus plugin for docs, a blog or pages.
type pluginInstance struct {
	Tree    // default content folder
	options *value
}

// docusaurusDefaults lists the content folders that the classic preset of Docusaurus uses by
// default.
var docusaurusDefaults = []Tree{
	{kind: "docs", Dir: "docs", Prefix: "docs"},
	{kind: "blog", Dir: "blog", Prefix: "blog"},
	{kind: "pages", Dir: "src/pages"},
}

// docusaurusInstances returns the content plugins of the classic preset, and after them the content
// plugins in the setting "plugins". It assumes the classic preset if neither a preset nor a content
// plugin is set, or if the name of a preset is computed.
func docusaurusInstances(c config) (all []pluginInstance) {
	for _, plugin := range c.at("plugins").items() {
		for _, t := range docusaurusDefaults {
			if strings.HasSuffix(docusaurusPluginName(plugin), "content-"+t.kind) {
				all = append(all, pluginInstance{t, plugin.item(1)})
			}
		}
	}
	classic, there := (*value)(nil), c.at("presets") == nil && all == nil
	for _, preset := range c.at("presets").items() {
		if name := docusaurusPluginName(preset); name == "" || strings.Contains(name, "classic") {
			classic, there = preset.item(1), true
		}
	}
	if !there {
		return all
	}
	var usual []pluginInstance
	for _, t := range docusaurusDefaults {
		if !classic.at(t.kind).isFalse() {
			usual = append(usual, pluginInstance{t, classic.at(t.kind)})
		}
	}
	return append(usual, all...)
}

// docusaurusPluginName returns the name of a preset or a plugin. v is the name, or a list of the
// name and the options. The result is "" if the name is computed.
func docusaurusPluginName(v *value) string { return cmp.Or(v.str(), v.item(0).str()) }

// docusaurusTrees returns the content folders of a plugin instance. For docs, it returns a folder
// for each version. It leaves out missing folders, but not the folders outside of the project, such
// as "../docs", which it cannot check.
func (r *reader) docusaurusTrees(inst pluginInstance) (trees []Tree) {
	t, o := inst.Tree, inst.options
	t.Dir = cleanFolder(o.at("path").str(), t.Dir)
	t.Prefix = strings.Trim(cmp.Or(o.at("routeBasePath").str(), t.Prefix), "/")
	trees = []Tree{t}
	if t.kind == "docs" {
		t.trimsNumbers = !o.at("numberPrefixParser").isFalse()
		trees = r.docusaurusVersionTrees(t, o)
	}
	return slices.DeleteFunc(trees, func(t Tree) bool {
		return !strings.HasPrefix(t.Dir, "../") && !r.isDir(t.Dir)
	})
}

// docusaurusVersionTrees returns a content folder for each version of the docs. t is the folder of
// the current version, and o the options of the plugin. By default, the newest release has URLs
// such as "docs/a", an older release "docs/1.0/a", and the current version "docs/next/a". If there
// are no releases, or o disables versions, the result is only t.
// See https://docusaurus.io/docs/versioning
func (r *reader) docusaurusVersionTrees(t Tree, o *value) []Tree {
	prefix := ""
	if id := o.at("id").str(); id != "" && id != "default" {
		prefix = id + "_"
	}
	versions := r.readDocument(prefix+"versions.json", strict.Options{}).stringList()
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

var (
	// docusaurusNumber matches a file or folder name that begins with a number, such as "01-intro".
	// The number only determines the order of pages. Group 1 is the rest of the name.
	docusaurusNumber = regexp.MustCompile(`^\d+\s*[-_.]+\s*([^-_.\s].*)$`)
	// docusaurusVersion matches a name that begins with a version or a date, such as "1.0-intro".
	// Such a name keeps its number, even if it matches docusaurusNumber.
	docusaurusVersion = regexp.MustCompile(`^\d+[-_.]\d+|^(\d{2}|\d{4})[-_.]\d{2}([-_.](\d{2}|\d{4}))?`)
	// docusaurusPost matches the path of a blog post with a date in its name or folders:
	// "2024-05-01-hello" or "2024/05/01/hello".
	docusaurusPost = regexp.MustCompile(`^(.*)(\d{4}-\d{1,2}-\d{1,2}|\d{4}/\d{1,2}/\d{1,2})[-/]?(.*?)(/index)?$`)
)

type docusaurusRules struct{ plainRules }

func (docusaurusRules) whyNotRendered(_ *Mapping, s source) string { return underscoreReason(s) }

// outputFile returns the output file of a doc, a blog post or a page. For docs, it follows
// Docusaurus' function getSlug.
// See https://docusaurus.io/docs/create-doc and https://docusaurus.io/docs/blog
func (d docusaurusRules) outputFile(_ *Mapping, s source, f *page.Facts) (out, whyUnknown string) {
	below := strings.Trim(strings.TrimPrefix(s.dir, s.tree.Prefix), "/")
	if s.tree.kind == "blog" {
		return d.outputPath(blogPostURLPath(s, below, f), "index"), ""
	}
	dir, name := below, s.name
	if s.tree.trimsNumbers {
		dir, name = trimSortNumbers(dir), trimSortNumbers(name)
	}
	switch {
	case f.Slug != "" && f.Slug[0] != '/':
		return d.outputPath(path.Join(s.tree.Prefix, path.Join("/", dir, f.Slug)), "index"), ""
	case f.Slug != "":
		return d.outputPath(path.Join(s.tree.Prefix, f.Slug), "index"), ""
	case strings.EqualFold(s.name, "index"), s.tree.kind == "docs" && isCategoryIndex(s.name, below):
		return d.outputPath(path.Join(s.tree.Prefix, dir), "index"), ""
	}
	return d.outputPath(path.Join(s.tree.Prefix, dir), cmp.Or(f.ID, name)), ""
}

// isCategoryIndex reports whether the doc called name is the index page of the folder dir. Such a
// doc is called "readme", or has the same name as the folder. Case does not matter.
func isCategoryIndex(name, dir string) bool {
	low := strings.ToLower(name)
	return low == "readme" || dir != "" && low == strings.ToLower(path.Base(dir))
}

// blogPostURLPath returns the URL path of a blog post, such as "blog/my-slug" for a post with a
// slug. Without a slug, it uses the date and the name in the path of the file:
// "blog/2024/05/01/hello". If the path has no date, it uses the path itself. dir is the folder of
// the post in the blog.
func blogPostURLPath(s source, dir string, f *page.Facts) string {
	if f.Slug != "" {
		return path.Join(s.tree.Prefix, f.Slug)
	}
	full := path.Join(dir, s.name)
	if m := docusaurusPost.FindStringSubmatch(full); m != nil {
		date := strings.ReplaceAll(m[2], "-", "/")
		return path.Join(s.tree.Prefix, date, m[1], m[3])
	}
	return path.Join(s.tree.Prefix, strings.TrimSuffix(full, "/index"))
}

// trimSortNumbers removes the leading numbers from the parts of the path p, because they only
// determine the order of pages: "01-intro/02-install" gives "intro/install". A version or date at
// the beginning of a part stays: "1.0-intro".
func trimSortNumbers(p string) string {
	parts := strings.Split(p, "/")
	for i, part := range parts {
		if m := docusaurusNumber.FindStringSubmatch(part); m != nil && !docusaurusVersion.MatchString(part) {
			parts[i] = m[1]
		}
	}
	return strings.Join(parts, "/")
}

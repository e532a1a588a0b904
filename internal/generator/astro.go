package generator

import (
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/page"
)

var astro = generator{
	name: "astro", files: []string{"astro.config.*"}, read: (*reader).readAstro, npm: "astro",
	publish: namedFolder{"outDir", "dist"}, static: namedFolder{"publicDir", "public"}, base: "site", basePath: "base",
	sitemaps:    []string{"sitemap-index.xml", "sitemap-0.xml"},
	sitemapHint: "remove @astrojs/sitemap from the integrations; with Starlight, set output: {name: sitemap-index.xml} in sitemap.yaml",
	front:       nodeFront,
}

// readAstro reads the settings of an Astro project.
// See https://docs.astro.build/en/reference/configuration-reference/
func (r *reader) readAstro(p *Project, c config) {
	src := p.resolveFolder("srcDir", c.at("srcDir"), "src")
	format := p.addSetting("build.format", c.at("build", "format"))
	pages := path.Join(src, "pages")
	p.Mapping.Trees = append([]Tree{{Dir: pages}}, r.astroCollectionTrees(c.script, src, pages)...)
	p.readAstroLocales(c.at("i18n"))
	p.Mapping.rules = astroRules{plainRules{
		flat: format == "file" || format == "preserve", foldIndex: format == "file",
	}}
}

// astroCollectionTrees returns the folders of the content collections with known URLs. If the
// project uses Starlight and has a folder "src/content/docs", it returns only this folder.
// Otherwise, it returns the folder of each collection that has a route such as
// "src/pages/blog/[slug].astro". A collection has a folder in "src/content", or a loader glob(…)
// with a folder. s is the configuration, src the source folder, and pages the folder of the routes.
// See https://docs.astro.build/en/guides/content-collections/
func (r *reader) astroCollectionTrees(s *program, src, pages string) (trees []Tree) {
	content := path.Join(src, "content")
	if len(s.callArguments("starlight")) > 0 && r.isDir(path.Join(content, "docs")) {
		return []Tree{{Dir: path.Join(content, "docs"), kind: "collection"}}
	}
	var dirs []string
	entries, _ := fs.ReadDir(r.root, content)
	for _, e := range entries {
		dirs = append(dirs, path.Join(content, e.Name()))
	}
	for _, file := range r.existingFiles([]string{path.Join(src, "content.config.*")}) {
		if config := r.readScript(file); config != nil {
			for _, arguments := range config.callArguments("glob") { // glob is a loader of content collections
				if len(arguments) > 0 {
					dirs = append(dirs, cleanFolder(arguments[0].at("base").str(), "."))
				}
			}
		}
	}
	slices.Sort(dirs)
	for _, dir := range slices.Compact(dirs) {
		name := path.Base(dir)
		routes, _ := fs.ReadDir(r.root, path.Join(pages, name))
		if slices.ContainsFunc(routes, func(f fs.DirEntry) bool { return strings.HasPrefix(f.Name(), "[") }) {
			trees = append(trees, Tree{Dir: dir, Prefix: name, kind: "collection"})
		}
	}
	return trees
}

// readAstroLocales adds the output folder of each language in c, the setting i18n, to p.Locales.
// See https://docs.astro.build/en/guides/internationalization/
func (p *Project) readAstroLocales(c *value) {
	first := c.at("defaultLocale").str()
	for _, v := range c.at("locales").items() {
		l := Locale{Dir: v.str(), Code: v.str()}
		if codes := v.at("codes").stringList(); len(codes) > 0 {
			l = Locale{Dir: v.at("path").str(), Code: codes[0]}
		}
		if l.Dir == first && !c.at("routing", "prefixDefaultLocale").isTrue() {
			l.Dir = ""
		}
		p.addLocale(l, v)
	}
}

type astroRules struct{ plainRules }

func (astroRules) whyNotRendered(_ *Mapping, s source) string {
	if s.tree.kind == "" && (s.ext == ".js" || s.ext == ".ts") {
		return "it does not answer with a page: https://docs.astro.build/en/guides/endpoints/"
	}
	return underscoreReason(s)
}

// outputFile returns the output file for the path of the content file: "blog/a/index.html" for
// "blog/a.md". In a content collection, it converts each part of the path to a slug. There, a slug
// in the front matter replaces the path below the folder of the collection.
func (a astroRules) outputFile(_ *Mapping, s source, f *page.Facts) (out, whyUnknown string) {
	switch {
	case s.tree.kind == "collection":
	case strings.ContainsAny(s.dir+s.name, "[]"):
		return "", bracketsReason
	default:
		return a.outputPath(s.dir, s.name), ""
	}
	if f.Slug != "" {
		return a.outputPath(s.tree.Prefix, f.Slug), ""
	}
	below := strings.Split(strings.TrimPrefix(s.dir, s.tree.Prefix), "/")
	for i := range below {
		below[i] = astroSlug(below[i])
	}
	return a.outputPath(path.Join(s.tree.Prefix, path.Join(below...)), astroSlug(s.name)), ""
}

// astroDrop matches the characters that github-slugger removes.
var astroDrop = regexp.MustCompile(`[^\pL\pM\pN_ -]`)

// astroSlug converts name to a slug as the package github-slugger does: "What's New" gives
// "whats-new".
func astroSlug(name string) string {
	return strings.ReplaceAll(astroDrop.ReplaceAllString(strings.ToLower(name), ""), " ", "-")
}

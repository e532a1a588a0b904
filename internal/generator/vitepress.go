package generator

import (
	"cmp"
	"path"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

var vitepress = generator{
	name: "vitepress", read: (*reader).readVitePress, relative: true,
	publish: namedFolder{"outDir", ".vitepress/dist"}, content: namedFolder{"srcDir", "."}, base: "sitemap.hostname", basePath: "base",
	files: []string{
		".vitepress/config.*", ".vitepress/config/index.*", "docs/.vitepress/config.*", "docs/.vitepress/config/index.*", "src/.vitepress/config.*", "src/.vitepress/config/index.*",
	},
	server:  `"vitepress dev" writes no pages; run "vitepress build" after a change`,
	sitemap: "remove sitemap from the configuration",
	front:   nodeFront,
}

// readVitePress reads the settings of a VitePress project.
// See https://vitepress.dev/reference/site-config
func (r *reader) readVitePress(p *Project, c config) {
	ending := mapping.AnyEnding // the default is .html, but the setting may be computed
	if p.addSetting("cleanUrls", c.at("cleanUrls")) == "true" {
		ending = mapping.Bare
	}
	p.Mapping.rules = vitepressRules{plainRules: plainRules{flat: true, ends: ending}, rewrites: r.limitRules(c.at("rewrites"))}
	p.readVitePressLocales(c)
	p.Static.Dir = path.Join(p.Mapping.Trees[0].Dir, "public")
}

// readVitePressLocales adds the output folders of the languages in the setting "locales" to
// p.Locales. If a folder has no language code, its name is the code. For the root, the code is the
// language of the site.
// See https://vitepress.dev/guide/i18n
func (p *Project) readVitePressLocales(c config) {
	c.at("locales").eachEntry(func(key string, v *value) {
		l := Locale{Dir: strings.Trim(key, "/"), Code: cmp.Or(v.at("lang").str(), strings.Trim(key, "/"))}
		if key == "root" {
			l = Locale{Code: cmp.Or(v.at("lang").str(), c.at("lang").str(), "en-US")}
		}
		p.addLocale(l, v)
	})
}

type vitepressRules struct {
	plainRules
	rewrites *value
}

// outputFile returns "a.html" for "a.md", unless the setting "rewrites" maps the file to another
// path. A rewrite may map one file, or a whole folder as in "en/:rest*". If another kind of rewrite
// may match the file, whyUnknown is the reason.
// See https://vitepress.dev/guide/routing#route-rewrites
func (v vitepressRules) outputFile(_ *Mapping, s source, _ *page.Facts) (out, whyUnknown string) {
	file := path.Join(s.dir, s.name+s.ext)
	isComputed := v.rewrites != nil && v.rewrites.kind != table
	for _, from := range v.rewrites.orEmpty().keys {
		to, fromDir, toDir := v.rewrites.at(from).str(), "", ""
		m, n := rewrittenFolder.FindStringSubmatch(from), rewrittenFolder.FindStringSubmatch(to)
		if m != nil && n != nil && m[2] == n[2] {
			fromDir, toDir, from, to = m[1], n[1], "", ""
		}
		if below, ok := strings.CutPrefix(file, fromDir); from == "" && ok {
			return markdownOutputFile(toDir + below), ""
		}
		if from == file && to != "" {
			return markdownOutputFile(to), ""
		}
		isComputed = isComputed || strings.ContainsAny(from+to, ":(*{") || from != "" && to == ""
	}
	switch {
	case isComputed:
		return "", "only rewrites of files, and of folders as in \"en/:rest*\", are followed"
	case strings.ContainsAny(s.dir+s.name, "[]"):
		return "", bracketsReason
	}
	return v.outputPath(s.dir, s.name), ""
}

// rewrittenFolder matches a rewrite pattern for all files in a folder: "en/:rest*". Group 1 is
// "en/", and group 2 is "rest".
var rewrittenFolder = regexp.MustCompile(`^((?:[^:()*{}]*/)?):(\w+)[*+]$`)

// markdownOutputFile returns the output file of a Markdown file: "a.html" for "a.md".
func markdownOutputFile(file string) string {
	return joinPath("", strings.TrimSuffix(file, ".md")+".html")
}

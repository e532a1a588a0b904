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
	sitemapHint: "remove sitemap from the configuration",
	front:       nodeFront,
}

// readVitePress reads the settings of a VitePress project.
// See https://vitepress.dev/reference/site-config
func (r *reader) readVitePress(p *Project, c config) {
	ending := mapping.NoEnding // the default is .html, but the setting may be computed
	if p.addSetting("cleanUrls", c.at("cleanUrls")) == "true" {
		ending = mapping.Bare
	}
	p.Mapping.rules = vitepressRules{plainRules: plainRules{flat: true, ends: ending}, rewrites: readVitePressRewrites(r.limitRules(c.at("rewrites")))}
	p.readVitePressLocales(c)
	p.Static.Dir = path.Join(p.Mapping.Trees[0].Dir, "public")
}

// readVitePressLocales adds the output folders of the languages in the setting "locales" to
// p.Locales. The code of a language is its setting "lang". The default is the name of its folder.
// For the root, the default is the language of the site, or else "en-US".
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
	rewrites []rewrite // the first matching rewrite counts
}

// A rewrite is an entry of the setting "rewrites", which maps content files to other paths.
type rewrite struct {
	from *regexp.Regexp // with a named group for each parameter
	to   string         // template for Regexp.Expand, such as "${pkg}/index.md"; "" if it is unknown
}

// outputFile returns "a.html" for "a.md", or the path to which the setting "rewrites" maps the
// file. The output file is unknown if a name has brackets, or if the result of the rewrite is
// unknown; whyUnknown is then the reason.
// See https://vitepress.dev/guide/routing#route-rewrites
func (v vitepressRules) outputFile(_ *Mapping, s source, _ *page.Facts) (out, whyUnknown string) {
	if strings.ContainsAny(s.dir+s.name, "[]") {
		return "", bracketsReason
	}
	file := path.Join(s.dir, s.name+s.ext)
	for _, r := range v.rewrites {
		if match := r.from.FindStringSubmatchIndex(file); match != nil {
			if r.to == "" {
				return "", "the rewrite of the file is computed, or has a pattern that is not followed"
			}
			out = string(r.from.ExpandString(nil, r.to, file, match))
			return joinPath("", strings.TrimSuffix(out, ".md")+".html"), ""
		}
	}
	return v.outputPath(s.dir, s.name), ""
}

// readVitePressRewrites reads v, the value of the setting "rewrites". If v is set but not a table,
// the result is a rewrite that makes all output files unknown.
func readVitePressRewrites(v *value) (all []rewrite) {
	if v != nil && v.kind != table {
		return []rewrite{{from: regexp.MustCompile("")}}
	}
	v.eachEntry(func(from string, w *value) { all = append(all, newRewrite(from, w.str())) })
	return all
}

// rewriteRest matches a parameter for the rest of a path, such as "/:slug*", and rewriteParameter a
// parameter for a part of a path, such as ":pkg". Group 1 is the name.
var (
	rewriteRest      = regexp.MustCompile(`/:(\w+)[*+]`)
	rewriteParameter = regexp.MustCompile(`:(\w+)`)
)

// newRewrite converts two patterns of the library path-to-regexp, such as
// "packages/:pkg/src/:slug*" and ":pkg/:slug*". If from has other syntax than parameters, the
// rewrite matches all paths that begin with the part before this syntax, and its result is unknown.
// The result is also unknown if to is empty or has other syntax.
func newRewrite(from, to string) rewrite {
	const syntax = `:(){}*+?\^$` // special characters of path-to-regexp and of Regexp.Expand
	from = rewriteRest.ReplaceAllString(from, "/<$1/>")
	from = rewriteParameter.ReplaceAllString(from, "<$1>")
	end := "$"
	if i := strings.IndexAny(from, syntax); i >= 0 {
		from, end = from[:i], ""
	}
	pattern := strings.NewReplacer("<", "(?P<", "/>", ">.+)", ">", ">[^/]+)").Replace(regexp.QuoteMeta(from))
	re, err := regexp.Compile("(?i)^" + pattern + end)
	if err != nil { // from is not UTF-8
		return rewrite{from: regexp.MustCompile("")}
	}
	to = rewriteRest.ReplaceAllString("/"+to, "/<$1>")
	to = rewriteParameter.ReplaceAllString(to, "<$1>")
	if end == "" || to == "/" || strings.ContainsAny(to, syntax) {
		return rewrite{from: re}
	}
	return rewrite{re, strings.NewReplacer("<", "${", ">", "}").Replace(to)}
}

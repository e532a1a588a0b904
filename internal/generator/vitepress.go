package generator

import (
	"cmp"
	"fmt"
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
	p.Mapping.rules = vitepressRules{plainRules: plainRules{flat: true, ends: ending}, rewrites: readVitePressRewrites(r.limitRules(c.at("rewrites")))}
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
	rewrites []rewrite // the first one that matches counts
}

// A rewrite is an entry of the setting "rewrites", which maps content files to other paths.
type rewrite struct {
	from *regexp.Regexp // with a group for each parameter
	to   string         // path with parameters such as ":pkg"; "" if it is unknown
}

// outputFile returns "a.html" for "a.md", or the path to which the setting "rewrites" maps the
// file. The output file is unknown if a name has brackets, or if the rewrite cannot be followed;
// whyUnknown is then the reason. See https://vitepress.dev/guide/routing#route-rewrites
func (v vitepressRules) outputFile(_ *Mapping, s source, _ *page.Facts) (out, whyUnknown string) {
	if strings.ContainsAny(s.dir+s.name, "[]") {
		return "", bracketsReason
	}
	file := path.Join(s.dir, s.name+s.ext)
	for _, r := range v.rewrites {
		if values := r.from.FindStringSubmatch(file); values != nil {
			if out = r.expand(values); out == "" {
				return "", "the rewrite of the file is computed, or has a pattern that is not followed"
			}
			return joinPath("", strings.TrimSuffix(out, ".md")+".html"), ""
		}
	}
	return v.outputPath(s.dir, s.name), ""
}

// readVitePressRewrites reads v, the value of the setting "rewrites". If v is set but not a table,
// the output files of all content files are unknown.
func readVitePressRewrites(v *value) (all []rewrite) {
	if v != nil && v.kind != table {
		return []rewrite{{from: regexp.MustCompile("")}}
	}
	v.eachEntry(func(from string, w *value) {
		r := rewrite{to: w.str()}
		var ok bool
		if r.from, ok = compileRewritePattern(from); !ok || strings.ContainsAny(rewriteParameter.ReplaceAllString(r.to, ""), rewriteSyntax) {
			r.to = ""
		}
		all = append(all, r)
	})
	return all
}

// rewriteParameter matches a parameter in a rewrite, such as "/:slug*". Group 1 is the prefix, group
// 2 the name, and group 3 the modifier.
var rewriteParameter = regexp.MustCompile(`([./]?):(\w+)([*+?]?)`)

// rewriteSyntax lists the characters with a special meaning in rewrites.
const rewriteSyntax = `:(){}*+?\^`

// compileRewritePattern converts pattern, such as "packages/:pkg/src/:slug*", to a regular
// expression as the library path-to-regexp does. If pattern has syntax other than parameters, ok is
// false, and re matches all paths that pattern may match.
func compileRewritePattern(pattern string) (re *regexp.Regexp, ok bool) {
	var b strings.Builder
	rest := pattern
	for _, m := range rewriteParameter.FindAllStringSubmatch(pattern, -1) {
		literal, after, _ := strings.Cut(rest, m[0])
		prefix, before := regexp.QuoteMeta(m[1]), cmp.Or(m[1], literal)
		isRepeated := m[3] == "*" || m[3] == "+"
		if strings.ContainsAny(literal, rewriteSyntax) || before == "" && rest != pattern || m[1] == "" && isRepeated {
			break
		}
		value := "[^/#?]+?"
		if len(before) == 1 { // the character cannot be in the value
			value = "[^/#?" + regexp.QuoteMeta(before) + "]+?"
		} else if before != "" && !strings.Contains(before, "/") {
			break
		}
		if isRepeated {
			value += "(?:" + prefix + value + ")*"
		}
		fmt.Fprintf(&b, "%s(?:%s(?P<%s>%s))", regexp.QuoteMeta(literal), prefix, m[2], value)
		if m[3] == "*" || m[3] == "?" {
			b.WriteByte('?')
		}
		rest = after
	}
	end := "$"
	if i := strings.IndexAny(rest, rewriteSyntax); i >= 0 {
		if rest[i] == ':' {
			i = max(0, i-1) // the character before a parameter may be its prefix
		}
		rest, end = rest[:i], ""
	}
	re, err := regexp.Compile("(?i)^" + b.String() + regexp.QuoteMeta(rest) + end)
	if err != nil {
		return regexp.MustCompile(""), false
	}
	return re, end != ""
}

// expand replaces the parameters in r.to by values, the submatches of r.from. The result is "" if
// r.to is unknown, or if a parameter that is not optional has no value.
func (r *rewrite) expand(values []string) string {
	isKnown := true
	to := rewriteParameter.ReplaceAllStringFunc("/"+r.to, func(parameter string) string {
		m := rewriteParameter.FindStringSubmatch(parameter)
		i := r.from.SubexpIndex(m[2])
		if i < 0 || values[i] == "" {
			isKnown = isKnown && (m[3] == "*" || m[3] == "?")
			return ""
		}
		return m[1] + values[i]
	})
	if !isKnown {
		return ""
	}
	return strings.TrimPrefix(to, "/")
}

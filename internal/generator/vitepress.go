package generator

import (
	"cmp"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

var vitepress = generator{
	name: "vitepress", read: (*reader).vitepress, relative: true,
	publish: namedFolder{"outDir", ".vitepress/dist"}, content: namedFolder{"srcDir", "."}, base: "sitemap.hostname", basePath: "base",
	files: []string{
		".vitepress/config.*", ".vitepress/config/index.*", "docs/.vitepress/config.*", "docs/.vitepress/config/index.*", "src/.vitepress/config.*", "src/.vitepress/config/index.*",
	},
	server:  `"vitepress dev" writes no pages; run "vitepress build" after a change`,
	sitemap: "remove sitemap from the configuration",
	front:   nodeFront,
}

// vitepress reads a VitePress project in the root or in docs.
// https://vitepress.dev/reference/site-config
func (r *reader) vitepress(p *Project, c config) {
	ending := mapping.AnyEnding // the default is .html, but only a literal is believed
	if p.setting("cleanUrls", c.at("cleanUrls")) == "true" {
		ending = mapping.Bare
	}
	rules := vitepressRules{plain: plain{flat: true, ends: ending}}
	rules.rewrites, rules.computed = vitepressRewrites(c.at("rewrites"))
	p.Mapping.by = rules
	p.vitepressLocales(c)
}

// vitepressLocales reads the folders of the site's languages, whose pages of one
// path are translations of each other. One without a lang is called after its
// folder, and the root after the site.
// https://vitepress.dev/guide/i18n
func (p *Project) vitepressLocales(c config) {
	c.at("locales").each(func(key string, v *value) {
		l := Locale{Dir: strings.Trim(key, "/"), Code: cmp.Or(v.at("lang").str(), strings.Trim(key, "/"))}
		if key == "root" {
			l = Locale{Code: cmp.Or(v.at("lang").str(), c.at("lang").str(), "en-US")}
		}
		p.locale(l, v)
	})
}

type vitepressRules struct {
	plain
	rewrites []rewrite
	computed bool // rewrites that only running the file would tell
}

// A rewrite is where the pages that match are written.
type rewrite struct {
	from *regexp.Regexp
	to   string // with :name for what matched
}

// output follows the first rewrite that matches the file.
// https://vitepress.dev/guide/routing#route-rewrites
func (v vitepressRules) output(_ *Content, s source, _ *page.Facts) (out, note string) {
	if v.computed {
		return "", "rewrites cannot be known without running the configuration; pages.dir alone has all pages"
	}
	for _, r := range v.rewrites {
		if m := r.from.FindStringSubmatch(path.Join(s.dir, s.name+s.ext)); m != nil {
			return rooted("", strings.TrimSuffix(r.target(m), ".md")+".html"), ""
		}
	}
	if strings.ContainsAny(s.dir+s.name, "[]") {
		return "", bracketsNote
	}
	return v.file(s.dir, s.name), ""
}

// rewriteName is what stands for a part of a path, as path-to-regexp has it: a
// name with or without a pattern, or a pattern alone, and how often it may be
// there. The character before it comes and goes with it.
var rewriteName = regexp.MustCompile(`([./]?)(?::(\w+)(\([^()]*\))?|(\([^()]*\)))([*+?]?)`)

// target fills in what matched.
func (r *rewrite) target(matched []string) string {
	unnamed := 0
	return rewriteName.ReplaceAllStringFunc(r.to, func(token string) string {
		m := rewriteName.FindStringSubmatch(token)
		i := r.from.SubexpIndex(groupName(m[2], &unnamed))
		if i < 0 || matched[i] == "" {
			return ""
		}
		return m[1] + matched[i]
	})
}

// groupName returns the name of a group for a name; what has none is counted.
func groupName(name string, unnamed *int) string {
	if name == "" {
		name = strconv.Itoa(*unnamed)
		*unnamed++
	}
	return "n" + name
}

// vitepressRewrites returns the rewrites that are written out, in their order;
// computed says that there are others.
func vitepressRewrites(v *value) (all []rewrite, computed bool) {
	v.each(func(from string, w *value) {
		re, err := regexp.Compile(rewritePattern(from))
		if err != nil || w.str() == "" || strings.ContainsAny(from+w.str(), "{}") {
			computed = true
			return
		}
		all = append(all, rewrite{re, w.str()})
	})
	return all, computed || v != nil && v.kind != table
}

// rewritePattern returns the regular expression for a path: a name is one part of
// it, or several with a star or a plus.
func rewritePattern(from string) string {
	var b strings.Builder
	at, unnamed := 0, 0
	for _, span := range rewriteName.FindAllStringIndex(from, -1) {
		b.WriteString(regexp.QuoteMeta(from[at:span[0]]))
		at = span[1]
		m := rewriteName.FindStringSubmatch(from[span[0]:at])
		before, pattern, times := regexp.QuoteMeta(m[1]), cmp.Or(m[3]+m[4], "([^/#?]+?)"), m[5]
		group := "(?P<" + groupName(m[2], &unnamed) + ">" + pattern
		switch times {
		case "", "?":
			b.WriteString("(?:" + before + group + "))" + times)
		default:
			b.WriteString("(?:" + before + group + "(?:" + before + pattern + ")*))" + strings.TrimPrefix(strings.Replace(times, "*", "?", 1), "+"))
		}
	}
	return "^" + b.String() + regexp.QuoteMeta(from[at:]) + "$"
}

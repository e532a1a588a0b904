package generator

import (
	"cmp"
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
)

var vitepress = generator{
	name: "vitepress", read: (*reader).vitepress,
	files: []string{
		".vitepress/config.*", ".vitepress/config/index.*", "docs/.vitepress/config.*", "docs/.vitepress/config/index.*", "src/.vitepress/config.*", "src/.vitepress/config/index.*",
	},
	server:  `"vitepress dev" writes no pages; run "vitepress build" after a change`,
	sitemap: "VitePress writes none without sitemap in its configuration",
	front:   frontmatter.Conventions{Fences: yamlFences},
}

// vitepress reads a VitePress project in the root or in docs.
// https://vitepress.dev/reference/site-config
func (r *reader) vitepress(p *Project, c config) {
	dir, _, _ := strings.Cut(c.file, ".vitepress/")
	out := p.folder("outDir", c.at("outDir"), ".vitepress/dist")
	src := path.Join(dir, p.folder("srcDir", c.at("srcDir"), "."))
	p.Publish = []string{path.Join(dir, out)}
	base := p.setting("base", c.at("base"))
	host := c.at("sitemap", "hostname")
	if strings.HasSuffix(strings.TrimSuffix(host.str(), "/"), strings.TrimSuffix(base, "/")) {
		base = "" // hostname holds it already
	}
	r.baseURL(p, "sitemap.hostname", host, base)
	ending := mapping.AnyEnding // the default is .html, but only a literal is believed
	if p.setting("cleanUrls", c.at("cleanUrls")) == "true" {
		ending = mapping.Bare
	}
	p.Mapping.Trees = []Tree{{Dir: src}}
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

package generator

import (
	"strings"
	"unicode"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

var quartz = generator{
	name: "quartz", files: []string{"quartz.config.yaml", "quartz.config.*"}, read: (*reader).quartz,
	is:       func(c config) bool { return c.has("configuration") },
	server:   `"quartz build --serve" may leave pages of an earlier build; run "quartz build" before you publish`,
	sitemap:  "set enableSiteMap: false in ContentIndex",
	archives: []string{"/tags/**"},
	aliases:  "aliases",
	front:    frontmatter.Conventions{Fences: yamlFences},
}

// quartz reads a Quartz project: version 4 has a program for its configuration, version 5
// a YAML file. The base URL has no scheme there.
// https://quartz.jzhao.xyz/configuration
func (r *reader) quartz(p *Project, c config) {
	p.Publish = []string{"public"}
	p.Mapping.Trees = []Tree{{Dir: "content"}}
	base := c.at("configuration", "baseUrl")
	if s := base.str(); s != "" && !strings.Contains(s, "://") {
		base = &value{scalar: "https://" + s, pos: base.pos}
	}
	r.baseURL(p, "baseUrl", base, "")
	p.Mapping.by = quartzRules{plain{flat: true, indexes: []string{"_index"}, ends: mapping.Bare}}
}

type quartzRules struct{ plain }

func (q quartzRules) output(_ *Content, s source, _ *page.Facts) (out, note string) {
	return q.file(quartzSlug(s.dir), quartzSlug(s.name)), ""
}

// alias knows only those on which all versions agree: some take an address from the
// file's folder and some from the root, and not all rewrite it as they do names.
func (quartzRules) alias(_ *Content, s source, alias, _ string) string {
	if s.dir != "" || quartzSlug(alias) != alias || strings.HasPrefix(alias, ".") {
		return ""
	}
	if strings.HasSuffix(alias, "/") {
		alias += "index"
	}
	return rooted("", alias+".html")
}

// quartzSlug returns a path as Quartz writes it in addresses, where it keeps case and
// letters.
func quartzSlug(name string) string {
	return quartzNames.Replace(strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return '-'
		}
		return r
	}, name))
}

var quartzNames = strings.NewReplacer("&", "-and-", "%", "-percent", "?", "", "#", "")

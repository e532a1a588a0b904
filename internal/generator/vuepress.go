package generator

import (
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

var vuepress = generator{
	name: "vuepress", read: (*reader).vuepress,
	files:    []string{".vuepress/config.*", "docs/.vuepress/config.*", "src/.vuepress/config.*"},
	server:   `"vuepress dev" writes no pages; run "vuepress build" after a change`,
	sitemap:  "remove the sitemap plugin",
	archives: []string{"/{category,tag}/**"},
	front:    frontmatter.Conventions{Fences: yamlFences},
}

// vuepress reads a VuePress project in the root, in docs or in src.
// https://vuepress.vuejs.org/reference/config.html
func (r *reader) vuepress(p *Project, c config) {
	dir, _, _ := strings.Cut(c.file, ".vuepress/")
	p.Publish = []string{p.folder("dest", c.at("dest"), path.Join(dir, ".vuepress/dist"))}
	p.Mapping.Trees = []Tree{{Dir: path.Join(dir, ".")}}
	r.baseURL(p, "sitemap.hostname", nil, p.setting("base", c.at("base")))
	p.Mapping.by = vuepressRules{plain{flat: true, indexes: []string{"README"}, ends: mapping.FileName}}
}

type vuepressRules struct{ plain }

func (v vuepressRules) output(_ *Content, s source, f *page.Facts) (out, note string) {
	if f.Permalink != "" {
		return linkFile(f.Permalink), ""
	}
	return v.file(s.dir, s.name), ""
}

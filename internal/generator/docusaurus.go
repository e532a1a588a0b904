package generator

import (
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
)

// docusaurus reads a Docusaurus project with the classic preset's folders.
// https://docusaurus.io/docs/api/docusaurus-config
func (r *reader) docusaurus() *Project {
	s := r.script("docusaurus.config")
	if s == nil {
		return nil
	}
	c, p := s.exported(), &Project{Publish: []string{"build"}}
	r.baseURL(p, "url", c.at("url"), p.found("baseUrl", c.at("baseUrl")))
	slash, said := c.at("trailingSlash").bool()
	p.found("trailingSlash", c.at("trailingSlash"))
	m := &p.Mapping
	m.Plain = mapping.Plain{Flat: said && !slash, FoldIndex: true, Indexes: []string{"index"}, Numbers: true}
	docs, blog, pages := docusaurusPlugins(c)
	m.Plain.Route = route(docs, "docs")
	if folder := pluginPath(docs, "docs"); r.isDir(folder) {
		m.Trees = append(m.Trees, mapping.Tree{Dir: folder, Prefix: m.Plain.Route})
	}
	if folder := pluginPath(blog, "blog"); r.isDir(folder) {
		m.Trees = append(m.Trees, mapping.Tree{Dir: folder, Prefix: route(blog, "blog"), Blog: true})
	}
	if folder := pluginPath(pages, "src/pages"); r.isDir(folder) {
		m.Trees = append(m.Trees, mapping.Tree{Dir: folder, Prefix: route(pages, "")})
	}
	p.Content = outermost(m.Trees)
	docusaurusLanguages(p, c)
	return p
}

// docusaurusPlugins returns the classic preset's options, as far as they are
// written out.
func docusaurusPlugins(c *value) (docs, blog, pages *value) {
	for _, preset := range c.at("presets").items() {
		item := preset.items()
		if len(item) > 1 && strings.Contains(item[0].str(), "classic") {
			return item[1].at("docs"), item[1].at("blog"), item[1].at("pages")
		}
	}
	return nil, nil, nil
}

func pluginPath(v *value, usual string) string { return cleanFolder(v.at("path").str(), usual) }

// route returns where a plugin's pages lie in the output; "/" is its root.
func route(v *value, usual string) string {
	if s := v.at("routeBasePath").str(); s != "" {
		return strings.Trim(s, "/")
	}
	return usual
}

func docusaurusLanguages(p *Project, c *value) {
	m := &p.Mapping
	m.DefaultLanguage = p.found("i18n.defaultLocale", c.at("i18n", "defaultLocale"))
	for _, v := range c.at("i18n", "locales").items() {
		if name := v.str(); name != "" {
			m.Languages = append(m.Languages, mapping.Language{Name: name, Code: name, Pos: v.pos})
		}
	}
}

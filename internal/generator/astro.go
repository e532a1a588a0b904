package generator

import (
	"path"

	"github.com/sitewalk/sitewalk/frontmatter"
)

var astro = generator{
	name: "astro", detect: (*reader).astro,
	server:  `"astro dev" writes no pages; run "astro build" after a change`,
	sitemap: "Astro writes none without @astrojs/sitemap among its integrations",
	front:   frontmatter.Conventions{Fences: yamlFences},
}

// astro reads an Astro project.
// https://docs.astro.build/en/reference/configuration-reference/
func (r *reader) astro() *Project {
	s := r.script("astro.config")
	if s == nil {
		return nil
	}
	c, p := s.exported(), &Project{}
	src := p.folder("srcDir", c.at("srcDir"), "src")
	p.Publish = []string{p.folder("outDir", c.at("outDir"), "dist")}
	r.baseURL(p, "site", c.at("site"), p.found("base", c.at("base")))
	format := p.found("build.format", c.at("build", "format"))
	p.found("trailingSlash", c.at("trailingSlash"))
	p.Content = []string{path.Join(src, "pages")}
	p.Mapping.Trees = []Tree{{Dir: p.Content[0]}}
	p.Mapping.by = astroRules{plain{
		flat: format == "file" || format == "preserve", foldIndex: format == "file", indexes: []string{"index"},
	}}
	return p
}

type astroRules struct{ plain }

func (astroRules) notRendered(_ *Content, s source) string { return underscored(s) }

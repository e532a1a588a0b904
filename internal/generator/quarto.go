package generator

import (
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
)

var quarto = generator{
	name: "quarto", files: []string{"_quarto.yml", "_quarto.yaml"}, is: isQuartoSite, read: (*reader).quarto,
	server:  `"quarto preview" writes pages as they are looked at; run "quarto render" after a change`,
	sitemap: "remove site-url",
	front:   frontmatter.Conventions{Fences: yamlFences},
}

// isQuartoSite reports whether a project makes a site: by default it makes documents.
func isQuartoSite(c config) bool {
	kind := c.at("project", "type").str()
	return kind == "website" || kind == "book"
}

// quarto reads a website or a book of Quarto.
// https://quarto.org/docs/reference/projects/websites.html
func (r *reader) quarto(p *Project, c config) {
	kind, usual := c.at("project", "type").str(), "_site"
	if kind == "book" {
		usual = "_book"
	}
	p.Publish = []string{p.folder("project.output-dir", c.at("project", "output-dir"), usual)}
	r.baseURL(p, kind+".site-url", first(c.at(kind, "site-url"), c.at("website", "site-url")), "")
	p.Templates = []string{"qmd", "ipynb", "rmd"}
	p.Mapping.Trees = []Tree{{Dir: "."}}
	p.Mapping.by = quartoRules{plain{flat: true, ends: mapping.FileName}}
}

type quartoRules struct{ plain }

// notRendered leaves out what begins with an underscore, and the project's README.
// https://quarto.org/docs/projects/quarto-projects.html#render-targets
func (quartoRules) notRendered(_ *Content, s source) string {
	if s.dir == "" && strings.EqualFold(s.name, "README") {
		return "Quarto makes no page of README"
	}
	return underscoreNote(s)
}

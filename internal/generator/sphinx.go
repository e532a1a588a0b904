package generator

import (
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
)

var sphinx = generator{
	name: "sphinx", is: isSphinx, read: (*reader).sphinx,
	files:    []string{"conf.py", "docs/conf.py", "doc/conf.py", "source/conf.py", "docs/source/conf.py", "doc/source/conf.py"},
	sitemap:  "remove sphinx_sitemap from the extensions",
	archives: []string{"/blog/{archive,author,category,tag}{,.html,/**}"},
	front:    frontmatter.Conventions{Fences: yamlFences},
}

// isSphinx reports whether a conf.py is that of Sphinx.
func isSphinx(c config) bool {
	return (strings.Contains(c.source, "extensions") || strings.Contains(c.source, "html_")) && !isNikola(c)
}

// sphinx reads a Sphinx project, whose configuration is a program of which only literal
// assignments are believed.
// https://www.sphinx-doc.org/en/master/usage/configuration.html
func (r *reader) sphinx(p *Project, c config) {
	dir := path.Dir(c.file)
	outer := strings.TrimSuffix(strings.TrimSuffix(dir, "source"), "/")
	p.Publish = r.publish(
		path.Join(outer, "_build/html"), path.Join(outer, "build/html"),
		path.Join(outer, "_build/dirhtml"), path.Join(outer, "build/dirhtml"),
	)
	r.baseURL(p, "html_baseurl", c.at("html_baseurl"), "")
	p.setting("language", c.at("language"))
	p.Mapping.Trees = []Tree{{Dir: dir}}
	p.Mapping.by = plain{flat: !strings.HasSuffix(p.Publish[0], "dirhtml")}
}

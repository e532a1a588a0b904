package generator

import (
	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
)

var mkdocs = generator{
	name: "mkdocs", files: []string{"mkdocs.yml", "mkdocs.yaml"}, open: (*reader).mkdocsConfig, read: (*reader).mkdocs,
	server:   `"mkdocs serve" builds into a folder of its own; run "mkdocs build" after a change`,
	sitemap:  "put an empty sitemap.xml into theme.custom_dir",
	archives: []string{"/blog/{archive,category,author,page}/**"},
	front:    frontmatter.Conventions{Fences: yamlFences},
}

// mkdocsConfig reads MkDocs' configuration, but not that of a project that moved to
// Zensical and kept it.
func (r *reader) mkdocsConfig(files []string) config {
	if len(r.present([]string{zensicalFile})) > 0 {
		return config{}
	}
	return r.first(files, nil)
}

// mkdocs reads an MkDocs project.
// https://www.mkdocs.org/user-guide/configuration/
func (r *reader) mkdocs(p *Project, c config) {
	p.Publish = []string{p.folder("site_dir", c.at("site_dir"), "site")}
	p.Mapping.Trees = []Tree{{Dir: p.folder("docs_dir", c.at("docs_dir"), "docs")}}
	r.baseURL(p, "site_url", c.at("site_url"), "")
	p.Mapping.by = mkdocsNames(c.at("use_directory_urls").isFalse())
}

func mkdocsNames(flat bool) plain {
	return plain{flat: flat, indexes: []string{"README"}, ends: mapping.FileName}
}

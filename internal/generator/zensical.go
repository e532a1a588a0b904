package generator

import "github.com/sitewalk/sitewalk/frontmatter"

// zensicalFile is the configuration that Zensical reads first; the second is MkDocs'.
const zensicalFile = "zensical.toml"

var zensical = generator{
	name: "zensical", files: []string{zensicalFile}, read: (*reader).zensical,
	server:  `"zensical serve" builds for a local address; run "zensical build" after a change`,
	sitemap: "Zensical always writes one; it is empty without site_url",
	front:   frontmatter.Conventions{Fences: yamlFences},
}

// zensical reads a Zensical project, whose settings are those of MkDocs in a table.
// https://zensical.org/docs/setup/basics/
func (r *reader) zensical(p *Project, c config) {
	if project := c.at("project"); project != nil {
		c.value = project
	}
	r.mkdocs(p, c)
	if offline := c.at("plugins", "offline"); offline != nil && !offline.at("enabled").isFalse() {
		p.Mapping.by = mkdocsNames(true)
	}
}

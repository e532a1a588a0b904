package generator

import "github.com/sitewalk/sitewalk/frontmatter"

var gatsby = generator{
	name: "gatsby", files: []string{"gatsby-config.*"}, read: (*reader).gatsby,
	server:  `"gatsby develop" writes no pages; run "gatsby build" after a change`,
	sitemap: "remove gatsby-plugin-sitemap from the plugins",
	front:   frontmatter.Conventions{Fences: yamlFences},
}

// gatsby reads a Gatsby project. pathPrefix holds only for builds with
// --prefix-paths, so that it is said and not believed.
// https://www.gatsbyjs.com/docs/reference/config-files/gatsby-config/
func (r *reader) gatsby(p *Project, c config) {
	p.Publish, p.Parts = []string{"public"}, []string{"_gatsby/**"}
	r.baseURL(p, "siteMetadata.siteUrl", c.at("siteMetadata", "siteUrl"), "")
	p.setting("pathPrefix", c.at("pathPrefix"))
	p.setting("trailingSlash", c.at("trailingSlash"))
	p.Mapping.Trees = []Tree{{Dir: "src/pages"}}
	p.Mapping.by = routes{}
}

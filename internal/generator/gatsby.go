package generator

import "github.com/sitewalk/sitewalk/frontmatter"

var gatsby = generator{
	name: "gatsby", detect: (*reader).gatsby,
	server:  `"gatsby develop" writes no pages; run "gatsby build" after a change`,
	sitemap: "Gatsby writes none without gatsby-plugin-sitemap among its plugins",
	front:   frontmatter.Conventions{Fences: yamlFences},
}

// gatsby reads a Gatsby project. pathPrefix holds only for builds with
// --prefix-paths, so that it is said and not believed.
// https://www.gatsbyjs.com/docs/reference/config-files/gatsby-config/
func (r *reader) gatsby() *Project {
	s := r.script("gatsby-config")
	if s == nil {
		return nil
	}
	c, p := s.exports(), &Project{Publish: []string{"public"}, Parts: []string{"_gatsby/**"}}
	r.baseURL(p, "siteMetadata.siteUrl", c.at("siteMetadata", "siteUrl"), "")
	p.setting("pathPrefix", c.at("pathPrefix"))
	p.setting("trailingSlash", c.at("trailingSlash"))
	p.Mapping.Trees = []Tree{{Dir: "src/pages"}}
	p.Mapping.by = routes{}
	return p
}

package generator

import (
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/page"
)

var nuxt = generator{
	name: "nuxt", detect: (*reader).nuxt,
	server:  `"nuxt dev" writes no pages; run "nuxt generate" after a change`,
	sitemap: "Nuxt writes none without @nuxtjs/sitemap among its modules",
	front:   frontmatter.Conventions{Fences: yamlFences, Keys: []string{"path"}},
}

// nuxt reads a Nuxt project that is generated as files, and the pages of Nuxt
// Content in it.
// https://nuxt.com/docs/4.x/api/nuxt-config
func (r *reader) nuxt() *Project {
	s := r.script("nuxt.config")
	if s == nil {
		return nil
	}
	c, p := s.exported(), &Project{}
	p.Publish = r.publish(".output/public", "dist")
	if len(p.Publish) > 1 { // dist is a link to the other
		p.Publish = p.Publish[:1]
	}
	r.baseURL(p, "site.url", first(c.at("site", "url"), c.at("i18n", "baseUrl")), p.found("app.baseURL", c.at("app", "baseURL")))
	p.Content = []string{"content"}
	p.Mapping.Trees = []Tree{{Dir: "content", kind: "content"}}
	p.Mapping.by = nuxtRules{routes{plain: plain{indexes: []string{"index"}}}}
	return p
}

type nuxtRules struct{ routes }

// nuxtNumber is what sorts the files of Nuxt Content.
var nuxtNumber = regexp.MustCompile(`^\d+\.`)

// output leaves the numbers out that begin names.
// https://content.nuxt.com/docs/collections/types#page
func (n nuxtRules) output(_ *Content, s source, f *page.Facts) (out, note string) {
	if f.Permalink != "" { // its path
		return linked(f.Permalink), ""
	}
	parts := strings.Split(s.dir+"/"+s.name, "/")
	for i, part := range parts {
		parts[i] = strings.ReplaceAll(strings.ToLower(nuxtNumber.ReplaceAllString(part, "")), " ", "-")
	}
	last := len(parts) - 1
	return n.plain.file(strings.Join(parts[:last], "/"), parts[last]), ""
}

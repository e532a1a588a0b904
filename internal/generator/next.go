package generator

import "github.com/sitewalk/sitewalk/frontmatter"

var next = generator{
	name: "next", files: []string{"next.config.*"}, read: (*reader).next,
	is:      func(c config) bool { return c.at("output").str() == "export" }, // else it runs as a server
	server:  `"next dev" writes no pages; run "next build" after a change`,
	sitemap: "remove app/sitemap or next-sitemap",
	front:   frontmatter.Conventions{Fences: yamlFences},
}

// next reads a Next.js project that is exported as files.
// https://nextjs.org/docs/app/guides/static-exports
func (r *reader) next(p *Project, c config) {
	p.setting("output", c.at("output"))
	out := p.folder("distDir", c.at("distDir"), "out")
	if out == ".next" {
		out = "out"
	}
	p.Publish = []string{out}
	r.baseURL(p, "", nil, p.setting("basePath", c.at("basePath")))
	p.setting("trailingSlash", c.at("trailingSlash"))
	flat := plain{flat: !c.at("trailingSlash").isTrue(), foldIndex: true}
	for _, dir := range []string{"app", "src/app"} {
		if r.isDir(dir) {
			p.Mapping.Trees = []Tree{{Dir: dir}}
			p.Mapping.by = routes{plain: flat, entry: "page"}
			return
		}
	}
	for _, dir := range []string{"pages", "src/pages"} {
		if r.isDir(dir) {
			p.Mapping.Trees = []Tree{{Dir: dir}}
		}
	}
	p.Mapping.by = routes{plain: flat}
}

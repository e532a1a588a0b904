package generator

import "github.com/sitewalk/sitewalk/frontmatter"

var sveltekit = generator{
	name: "sveltekit", detect: (*reader).sveltekit,
	server:  `"vite dev" writes no pages; run "vite build" after a change`,
	sitemap: "SvelteKit writes none but by a route of the site's own",
	front:   frontmatter.Conventions{Fences: yamlFences},
}

// sveltekit reads a SvelteKit project with adapter-static.
// https://svelte.dev/docs/kit/adapter-static
func (r *reader) sveltekit() *Project {
	s := r.script("svelte.config")
	if s == nil || s.exports().at("kit") == nil {
		return nil
	}
	c, p := s.exports().at("kit"), &Project{}
	p.Publish = []string{p.folder("adapter.pages", s.argumentOf("adapter").at("pages"), "build")}
	r.baseURL(p, "prerender.origin", c.at("prerender", "origin"), p.setting("paths.base", c.at("paths", "base")))
	p.Mapping.Trees = []Tree{{Dir: p.folder("files.routes", c.at("files", "routes"), "src/routes")}}
	p.Mapping.by = routes{plain: plain{flat: true, foldIndex: true}, entry: "+page"}
	return p
}

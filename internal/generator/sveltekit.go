package generator

import "github.com/sitewalk/sitewalk/frontmatter"

var sveltekit = generator{
	name: "sveltekit", files: []string{"svelte.config.*"}, read: (*reader).sveltekit,
	is:      func(c config) bool { return c.has("kit") },
	server:  `"vite dev" writes no pages; run "vite build" after a change`,
	sitemap: "remove the site's own route",
	front:   frontmatter.Conventions{Fences: yamlFences},
}

// sveltekit reads a SvelteKit project with adapter-static.
// https://svelte.dev/docs/kit/adapter-static
func (r *reader) sveltekit(p *Project, c config) {
	kit := c.at("kit")
	p.Publish = []string{p.folder("adapter.pages", c.script.argument("adapter").at("pages"), "build")}
	r.baseURL(p, "prerender.origin", kit.at("prerender", "origin"), p.setting("paths.base", kit.at("paths", "base")))
	p.Mapping.Trees = []Tree{{Dir: p.folder("files.routes", kit.at("files", "routes"), "src/routes")}}
	p.Mapping.by = routes{plain: plain{flat: true, foldIndex: true}, entry: "+page"}
}

package generator

import "path"

var docfx = generator{
	name: "docfx", files: []string{"docfx.json", "docs/docfx.json", "doc/docfx.json", "docfx/docfx.json", "documentation/docfx.json"}, read: (*reader).docfx,
	sitemap: "remove build.sitemap",
}

// docfx reads a DocFX project; its pages come from Markdown, code and both.
// https://dotnet.github.io/docfx/reference/docfx-json-reference.html
func (r *reader) docfx(p *Project, c config) {
	out := p.folder("build.dest", first(c.at("build", "dest"), c.at("build", "output"), c.at("dest")), "_site")
	p.Publish = []string{path.Join(path.Dir(c.file), out)}
	r.baseURL(p, "build.sitemap.baseUrl", c.at("build", "sitemap", "baseUrl"), "")
}

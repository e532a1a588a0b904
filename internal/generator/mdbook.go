package generator

import (
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
)

var mdbook = generator{
	name: "mdbook", files: []string{"book.toml"}, read: (*reader).mdbook,
	server:  `"mdbook serve" writes local addresses into its pages; run "mdbook build" after it`,
	sitemap: "mdBook writes none",
	front:   frontmatter.Conventions{Fences: []string{}},
}

// mdbook reads an mdBook project.
// https://rust-lang.github.io/mdBook/format/configuration/
func (r *reader) mdbook(p *Project, c config) {
	out := p.folder("build.build-dir", c.at("build", "build-dir"), "book")
	p.Publish = []string{out}
	if outputs := c.at("output"); outputs != nil && len(outputs.keys) > 1 { // each has a folder
		p.Publish = r.publish(path.Join(out, "html"), out)[:1]
	}
	p.Mapping.Trees = []Tree{{Dir: p.folder("book.src", c.at("book", "src"), "src")}}
	r.baseURL(p, "output.html.site-url", c.at("output", "html", "site-url"), c.at("output", "html", "site-url").str())
	p.setting("book.language", c.at("book", "language"))
	p.Mapping.by = mdbookRules{plain{flat: true, indexes: []string{"README"}, ends: mapping.FileName}}
}

type mdbookRules struct{ plain }

func (mdbookRules) notRendered(_ *Content, s source) string {
	if s.dir == "" && s.name == "SUMMARY" || !strings.EqualFold(s.ext, ".md") {
		return "mdBook makes pages of the chapters in SUMMARY.md"
	}
	return ""
}

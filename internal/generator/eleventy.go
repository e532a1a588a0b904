package generator

import (
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

var eleventy = generator{
	name: "eleventy", detect: (*reader).eleventy,
	sitemap: "Eleventy writes none without a sitemap plugin or template",
	front: frontmatter.Conventions{
		Fences: yamlFences, NameDate: frontmatter.NameHolds,
		// https://www.11ty.dev/docs/dates/
		NoDates: []string{"last modified", "created", "git last modified", "git created"},
	},
}

// eleventy reads an Eleventy project: the directories that its configuration
// returns, exports or sets as literals.
// https://www.11ty.dev/docs/config/
func (r *reader) eleventy() *Project {
	var s *script
	for _, stem := range []string{".eleventy", "eleventy.config"} {
		if s == nil {
			s = r.script(stem)
		}
	}
	if s == nil {
		return nil
	}
	p := &Project{}
	dir := s.exported().at("dir").merge(s.named("config").at("dir"))
	in := p.folder("dir.input", first(s.calls("setInputDirectory"), dir.at("input")), ".")
	p.Publish = []string{p.folder("dir.output", first(s.calls("setOutputDirectory"), dir.at("output")), "_site")}
	p.Content = []string{in}
	p.Mapping.Trees = []Tree{{Dir: in}}
	p.Mapping.by = eleventyRules{plain{indexes: []string{"index"}}}
	return p
}

type eleventyRules struct{ plain }

// output takes a permalink that is no template; "posts/posts.md" is the page of
// its folder.
// https://www.11ty.dev/docs/permalinks/
func (e eleventyRules) output(_ *Content, s source, f *page.Facts) (out, note string) {
	link := f.Permalink
	switch {
	case strings.Contains(link, "{{"), strings.Contains(link, "{%"), strings.Contains(link, "${"):
		return "", "the permalink is a template"
	case link != "":
		return linked(link), ""
	case s.name == path.Base(s.dir):
		return e.file(s.dir, "index"), ""
	}
	return e.file(s.dir, s.name), ""
}

func (eleventyRules) ending(_ *Content, _ source, f *page.Facts) mapping.Ending {
	return endingOf(f.Permalink)
}

package generator

import (
	"cmp"
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/page"
)

var nikola = generator{
	name: "nikola", files: []string{"conf.py"}, is: isNikola, read: (*reader).nikola,
	server:   `"nikola serve" serves what is on disk; run "nikola build" after a change`,
	sitemap:  `set DISABLED_PLUGINS = ["sitemap"] in conf.py`,
	archives: []string{"/{archive,authors,categories}/**", "/archive.html", "/**/index-*.html"},
	front:    frontmatter.Conventions{Fences: []string{"---", "+++"}, Headers: true, Keys: []string{"status"}},
}

// isNikola reports whether a conf.py is Nikola's: Sphinx has one, too.
func isNikola(c config) bool { return strings.Contains(c.source, "BLOG_TITLE") }

// nikola reads a Nikola project.
// https://getnikola.com/handbook.html
func (r *reader) nikola(p *Project, c config) {
	p.Publish = []string{p.folder("OUTPUT_FOLDER", c.at("OUTPUT_FOLDER"), "output")}
	r.baseURL(p, "SITE_URL", first(c.at("BASE_URL"), c.at("SITE_URL")), "")
	r.zone(p, "TIMEZONE", c.at("TIMEZONE"))
	m := &p.Mapping
	m.DefaultLanguage = cmp.Or(p.setting("DEFAULT_LANG", c.at("DEFAULT_LANG")), "en")
	c.at("TRANSLATIONS").each(func(name string, v *value) {
		p.language(name, "", v)
	})
	for _, key := range []string{"POSTS", "PAGES"} {
		for _, v := range c.at(key).items() {
			from := v.item(0).str()
			to, ok := v.item(1).text() // else one for each language
			if ok && from != "" && !strings.Contains(path.Dir(from), "*") {
				m.Trees = append(m.Trees, Tree{Dir: path.Dir(from), Prefix: to})
			}
		}
	}
	m.by = nikolaRules{plain{flat: c.at("PRETTY_URLS").isFalse()}}
}

type nikolaRules struct{ plain }

// output puts a slug in the place of the name, and languages other than the
// default one into a folder.
func (n nikolaRules) output(c *Content, s source, f *page.Facts) (out, note string) {
	return n.file(path.Join(c.langDir(s.lang), s.dir), cmp.Or(f.Slug, s.name)), ""
}

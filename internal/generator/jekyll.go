package generator

import (
	"cmp"
	"path"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

var jekyll = generator{
	name: "jekyll", files: []string{"_config.yml", "_config.yaml", "_config.toml"}, read: (*reader).jekyll,
	publish: namedFolder{"destination", "_site"}, content: namedFolder{"source", "."}, base: "url", basePath: "baseurl", zone: "timezone",
	is:       func(c config) bool { return !hexoLike(c) },
	sitemap:  "remove jekyll-sitemap from the plugins",
	archives: []string{"/{tag,tags,category,categories}/**", "/**/page[0-9]*/"},
	aliases:  "redirect_from", templates: []string{"mkdn", "mkdown", "mkd"},
	front: frontmatter.Conventions{
		Fences: []string{"---"}, FirstLine: true, Keys: []string{"category", "categories"},
		NameDate: frontmatter.NameBegins, NameDateIn: "_posts",
	},
}

// jekyll reads a Jekyll project.
// https://jekyllrb.com/docs/configuration/options/
func (r *reader) jekyll(p *Project, c config) {
	m := &p.Mapping
	source := m.Trees[0].Dir
	m.Drafts, m.Future = c.at("show_drafts").isTrue(), c.at("future").isTrue()
	markdown := cmp.Or(c.at("markdown_ext").str(), "markdown,mkdown,mkdn,mkd,md")
	m.by = &jekyllRules{
		permalink:      cmp.Or(p.setting("permalink", c.at("permalink")), "date"),
		collections:    jekyllCollections(c.at("collections")),
		collectionsDir: p.folder("collections_dir", c.at("collections_dir"), ""),
		destination:    strings.TrimPrefix(p.Publish[0], source+"/"),
		include:        c.at("include").strs(),
		exclude:        c.at("exclude").strs(),
		markdownExt:    strings.Split(strings.ReplaceAll(markdown, " ", ""), ","),
		zone:           p.Zone,
	}
	for _, v := range c.at("defaults").items() {
		m.Defaults = append(m.Defaults, r.jekyllDefault(v, source))
	}
}

// jekyllCollections reads the collections, which are names or a table.
func jekyllCollections(v *value) map[string]collection {
	all := map[string]collection{}
	for _, name := range v.strs() {
		all[name] = collection{}
	}
	v.each(func(name string, w *value) {
		all[name] = collection{output: w.at("output").isTrue(), permalink: w.at("permalink").str()}
	})
	return all
}

// jekyllDefault reads one entry of defaults, as far as a sitemap needs it.
// https://jekyllrb.com/docs/configuration/front-matter-defaults/
func (r *reader) jekyllDefault(v *value, source string) Default {
	d := Default{Path: v.at("scope", "path").str(), Type: v.at("scope", "type").str(), Pos: v.position()}
	if source != "." {
		d.Path = path.Join(source, d.Path)
	}
	if plural := (map[string]string{"post": "posts", "page": "pages", "draft": "drafts"})[d.Type]; plural != "" {
		d.Type = plural
	}
	w := v.at("values")
	d.Facts.Permalink = w.at("permalink").str()
	d.Facts.Categories = append(w.at("categories").strs(), w.at("category").strs()...)
	r.jekyllSitemap(&d, w)
	if w.at("published").isFalse() {
		d.Facts.Skip, d.Facts.SkipNote, d.Pos = page.Draft, "published: false", w.at("published").pos
	}
	return d
}

// jekyllSitemap reads what a default says of the sitemap.
func (r *reader) jekyllSitemap(d *Default, w *value) {
	v := w.at("sitemap")
	if v.isFalse() {
		d.Facts.Skip, d.Facts.SkipNote, d.Pos = page.OptedOut, "sitemap: false", v.pos
	}
	prio := v.at("priority")
	if prio == nil {
		prio = w.at("priority")
	}
	r.frequency(d, v.at("changefreq"), prio)
}

// frequency reads a change frequency and a priority into a default. What is not one
// of the protocol's values is reported; a negative priority is Hugo's word for
// none.
func (r *reader) frequency(d *Default, freq, prio *value) {
	if s := freq.str(); s != "" {
		f, err := sitemap.ParseChangeFreq(s)
		if err != nil {
			r.diags.Warnf(freq.pos, "bad-value", "write one of the seven words", "%v", err)
		}
		d.Facts.URL.ChangeFreq = f
	}
	s := prio.str()
	if s == "" || strings.HasPrefix(s, "-") {
		return
	}
	n, err := strconv.ParseFloat(s, 64)
	if err == nil {
		d.Facts.URL.Priority, err = sitemap.PriorityOf(n)
	}
	if err != nil {
		r.diags.Warnf(prio.pos, "bad-value", "write a number from 0.0 to 1.0", "priority %q is not between 0.0 and 1.0", s)
	}
}

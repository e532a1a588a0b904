package generator

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/page"
)

var eleventy = generator{
	name: "eleventy", files: []string{".eleventy.*", "eleventy.config.*"}, read: (*reader).eleventy,
	sitemap: "Eleventy writes none without a sitemap plugin or template",
	front: frontmatter.Conventions{
		Fences: yamlFences, NameDate: frontmatter.NameHolds, Titles: true,
		// https://www.11ty.dev/docs/dates/
		NoDates: []string{"last modified", "created", "git last modified", "git created"},
	},
}

// eleventy reads an Eleventy project: the directories that its configuration
// returns, exports or sets as literals.
// https://www.11ty.dev/docs/config/
func (r *reader) eleventy(p *Project, c config) {
	p.Templates = []string{"njk", "liquid"}
	s := c.script
	dir := c.at("dir").merge(s.resolve("config").at("dir"))
	in := p.folder("dir.input", first(s.calls("setInputDirectory"), dir.at("input")), ".")
	p.Publish = []string{p.folder("dir.output", first(s.calls("setOutputDirectory"), dir.at("output")), "_site")}
	p.Mapping.Trees = []Tree{{Dir: in}}
	r.baseURL(p, "", nil, p.setting("pathPrefix", first(c.at("pathPrefix"), s.resolve("config").at("pathPrefix"))))
	parts := []string{"_includes", "_data"}
	for i, key := range []string{"includes", "data"} {
		parts[i] = p.folder("dir."+key, first(s.calls("set"+strings.ToUpper(key[:1])+key[1:]+"Directory"), dir.at(key)), parts[i])
	}
	if layouts := p.folder("dir.layouts", first(s.calls("setLayoutsDirectory"), dir.at("layouts")), ""); layouts != "" {
		parts = append(parts, layouts)
	}
	p.Mapping.by = eleventyRules{parts: parts}
	r.eleventyData(p, in, in, parts)
}

// eleventyData reads the data of folders: "posts/posts.json" and its like speak for
// all files below "posts", where these say nothing themselves.
// https://www.11ty.dev/docs/data-template-dir/
func (r *reader) eleventyData(p *Project, in, dir string, parts []string) {
	entries, _ := fs.ReadDir(r.root, dir)
	for _, e := range slices.Backward(entries) { // what wins comes later
		if rest, own := strings.CutPrefix(e.Name(), path.Base(dir)+"."); own && dir != "." {
			p.eleventyDefault(dir, r.eleventyFile(path.Join(dir, e.Name()), rest))
		}
	}
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		below, _ := cutDir(name, in)
		if e.IsDir() && e.Name()[0] != '.' && e.Name() != "node_modules" && name != p.Publish[0] && !slices.Contains(parts, below) {
			r.eleventyData(p, in, name, parts)
		}
	}
}

// eleventyFile reads a file of data, by what its name ends in.
func (r *reader) eleventyFile(name, ending string) *value {
	switch ending {
	case "json", "11tydata.json":
		if info, err := fs.Stat(r.root, name); err == nil && info.Size() < maxFile { // more is data of another kind
			return r.config(name)
		}
	case "11tydata.js", "11tydata.mjs", "11tydata.cjs":
		if s := r.script(name); s != nil {
			return s.dataOf("permalink")
		}
	}
	return nil
}

// dataOf returns the object that a script exports, or, where only running it would
// tell what it says of a key, one in which that is a template.
func (s *script) dataOf(key string) *value {
	v := s.exports()
	if v != nil && (v.at(key) == nil || v.at(key).str() != "") || !slices.ContainsFunc(s.tokens, func(t token) bool { return t.text == key }) {
		return v
	}
	computed := newTable(s.Pos(0))
	computed.set(key, &value{scalar: "{{ " + path.Base(s.file) + " }}", pos: s.Pos(0)})
	return computed
}

// eleventyDefault makes what the data of a folder say count for its files; those of
// a deeper folder come later, and win.
func (p *Project) eleventyDefault(dir string, c *value) {
	d := Default{Path: dir + "/", Pos: c.position()}
	d.Facts.Permalink = p.setting("permalink", first(c.at("eleventyComputed", "permalink"), c.at("permalink")))
	if c.at("permalink").isFalse() {
		d.Facts.Skip, d.Facts.SkipNote = page.NotRendered, "permalink: false"
	} else if c.at("eleventyExcludeFromCollections").isTrue() {
		d.Facts.Skip, d.Facts.SkipNote = page.OptedOut, "eleventyExcludeFromCollections: true"
	}
	if d.Facts.Permalink != "" || d.Facts.Skip != page.Listed {
		p.Mapping.Defaults = append(p.Mapping.Defaults, d)
	}
}

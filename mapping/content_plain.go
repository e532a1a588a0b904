package mapping

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/page"
)

// Plain is how a generator names its output whose addresses follow the source
// files' names.
type Plain struct {
	Flat      bool     // "a.html" instead of "a/index.html"
	FoldIndex bool     // with Flat: "a/index.md" becomes "a.html"
	Indexes   []string // names that stand for their folder; nil is "index" and "_index"
	Ending    Ending   // VitePress: how its links end
}

// plainOutput is for MkDocs, Sphinx, Eleventy, Astro, VitePress and generators
// that are not known.
func (c *Content) plainOutput(s source, f *page.Facts) (out, note string) {
	link := f.Permalink
	switch c.Generator {
	case "mkdocs", "sphinx", "vitepress", "astro":
		return c.plainFile(s.dir, s.name), "" // they have no such front matter
	case "eleventy":
		if strings.Contains(link, "{{") || strings.Contains(link, "{%") || strings.Contains(link, "${") {
			return "", "the permalink is a template"
		}
		if s.name == path.Base(s.dir) {
			s.name = "index"
		}
	case "":
		if strings.Contains("/"+s.dir+"/", "/_posts/") {
			return "", "the generator, and so the form of its posts' addresses, is not known"
		}
	}
	if link != "" {
		return linked(link), ""
	}
	if c.Generator == "" && f.Slug != "" {
		s.dir, s.name = c.slugged(s, f.Slug)
	}
	return c.plainFile(s.dir, s.name), ""
}

// slugged puts a slug in the place of a file's name, or of the folder's whose
// index it is.
func (c *Content) slugged(s source, slug string) (dir, name string) {
	if c.index(s.name) {
		return cleanDir(s.dir), slug
	}
	return s.dir, slug
}

func cleanDir(dir string) string {
	if dir = path.Dir(dir); dir == "." {
		return ""
	}
	return dir
}

// linked returns the file for an address that front matter gives.
func linked(link string) string {
	link, _, _ = strings.Cut(link, "?")
	if strings.HasSuffix(link, "/") || path.Ext(link) == "" {
		link += "/index.html"
	}
	return rooted("", link)
}

// index reports whether a name stands for its folder.
func (c *Content) index(name string) bool {
	if c.Plain.Indexes == nil {
		return name == "index" || name == "_index"
	}
	return slices.Contains(c.Plain.Indexes, name)
}

// plainFile returns the output of a source file by its folder and name.
func (c *Content) plainFile(dir, name string) string {
	switch {
	case c.index(name) && c.Plain.Flat && c.Plain.FoldIndex && dir != "":
		return rooted("", dir+".html")
	case c.index(name):
		return rooted(dir, "index.html")
	case c.Plain.Flat:
		return rooted(dir, name+".html")
	case isClean(dir) && isClean(name):
		return dir + "/" + name + "/index.html"
	}
	return rooted(dir, indexIn(name))
}

// zolaOutput is for Zola: names as slugs, without a date that begins them.
// https://www.getzola.org/documentation/content/page/
func (c *Content) zolaOutput(s source, f *page.Facts) (out, note string) {
	prefix := ""
	if s.lang != c.DefaultLanguage {
		prefix = s.lang
	}
	if f.Permalink != "" { // its path
		return rooted(prefix, indexIn(f.Permalink)), ""
	}
	dir, name := s.dir, s.name
	if name == "index" {
		dir, name = cleanDir(s.dir), path.Base(s.dir)
	}
	if name != "" && name[0] <= '9' { // a digit, perhaps
		if m := zolaDate.FindStringSubmatch(name); m != nil {
			name = m[1]
		}
	}
	name = cmp.Or(f.Slug, name)
	if s.name == "_index" {
		name = ""
	}
	out = c.zolaSlug(path.Join(dir, name))
	for _, r := range out {
		if r > 127 {
			return "", "Zola's spelling of other than Latin letters is not known"
		}
	}
	return rooted(prefix, indexIn(out)), ""
}

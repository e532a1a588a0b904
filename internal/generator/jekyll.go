package generator

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

var jekyll = generator{
	name: "jekyll", files: []string{"_config.yml", "_config.yaml", "_config.toml"}, read: (*reader).readJekyll,
	publish: namedFolder{"destination", "_site"}, content: namedFolder{"source", "."}, base: "url", basePath: "baseurl", zone: "timezone",
	is:       func(c config) bool { return !isHexo(c) },
	sitemap:  "remove jekyll-sitemap from the plugins",
	archives: []string{"/{tag,tags,category,categories}/**", "/**/page[0-9]*/"},
	aliases:  "redirect_from", templates: []string{"mkdn", "mkdown", "mkd"},
	front: frontmatter.Conventions{
		Fences: []string{"---"}, FirstLine: true, Keys: []string{"category", "categories"},
		NameDate: frontmatter.NameBegins, NameDateIn: "_posts",
	},
}

// readJekyll reads a Jekyll project.
// https://jekyllrb.com/docs/configuration/options/
func (r *reader) readJekyll(p *Project, c config) {
	m := &p.Mapping
	source := m.Trees[0].Dir
	m.Drafts, m.Future = c.at("show_drafts").isTrue(), c.at("future").isTrue()
	markdown := cmp.Or(c.at("markdown_ext").str(), "markdown,mkdown,mkdn,mkd,md")
	m.rules = &jekyllRules{
		permalink:      cmp.Or(p.addSetting("permalink", c.at("permalink")), "date"),
		collections:    readJekyllCollections(c.at("collections")),
		collectionsDir: p.resolveFolder("collections_dir", c.at("collections_dir"), ""),
		destination:    strings.TrimPrefix(p.Publish[0], source+"/"),
		include:        c.at("include").strs(),
		exclude:        c.at("exclude").strs(),
		markdownExt:    strings.Split(strings.ReplaceAll(markdown, " ", ""), ","),
		zone:           p.Zone,
	}
	for _, v := range c.at("defaults").items() {
		m.Defaults = append(m.Defaults, readJekyllDefault(v, source))
	}
}

// readJekyllCollections reads the collections, which are names or a table.
func readJekyllCollections(v *value) map[string]collection {
	all := map[string]collection{}
	for _, name := range v.strs() {
		all[name] = collection{}
	}
	v.eachEntry(func(name string, w *value) {
		all[name] = collection{output: w.at("output").isTrue(), permalink: w.at("permalink").str()}
	})
	return all
}

// readJekyllDefault reads one entry of defaults, as far as a sitemap needs it.
// https://jekyllrb.com/docs/configuration/front-matter-defaults/
func readJekyllDefault(v *value, source string) Default {
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
	if v := w.at("sitemap"); v.isFalse() {
		d.Facts.Skip, d.Facts.SkipNote, d.Pos = page.OptedOut, "sitemap: false", v.pos
	}
	if w.at("published").isFalse() {
		d.Facts.Skip, d.Facts.SkipNote, d.Pos = page.Draft, "published: false", w.at("published").pos
	}
	return d
}

// pageURL fills the template of a page, which knows three placeholders.
func pageURL(template string, s source, ext string) string {
	return jekyllClean(strings.NewReplacer(
		":path", s.dir,
		":basename", strings.TrimRight(s.name, "."),
		":output_ext", ext,
	).Replace(template))
}

// jekyllClean is Jekyll's sanitize_url.
func jekyllClean(url string) string {
	url = strings.ReplaceAll("/"+url, "..", "/")
	url = strings.ReplaceAll(url, "./", "")
	for strings.Contains(url, "//") {
		url = strings.ReplaceAll(url, "//", "/")
	}
	return url
}

// placeholder matches a placeholder of a permalink in Jekyll and Hexo.
var placeholder = regexp.MustCompile(`:[a-z_]+`)

// url fills the template of a post or a collection's document.
// https://jekyllrb.com/docs/permalinks/#placeholders
func (j *jekyllRules) url(c *Content, template string, s source, d jekyllDoc, f *page.Facts) (url, note string) {
	v := jekyllValues{c: c, j: j, s: s, d: d, f: f, when: jekyllDate(s, f)}
	url = placeholder.ReplaceAllStringFunc(template, func(token string) string {
		name := token[1:]
		value, ok := v.value(name)
		if !ok && strings.HasSuffix(name, "_") {
			value, ok = v.value(strings.TrimSuffix(name, "_"))
			value += "_"
		}
		switch {
		case !ok:
			note = "the permalink placeholder " + token + " is not followed; write a permalink"
		case value == noDate:
			note = "the permalink needs a date, and neither front matter nor name has one"
		}
		return value
	})
	return jekyllClean(url), note
}

const noDate = "\x00"

// jekyllValues has the values of the placeholders for one document.
type jekyllValues struct {
	c    *Content
	j    *jekyllRules
	s    source
	d    jekyllDoc
	f    *page.Facts
	when sitemap.Date
}

func (v *jekyllValues) value(name string) (value string, ok bool) {
	switch name {
	case "collection":
		return v.d.label, true
	case "path":
		return path.Join("/", v.d.super, v.d.rest, strings.TrimRight(v.s.name, ".")), true
	case "name":
		return lowerSlug(v.s.name), true
	case "title":
		return slugify(v.slug(), prettyRunes), true
	case "slug":
		return lowerSlug(v.slug()), true
	case "output_ext":
		return v.j.ext(v.s.ext), true
	case "categories":
		return v.categories(strings.ToLower), true
	case "slugified_categories":
		return v.categories(lowerSlug), true
	}
	layout, ok := dateLayouts[name]
	if !ok || v.when.IsZero() {
		return noDate, ok
	}
	return timeIn(cmp.Or(v.j.zone, time.UTC), v.when).Format(layout), true
}

// slug returns the slug of the front matter, or the name without its date.
func (v *jekyllValues) slug() string {
	return cmp.Or(v.f.Slug, strings.TrimRight(trimDate(v.s.name), "."))
}

// categories returns the folders around _posts and the categories of the front matter, without
// duplicates.
func (v *jekyllValues) categories(spell func(string) string) string {
	var all []string
	if v.d.super != "" {
		all = strings.Split(v.d.super, "/")
	}
	all = append(all, v.c.defaultsFor(v.s).Categories...)
	var names []string
	for _, category := range append(all, v.f.Categories...) {
		if s := spell(category); !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	return strings.Join(names, "/")
}

// dateLayouts are the layouts of placeholders for dates, in Jekyll and Hexo.
var dateLayouts = map[string]string{
	"year": "2006", "month": "01", "day": "02", "hour": "15", "minute": "04", "second": "05",
	"i_day": "2", "i_month": "1", "short_month": "Jan", "long_month": "January", "short_year": "06",
	"short_day": "Mon", "long_day": "Monday", "y_day": "002",
}

// prettyRunes are the characters that Jekyll's "pretty" slugs keep beside letters and digits.
const prettyRunes = "._~!$&'()+,;=@"

// slugify follows Jekyll, but keeps the case. Runs of characters other than letters, marks,
// digits and those of keep become one hyphen.
func slugify(s, keep string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return !isWordOr(r, keep) }), "-")
}

// isWordOr reports whether r is a letter, a digit or a mark, or one of others.
func isWordOr(r rune, others string) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune(others, r)
}

// lowerSlug returns a slug of letters, marks and digits in lower case.
func lowerSlug(s string) string { return strings.ToLower(slugify(s, "")) }

package generator

import (
	"bytes"
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
	name: "jekyll", files: []string{"_config.yml", "_config.yaml", "_config.toml"}, open: (*reader).openJekyll, read: (*reader).readJekyll,
	publish: namedFolder{"destination", "_site"}, content: namedFolder{"source", "."}, static: namedFolder{"source", "."}, base: "url", basePath: "baseurl", zone: "timezone",
	sitemap:  "remove jekyll-sitemap from the plugins",
	archives: []string{"/{tag,tags,category,categories}/**", "/**/page[0-9]*/"},
	aliases:  "redirect_from", templates: []string{"mkdn", "mkdown", "mkd"},
	front: frontmatter.Conventions{
		Fences: []string{"---"}, FirstLine: true, Keys: []string{"category", "categories"},
		NameDate: frontmatter.NameBegins, NameDateIn: "_posts",
	},
}

// openJekyll returns the content of the first file that is not a configuration of Hexo.
func (r *reader) openJekyll(files []string) config {
	return r.readFirst(files, func(c config) bool { return !r.isHexoConfig(c) })
}

// readJekyll reads the settings of a Jekyll project.
// See https://jekyllrb.com/docs/configuration/options/
func (r *reader) readJekyll(p *Project, c config) {
	m := &p.Mapping
	source := m.Trees[0].Dir
	m.Drafts, m.Future = c.at("show_drafts").isTrue(), c.at("future").isTrue()
	markdown := cmp.Or(c.at("markdown_ext").str(), "markdown,mkdown,mkdn,mkd,md")
	include := r.limitRules(c.at("include")).stringList()
	if !slices.Contains(include, "_redirects") {
		p.Static.RedirectsHint = "with include: [_redirects] in " + c.file
	}
	gemfile, _, _ := r.readFile("Gemfile")
	plugins := append(c.at("plugins").stringList(), c.at("gems").stringList()...)
	if !slices.Contains(plugins, "jekyll-redirect-from") && !bytes.Contains(gemfile, []byte("jekyll-redirect-from")) {
		m.AliasKey = ""
	}
	m.rules = &jekyllRules{
		permalink:      cmp.Or(p.addSetting("permalink", c.at("permalink")), "date"),
		collections:    readJekyllCollections(c.at("collections")),
		collectionsDir: p.resolveFolder("collections_dir", c.at("collections_dir"), ""),
		destination:    strings.TrimPrefix(p.Publish[0], source+"/"),
		include:        include,
		exclude:        r.limitRules(c.at("exclude")).stringList(),
		markdownExt:    strings.Split(strings.ReplaceAll(markdown, " ", ""), ","),
		zone:           p.Zone,
	}
	for _, v := range r.limitRules(c.at("defaults")).items() {
		m.Defaults = append(m.Defaults, readJekyllDefault(v, source))
	}
}

// readJekyllCollections reads v, the value of the setting "collections". v is a list of names, or a
// table with the settings of each collection.
func readJekyllCollections(v *value) map[string]collection {
	all := map[string]collection{}
	for _, name := range v.stringList() {
		all[name] = collection{}
	}
	v.eachEntry(func(name string, w *value) {
		all[name] = collection{output: w.at("output").isTrue(), permalink: w.at("permalink").str()}
	})
	return all
}

// readJekyllDefault reads v, an item of the setting "defaults". It reads only the values that
// affect a sitemap, such as permalink and published. sourceDir is the source folder of the site.
// See https://jekyllrb.com/docs/configuration/front-matter-defaults/
func readJekyllDefault(v *value, sourceDir string) Default {
	d := Default{Path: v.at("scope", "path").str(), Type: v.at("scope", "type").str()}
	if sourceDir != "." {
		d.Path = path.Join(sourceDir, d.Path)
	}
	if plural := (map[string]string{"post": "posts", "page": "pages", "draft": "drafts"})[d.Type]; plural != "" {
		d.Type = plural
	}
	w := v.at("values")
	d.Facts.Permalink = w.at("permalink").str()
	d.Facts.Categories = append(w.at("categories").stringList(), w.at("category").stringList()...)
	if v := w.at("sitemap"); v.isFalse() {
		d.Facts.Skips.Add(page.OptedOut, v.pos, "sitemap: false")
	}
	if w.at("published").isFalse() {
		d.Facts.Skips.Add(page.Draft, w.at("published").pos, "published: false")
	}
	return d
}

// jekyllPageURL replaces :path, :basename and :output_ext in the permalink template of a page. ext
// is the extension of the output file.
func jekyllPageURL(template string, s source, ext string) string {
	return cleanJekyllURL(strings.NewReplacer(
		":path", s.dir,
		":basename", strings.TrimRight(s.name, "."),
		":output_ext", ext,
	).Replace(template))
}

// cleanJekyllURL cleans a URL path as Jekyll's function sanitize_url does: it adds a leading slash,
// and removes repeated slashes, "./" and "..".
func cleanJekyllURL(url string) string {
	url = strings.ReplaceAll("/"+url, "..", "/")
	url = strings.ReplaceAll(url, "./", "")
	for strings.Contains(url, "//") {
		url = strings.ReplaceAll(url, "//", "/")
	}
	return url
}

// placeholder matches a placeholder in a permalink of Jekyll or Hexo, such as ":title".
var placeholder = regexp.MustCompile(`:[a-z_]+`)

// documentURL fills in the permalink template of a post, or of a document in a collection. If the
// URL is unknown, whyUnknown is the reason.
// See https://jekyllrb.com/docs/permalinks/#placeholders
func (j *jekyllRules) documentURL(m *Mapping, template string, s source, d jekyllDoc, f *page.Facts) (url, whyUnknown string) {
	v := jekyllValues{m: m, j: j, s: s, d: d, f: f, when: jekyllDate(s, f)}
	url = placeholder.ReplaceAllStringFunc(template, func(token string) string {
		name := token[1:]
		value, ok := v.placeholderValue(name)
		if !ok && strings.HasSuffix(name, "_") {
			value, ok = v.placeholderValue(strings.TrimSuffix(name, "_"))
			value += "_"
		}
		switch {
		case !ok:
			whyUnknown = "the permalink placeholder " + token + " is not followed; write a permalink"
		case v.when.IsZero() && dateLayouts[strings.TrimSuffix(name, "_")] != "":
			whyUnknown = cmp.Or(whyUnknown, whyNoDate)
		}
		return value
	})
	return cleanJekyllURL(url), whyUnknown
}

// A jekyllValues computes the values of permalink placeholders for one document.
type jekyllValues struct {
	m    *Mapping
	j    *jekyllRules
	s    source
	d    jekyllDoc
	f    *page.Facts
	when sitemap.Date
}

func (j *jekyllValues) placeholderValue(name string) (value string, ok bool) {
	switch name {
	case "collection":
		return j.d.label, true
	case "path":
		return path.Join("/", j.d.super, j.d.rest, strings.TrimRight(j.s.name, ".")), true
	case "name":
		return lowerSlug(j.s.name), true
	case "title":
		return slugify(j.slug(), prettyRunes), true
	case "slug":
		return lowerSlug(j.slug()), true
	case "output_ext":
		return j.j.outputExt(j.s.ext), true
	case "categories":
		return j.categoryPath(strings.ToLower), true
	case "slugified_categories":
		return j.categoryPath(lowerSlug), true
	}
	layout, ok := dateLayouts[name]
	if !ok || j.when.IsZero() {
		return noDate, ok
	}
	return timeIn(cmp.Or(j.j.zone, time.UTC), j.when).Format(layout), true
}

// slug returns the slug in the front matter, or else the file name without its date.
func (j *jekyllValues) slug() string {
	return cmp.Or(j.f.Slug, strings.TrimRight(trimLeadingDate(j.s.name), "."))
}

// categoryPath returns the categories of the document as a path, without duplicates: "news/events".
// The folders above _posts are categories. Further categories come from the configuration and the
// front matter. convert converts each category, for example to lower case.
func (j *jekyllValues) categoryPath(convert func(string) string) string {
	var all []string
	if j.d.super != "" {
		all = strings.Split(j.d.super, "/")
	}
	all = append(all, j.m.defaultsFor(j.s).Categories...)
	var names []string
	for _, category := range append(all, j.f.Categories...) {
		if s := convert(category); !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	return strings.Join(names, "/")
}

// dateLayouts maps placeholders of Jekyll and Hexo, such as "year", to layouts of package time.
var dateLayouts = map[string]string{
	"year": "2006", "month": "01", "day": "02", "hour": "15", "minute": "04", "second": "05",
	"i_day": "2", "i_month": "1", "short_month": "Jan", "long_month": "January", "short_year": "06",
	"short_day": "Mon", "long_day": "Monday", "y_day": "002",
}

// prettyRunes lists the characters that Jekyll keeps in a "pretty" slug, in addition to letters
// and digits.
const prettyRunes = "._~!$&'()+,;=@"

// slugify converts s to a slug as Jekyll does, but does not change the case: "Hello, World" gives
// "Hello-World". Letters, combining marks, digits and the characters in keep stay unchanged. Each
// run of other characters becomes one hyphen, or nothing at the beginning and the end.
func slugify(s, keep string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return !isWordRuneOr(r, keep) }), "-")
}

// isWordRuneOr reports whether r is a letter, a digit, a combining mark, or one of the characters
// in others.
func isWordRuneOr(r rune, others string) bool {
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) || strings.ContainsRune(others, r)
}

// lowerSlug converts s to a slug in lower case. The slug contains only letters, combining marks,
// digits and hyphens.
func lowerSlug(s string) string { return strings.ToLower(slugify(s, "")) }

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
	name: "jekyll", files: []string{"_config.yml", "_config.yaml", "_config.toml"}, isOwn: (*reader).isJekyllConfig, read: (*reader).readJekyll,
	publish: namedFolder{"destination", "_site"}, content: namedFolder{"source", "."}, static: namedFolder{"source", "."}, base: "url", basePath: "baseurl", zone: "timezone",
	sitemapHint: "remove jekyll-sitemap from the plugins",
	archives:    []string{"/{tag,tags,category,categories}/**", "/**/page[0-9]*/"},
	aliases:     "redirect_from", templates: []string{"mkdn", "mkdown", "mkd"},
	front: frontmatter.Conventions{
		Fences: []string{"---"}, AtFirstByte: true, GeneratorKeys: []string{"category", "categories"},
		NameDate: frontmatter.DateBeginsName, NameDateIn: "_posts",
	},
}

// isJekyllConfig reports whether c, the content of _config.yml, is a configuration of Jekyll. Hexo
// uses the same file name.
func (r *reader) isJekyllConfig(c config) bool { return !r.isHexoConfig(c) }

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
	if slices.Contains([]string{"post", "page", "draft"}, d.Type) { // deprecated names that Jekyll still accepts
		d.Type += "s"
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

// documentURL fills in the permalink template of a post, or of a document in a collection. If the
// URL is unknown, whyUnknown is the reason.
// See https://jekyllrb.com/docs/permalinks/#placeholders
func (j *jekyllRules) documentURL(m *Mapping, template string, s source, d jekyllDoc, f *page.Facts) (url, whyUnknown string) {
	name := strings.TrimRight(s.name, ".")
	slug := cmp.Or(f.Slug, trimLeadingDate(name))
	categories := slices.Concat(strings.Split(d.super, "/"), m.defaultsFor(s).Categories, f.Categories)
	url, whyUnknown = fillPlaceholders(template, jekyllDate(s, f), cmp.Or(j.zone, time.UTC), map[string]string{
		"collection": d.label, "path": path.Join("/", d.super, d.rest, name), "output_ext": j.outputExt(s.ext),
		"name": lowerSlug(s.name), "title": slugify(slug, prettyRunes), "slug": lowerSlug(slug),
		"categories": joinDistinct(categories, strings.ToLower), "slugified_categories": joinDistinct(categories, lowerSlug),
	})
	return cleanJekyllURL(url), whyUnknown
}

// joinDistinct applies convert to each part, for example to convert it to lower case. It joins the
// results to a path such as "news/events", without duplicates.
func joinDistinct(parts []string, convert func(string) string) string {
	var names []string
	for _, part := range parts {
		if s := convert(part); !slices.Contains(names, s) {
			names = append(names, s)
		}
	}
	return strings.TrimPrefix(strings.Join(names, "/"), "/")
}

// placeholder matches a placeholder in a permalink of Jekyll or Hexo, such as ":title". Group 1 is
// the name.
var placeholder = regexp.MustCompile(`:([a-z_]*[a-z])`)

// fillPlaceholders replaces the placeholders in template, a permalink of Jekyll or Hexo. values
// maps names such as "title" to their values. Placeholders such as ":year" get parts of date in
// the time zone. If a value or the date is unknown, whyUnknown is the reason.
func fillPlaceholders(template string, date sitemap.Date, zone *time.Location, values map[string]string) (filled, whyUnknown string) {
	filled = placeholder.ReplaceAllStringFunc(template, func(token string) string {
		value, isKnown := values[token[1:]]
		layout := dateLayouts[token[1:]]
		switch {
		case layout != "" && date.IsZero():
			value, whyUnknown = noDate, cmp.Or(whyUnknown, whyNoDate)
		case layout != "":
			value = timeIn(zone, date).Format(layout)
		case !isKnown:
			whyUnknown = "the permalink placeholder " + token + " is not followed; write a permalink"
		}
		return value
	})
	return filled, whyUnknown
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

package generator

import (
	"cmp"
	"path"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/page"
)

var nuxt = generator{
	name: "nuxt", files: []string{"nuxt.config.*"}, read: (*reader).readNuxt,
	static: namedFolder{defaultDir: "public"}, base: "site.url i18n.baseUrl", basePath: "app.baseURL", rules: nuxtRules{},
	sitemapHint: "remove @nuxtjs/sitemap from the modules",
	sitemaps:    []string{"sitemap_index.xml", "__sitemap__/sitemap.xml"},
	front:       frontmatter.Conventions{Fences: nodeFront.Fences, GeneratorKeys: []string{"path"}},
}

// readNuxt reads the settings of a Nuxt project with Nuxt Content.
// See https://nuxt.com/docs/4.x/api/nuxt-config
func (r *reader) readNuxt(p *Project, c config) {
	p.Publish = r.existingOrFirst(".output/public", "dist")[:1] // dist is a symbolic link to .output/public
	p.readNuxtLocales(c.at("i18n"))
	p.Mapping.Trees = []Tree{{Dir: "content", kind: "content"}}
	for _, dir := range []string{"app/pages", "pages"} {
		if r.isDir(dir) {
			p.Mapping.Trees = append(p.Mapping.Trees, Tree{Dir: dir, kind: "pages"})
		}
	}
}

type nuxtRules struct{ plainRules }

// whyNotRendered returns a reason for a file in the folder "pages" that is not a Vue component, and
// "" for all other files.
func (nuxtRules) whyNotRendered(_ *Mapping, s source) string {
	if s.tree.kind == "pages" && s.ext != ".vue" {
		return "pages are programs there"
	}
	return ""
}

// outputFile returns the output file of a page: "1.guide/2.install.md" gives
// "guide/install/index.html", because the numbers only determine the order of pages. The front
// matter key "path" replaces the whole path.
// See https://content.nuxt.com/docs/collections/types#page
func (n nuxtRules) outputFile(m *Mapping, s source, f *page.Facts) (out, whyUnknown string) {
	if f.Permalink != "" {
		return permalinkFile(f.Permalink), "" // value of the front matter key "path"
	}
	if s.tree.kind == "pages" {
		return routeRules{}.outputFile(m, s, f)
	}
	parts := strings.Split(path.Join(s.dir, s.name), "/")
	for i, part := range parts {
		slug, ok := nuxtSlug(part)
		if !ok {
			return "", "the address depends on how Nuxt Content spells other than Latin letters; write a path"
		}
		parts[i] = slug
	}
	return joinPath(path.Join(parts...), "index.html"), ""
}

// nuxtVersion matches a version such as "1.2.x", and nuxtNumber a number at the beginning of a
// name. nuxtDrop matches characters that a slug does not contain, and nuxtLetters spells out
// others.
var (
	nuxtVersion = regexp.MustCompile(`^\d+(\.\d+)*(\.x)?$`)
	nuxtNumber  = regexp.MustCompile(`^\d+\.`)
	nuxtDrop    = regexp.MustCompile(`[^\w\s*+~.()'"!:@]+`)
	nuxtLetters = strings.NewReplacer(
		"&", "and", "$", "dollar", "%", "percent", "<", "less", ">", "greater", "|", "or", "-", " ",
		"ß", "ss", "æ", "ae", "Æ", "AE", "ø", "o", "Ø", "O", "œ", "oe", "Œ", "OE", "ł", "l", "Ł", "L", "đ", "dj", "Đ", "DJ", "þ", "th", "ð", "d",
	)
)

// nuxtSlug converts part, a folder or file name, to a slug as the package slugify does. It removes
// a number at the beginning and the ending ".draft": "1.guide" gives "guide". A version such as
// "1.2" keeps its numbers. The slug of "index" is "". ok is false if part has a character whose
// slug is unknown, such as "я" or "–".
func nuxtSlug(part string) (slug string, ok bool) {
	if !nuxtVersion.MatchString(part) {
		part = strings.TrimSuffix(nuxtNumber.ReplaceAllString(part, ""), ".draft")
	}
	if part == "index" {
		return "", true
	}
	part = nuxtLetters.Replace(stripAccents(part))
	return strings.ToLower(strings.Join(strings.Fields(nuxtDrop.ReplaceAllString(part, "")), "-")), isASCII(part)
}

// readNuxtLocales adds the output folders of the languages in c, the settings of Nuxt I18n, to
// p.Locales. Usually, each language except the default language has a folder.
// See https://i18n.nuxtjs.org/docs/guide
func (p *Project) readNuxtLocales(c *value) {
	strategy := c.at("strategy").str()
	if strategy == "no_prefix" {
		return
	}
	for _, v := range c.at("locales").items() {
		l := Locale{Dir: cmp.Or(v.at("code").str(), v.str())}
		l.Code = cmp.Or(v.at("language").str(), v.at("iso").str(), l.Dir)
		if l.Dir == c.at("defaultLocale").str() && strategy != "prefix" {
			l.Dir = ""
		}
		p.addLocale(l, v)
	}
}

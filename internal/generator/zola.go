package generator

import (
	"cmp"
	"path"
	"regexp"
	"strings"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/page"
)

var zola = generator{
	name: "zola", files: []string{"zola.toml", "config.toml"}, read: (*reader).readZola,
	publish: namedFolder{"output_dir", "public"}, content: namedFolder{defaultDir: "content"}, static: namedFolder{defaultDir: "static"}, base: "base_url",
	isOwn:       func(_ *reader, c config) bool { return c.hasAny("base_url") },
	aliases:     "aliases",
	sitemapHint: "set generate_sitemap = false",
	sitemaps:    []string{"sitemap1.xml", "sitemap2.xml"},
	archives:    []string{"/{tags,categories,authors}/**", "/**/page/*/"},
	front: frontmatter.Conventions{
		Fences: []string{"---", "+++"}, GeneratorKeys: []string{"path", "render"}, NestedKey: "extra", NameDate: frontmatter.DateBeginsName,
	},
}

// readZola reads the settings of a Zola project.
// See https://www.getzola.org/documentation/getting-started/configuration/
func (r *reader) readZola(p *Project, c config) {
	m := &p.Mapping
	m.rules = zolaRules{slugs: cmp.Or(p.addSetting("slugify.paths", c.at("slugify", "paths")), "on")}
	m.DefaultLanguage = cmp.Or(p.addSetting("default_language", c.at("default_language")), "en")
	c.at("languages").eachEntry(func(name string, v *value) {
		p.addLanguage(name, "", v)
	})
	if len(m.Languages) > 0 {
		p.addLanguage(m.DefaultLanguage, "", c.at("default_language"))
	}
}

type zolaRules struct {
	plainRules
	slugs string // setting slugify.paths: "on", "safe" or "off"
}

// outputFile returns the index.html in the folder of a page: "blog/2024-01-02-My Page.md" gives
// "blog/my-page/index.html". In the front matter, the key "slug" replaces "my-page", and the key
// "path" replaces the whole path of the folder. "blog/a/index.md" is the page "blog/a", and
// "blog/_index.md" the page "blog".
// See https://www.getzola.org/documentation/content/page/
func (z zolaRules) outputFile(m *Mapping, s source, f *page.Facts) (out, whyUnknown string) {
	prefix := m.langDir(s.lang)
	if f.Permalink != "" { // the key "path" also replaces the language folder
		return joinPath("", path.Join(f.Permalink, "index.html")), ""
	}
	dir, name := s.dir, s.name
	if name == "index" {
		dir, name = parentDir(s.dir), path.Base(s.dir)
	}
	if match := zolaDate.FindStringSubmatch(name); match != nil {
		name = match[1]
	}
	if s.name == "_index" {
		return joinPath(prefix, path.Join(s.dir, "index.html")), ""
	}
	name, whyUnknown = z.slug(cmp.Or(f.Slug, name))
	return joinPath(prefix, path.Join(dir, name, "index.html")), whyUnknown
}

// slug converts a name to a slug as the setting slugify.paths requires: "My Page" gives "my-page".
// If the slug is unknown, whyUnknown is the reason.
// See https://www.getzola.org/documentation/getting-started/configuration/#slugification-strategies
func (z zolaRules) slug(name string) (slug, whyUnknown string) {
	switch z.slugs {
	case "off":
		return name, ""
	case "safe":
		return zolaUnsafe.Replace(strings.TrimRight(name, " .")), ""
	}
	if slug = lowerSlug(zolaLetters.Replace(stripAccents(name))); !isASCII(slug) {
		return "", "the address depends on how Zola spells other than Latin letters; write a slug"
	}
	return slug, ""
}

// zolaUnsafe removes characters that some file systems do not allow.
var zolaUnsafe = strings.NewReplacer("<", "", ">", "", ":", "", `"`, "", "/", "", `\`, "", "|", "", "?", "", "*", "")

// zolaDate matches a file name that begins with a date. Group 1 is the rest of the name: "a" for
// "2024-01-02-a".
var zolaDate = regexp.MustCompile(`^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T[0-9:.Z+-]+)?\s*[-_]\s*(.+)$`)

// zolaLetters spells out letters that stripAccents does not change.
var zolaLetters = strings.NewReplacer(
	"ß", "ss", "æ", "ae", "Æ", "AE", "ø", "o", "Ø", "O", "œ", "oe", "Œ", "OE", "ł", "l", "Ł", "L", "đ", "d", "þ", "th",
)

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
	name: "zola", detect: (*reader).zola,
	server:  `"zola serve" keeps pages in memory; run "zola serve --store-html"`,
	sitemap: "generate_sitemap = false in Zola's configuration turns its own off",
	front: frontmatter.Conventions{
		Fences: []string{"---", "+++"}, Keys: []string{"path", "render"}, Below: "extra", NameDate: frontmatter.NameBegins,
	},
}

// zola reads a Zola project.
// https://www.getzola.org/documentation/getting-started/configuration/
func (r *reader) zola() *Project {
	c := r.first("zola.toml", "config.toml")
	if c.at("base_url") == nil {
		return nil
	}
	p := &Project{Content: []string{"content"}}
	p.Publish = []string{p.folder("output_dir", c.at("output_dir"), "public")}
	r.baseURL(p, "base_url", c.at("base_url"), "")
	m := &p.Mapping
	m.by = zolaRules{}
	m.Trees = []Tree{{Dir: "content"}}
	m.DefaultLanguage = cmp.Or(p.found("default_language", c.at("default_language")), "en")
	c.at("languages").each(func(name string, v *value) {
		m.Languages = append(m.Languages, Language{Name: name, Code: name, Pos: v.position()})
	})
	if len(m.Languages) > 0 {
		m.Languages = append([]Language{{Name: m.DefaultLanguage, Code: m.DefaultLanguage}}, m.Languages...)
	}
	return p
}

type zolaRules struct{ plain }

// output takes names as slugs, without a date that begins them.
// https://www.getzola.org/documentation/content/page/
func (zolaRules) output(c *Content, s source, f *page.Facts) (out, note string) {
	prefix := ""
	if s.lang != c.DefaultLanguage {
		prefix = s.lang
	}
	if f.Permalink != "" { // its path
		return rooted(prefix, indexIn(f.Permalink)), ""
	}
	dir, name := s.dir, s.name
	if name == "index" {
		dir, name = outer(s.dir), path.Base(s.dir)
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
	out = zolaSlug(path.Join(dir, name))
	for _, r := range out {
		if r > 127 {
			return "", "Zola's spelling of other than Latin letters is not known"
		}
	}
	return rooted(prefix, indexIn(out)), ""
}

// zolaDate matches the names that begin with a date, which is left out of the
// address.
var zolaDate = regexp.MustCompile(`^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?:T[0-9:.Z+-]+)?\s*[-_]\s*(.+)$`)

var zolaLetters = strings.NewReplacer(
	"ß", "ss", "æ", "ae", "Æ", "AE", "ø", "o", "Ø", "O", "œ", "oe", "Œ", "OE", "ł", "l", "Ł", "L", "đ", "d", "þ", "th",
)

// zolaSlug returns a path as Zola's slugify.paths = "on" spells it: Latin
// letters without accents, digits, and hyphens for all else.
func zolaSlug(p string) string {
	parts := strings.Split(zolaLetters.Replace(plainLetters(p)), "/")
	for i, part := range parts {
		parts[i] = slugify(part, "", false)
	}
	return strings.Join(parts, "/")
}

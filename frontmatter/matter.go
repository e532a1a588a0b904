package frontmatter

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/strict"
	"github.com/sitewalk/sitewalk/page"
	"gopkg.in/yaml.v3"
)

// A matter is the front matter of one file. Its methods read the keys and store the facts in f.
type matter struct {
	r      *Reader
	name   string // path of the file
	f      *page.Facts
	d      *strict.Decoder
	values map[string]*yaml.Node // by key, in lower case
	dates  map[string]parsedDate // by key
}

// Keys lists the keys of front matter that sitewalk reads, in the order in which they are read. The
// keys of dates, such as "lastmod", are in dateKeys instead. The case of keys does not matter.
var Keys = [...]struct {
	Names string // keys with the same meaning, separated by spaces; the first that the front matter contains counts
	Text  string // description for the manual
	read  func(m *matter, key string, n *yaml.Node)
}{
	{"title", "the title in feeds", (*matter).readTitle},
	{"description summary", "the summary in feeds", (*matter).readSummary},
	{"lang language", "the language, unless the HTML has one", func(m *matter, _ string, n *yaml.Node) { m.f.Lang = scalarText(n) }},
	{"translationKey", "the same value in all translations of a page", func(m *matter, _ string, n *yaml.Node) { m.f.TranslationKey = scalarText(n) }},
	{"url permalink", "where the page is written; false: nowhere", (*matter).readPermalink},
	{"path", "the same", (*matter).readPermalink},
	{"slug", "the last part of the address", func(m *matter, _ string, n *yaml.Node) { m.d.Decode(n, &m.f.Slug) }},
	{"id", "the same", func(m *matter, _ string, n *yaml.Node) { m.d.Decode(n, &m.f.ID) }},
	{"aliases", "former addresses", (*matter).readAliases},
	{"redirect_from", "former addresses", (*matter).readAliases},
	{"redirect_to", "the page is a redirect", (*matter).readRedirect},
	{"category", "a folder of the address", (*matter).readCategories},
	{"categories", "folders of the address", (*matter).readCategories},
	{"save_as", "the file that is written", (*matter).readPermalink},
	{"status", "draft, private, hidden or skip: not listed", (*matter).readStatus},
	{"draft", "true: a draft, not listed", (*matter).readDraft},
	{"published", "false: not listed; a date: not listed before", func(m *matter, key string, n *yaml.Node) { m.skipIf(false, page.Draft, key, n) }},
	{"sitemap", "false: not listed; a map: disable, exclude or ignore, and the fields lastmod, changefreq, priority, images, videos, news, alternates", (*matter).readSitemap},
	{"eleventyExcludeFromCollections", "true: not listed", (*matter).skipIfTrue},
	{"build _build", "render: never or link, or list: never or local: not listed", (*matter).readBuild},
	{"cascade", "build and sitemap for the pages below", (*matter).readCascade},
	{"render", "false: no page is written", func(m *matter, key string, n *yaml.Node) { m.skipIf(false, page.NotRendered, key, n) }},
	{"headless", "true: no page is written", func(m *matter, key string, n *yaml.Node) { m.skipIf(true, page.NotRendered, key, n) }},
	{"robots", "noindex or none: not listed", (*matter).readRobots},
	{"noindex robotsNoIndex", "true: not listed", func(m *matter, key string, n *yaml.Node) { m.skipIf(true, page.NoIndex, key, n) }},
	{"images", "images of the page", (*matter).readImages},
	{"videos", "videos of the page", (*matter).readVideos},
	{"news", "the news entry of an article", (*matter).readNews},
}

// generatorOnlyKeys lists the keys that are read only if Conventions.GeneratorKeys contains them.
var generatorOnlyKeys = []string{"path", "id", "category", "categories", "save_as", "status", "render", "cascade"}

// DecodeNode reads all keys and dates of the front matter n. It returns false if n is not a map.
func (m *matter) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	m.d = d
	if !d.ForEachEntry(n, func(name string, n *yaml.Node) { m.values[name] = n }) {
		return false
	}
	m.addNestedKeys()
	m.readKeys()
	m.readDates()
	if news := m.f.URL.News; news != nil {
		if title := m.values["title"]; title != nil {
			news.Title = cmp.Or(news.Title, scalarText(title))
		}
		news.PublicationDate = cmp.Or(news.PublicationDate, m.f.Date)
	}
	return true
}

// readKeys calls the function in Keys for each key of the front matter. Of several keys with the same
// meaning, it reads only the first key in Names that the front matter contains.
func (m *matter) readKeys() {
	for i := range Keys {
		for name := range strings.FieldsSeq(Keys[i].Names) {
			n := m.values[strings.ToLower(name)]
			if n == nil {
				continue
			}
			if !slices.Contains(generatorOnlyKeys, name) || slices.Contains(m.r.o.GeneratorKeys, name) {
				m.d.WithKey(name, func() { Keys[i].read(m, name, n) })
			}
			break
		}
	}
}

// addNestedKeys adds the keys in the map of Conventions.NestedKey, such as "extra", to m.values. If
// a key is both outside of the map and in the map, the value outside counts.
func (m *matter) addNestedKeys() {
	below := m.r.o.NestedKey
	n := m.values[below]
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	m.d.WithKey(below, func() {
		m.d.ForEachEntry(n, func(name string, v *yaml.Node) {
			if m.values[name] == nil {
				m.values[name] = v
			}
		})
	})
}

// addSkipReason adds r to the reasons to leave the page out. n is the value of the front matter key
// that is the cause. note describes the cause to the user: "draft: true".
func (m *matter) addSkipReason(r page.Reason, n *yaml.Node, note string) {
	m.f.Skips.Add(r, m.position(n), note)
}

func (m *matter) position(n *yaml.Node) diag.Pos { return diag.Pos{Line: n.Line, Col: n.Column} }

// scalarText returns the value of n as a string without surrounding spaces. It returns "" if n is
// null, a list or a map.
func scalarText(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || strict.IsNull(n) {
		return ""
	}
	return strings.TrimSpace(n.Value)
}

func (m *matter) readTitle(_ string, n *yaml.Node) {
	if !m.r.o.NoTitle {
		m.f.Title = scalarText(n)
	}
}

func (m *matter) readSummary(_ string, n *yaml.Node) {
	if !m.r.o.NoSummary {
		m.f.Summary = scalarText(n)
	}
}

func (m *matter) readPermalink(key string, n *yaml.Node) {
	if v, ok := strict.ParseBool(n); ok {
		if !v {
			m.addSkipReason(page.NotRendered, n, key+": false")
		}
		return
	}
	m.d.Decode(n, &m.f.Permalink)
}

func (m *matter) readAliases(_ string, n *yaml.Node) {
	var list []string
	m.d.Decode(n, &list)
	m.f.Aliases = append(m.f.Aliases, list...)
}

func (m *matter) readCascade(_ string, n *yaml.Node) {
	m.d.Decode(n, (*cascades)(&m.f.Cascades))
}

// ReadCascades reads n, the value of the key "cascade" in the configuration of Hugo. It ignores
// mistakes. The positions have no file name.
func ReadCascades(n *yaml.Node) []page.Cascade {
	var all cascades
	strict.Options{Lenient: true, FoldCase: true, Types: strict.SitemapTypes(nil)}.Decode("", n, &all)
	return all
}

// cascades contains the values of Hugo's key "cascade", in front matter or in the configuration.
type cascades []page.Cascade

// DecodeNode decodes n and appends its values to c. n is a map, or a list of maps with targets. Only
// the keys "build" and "sitemap" of these maps are used.
// See https://gohugo.io/content-management/front-matter/#cascade
func (c *cascades) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	for _, item := range strict.ListItems(n) {
		target := cmp.Or(mapValue(item, "target"), mapValue(item, "_target"), &yaml.Node{})
		glob := func(key string) string {
			if v := mapValue(target, key); v != nil {
				return strings.ToLower(scalarText(v))
			}
			return ""
		}
		for _, key := range []string{"build", "sitemap"} {
			v := mapValue(item, key)
			if v == nil {
				continue
			}
			passed := &matter{f: new(page.Facts), d: d}
			if key == "build" {
				passed.readBuild(key, v)
			} else {
				passed.readSitemap(key, v)
			}
			first := passed.f.Skips.First()
			*c = append(*c, page.Cascade{
				Path: glob("path"), Kind: glob("kind"), Lang: glob("lang"), Environment: glob("environment"),
				Key: key, Skip: first.Reason, Pos: first.Pos, Note: first.Note,
			})
		}
	}
	return true
}

// readCategories reads a list of categories, or a string with categories separated by spaces. A
// string under the key "category" is a single category.
func (m *matter) readCategories(key string, n *yaml.Node) {
	switch {
	case n.Kind == yaml.SequenceNode:
		for _, c := range n.Content {
			m.f.Categories = append(m.f.Categories, scalarText(c))
		}
	case key == "category" && scalarText(n) != "":
		m.f.Categories = append(m.f.Categories, scalarText(n))
	default:
		m.f.Categories = append(m.f.Categories, strings.Fields(scalarText(n))...)
	}
}

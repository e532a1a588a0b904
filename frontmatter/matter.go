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

// A matter reads the front matter of one file into facts.
type matter struct {
	r       *Reader
	name    string // of the file
	f       *page.Facts
	d       *strict.Decoder
	keys    []key
	answers []answer // of dates
	wrong   int      // dates that are none
}

// A key is one key of front matter, its name in lower case, and its value.
type key struct {
	name  string
	value *yaml.Node
}

// value returns the value of a key, or nil.
func (m *matter) value(name string) *yaml.Node {
	for i := range m.keys {
		if m.keys[i].name == name {
			return m.keys[i].value
		}
	}
	return nil
}

// Keys lists the keys of front matter that mean something to a sitemap, without
// regard to case, in the order in which they are read. All others are the
// site's own.
var Keys = [...]struct {
	Names string // one or more, the first that is there is read
	Text  string // what it says, for the manual
	read  func(m *matter, key string, n *yaml.Node)
}{
	{"title", "the title in feeds and on the page for people", (*matter).title},
	{"description summary", "the summary in feeds", (*matter).summary},
	{"lang language", "the language of a page with a translationKey or alternates, unless its HTML says it", func(m *matter, _ string, n *yaml.Node) { m.f.Lang = text(n) }},
	{"translationKey", "what translations of one page have in common", func(m *matter, _ string, n *yaml.Node) { m.f.TranslationKey = text(n) }},
	{"url permalink", "where the page is written; false: nowhere", (*matter).permalink},
	{"path", "the same, in generators that call it so", (*matter).permalink},
	{"slug", "the last part of the page's address", func(m *matter, _ string, n *yaml.Node) { m.d.Decode(n, &m.f.Slug) }},
	{"id", "the same, in generators that call it so", func(m *matter, _ string, n *yaml.Node) { m.d.Decode(n, &m.f.ID) }},
	{"aliases", "former addresses", (*matter).aliases},
	{"redirect_from", "former addresses", (*matter).aliases},
	{"redirect_to", "the page is a redirect", (*matter).redirect},
	{"category", "a folder of the page's address, in generators that have it so", (*matter).categories},
	{"categories", "folders of the page's address, in generators that have it so", (*matter).categories},
	{"save_as", "the file that is written, in generators that call it so", (*matter).permalink},
	{"status", "draft, private, hidden or skip: not listed, in generators that call it so", (*matter).status},
	{"draft", "true: a draft, not listed", (*matter).draft},
	{"published", "false: not listed; a date: not listed before", func(m *matter, key string, n *yaml.Node) { m.skipAt(false, page.Draft, key, n) }},
	{"sitemap", "false: not listed; a map: disable, exclude or ignore, and the fields lastmod, changefreq, priority, images, videos, news, alternates", (*matter).sitemap},
	{"eleventyExcludeFromCollections", "true: not listed", (*matter).optOut},
	{"build _build", "render: never or link, or list: never or local: not listed", (*matter).build},
	{"render", "false: no page is written, in generators that call it so", func(m *matter, key string, n *yaml.Node) { m.skipAt(false, page.NotRendered, key, n) }},
	{"headless", "true: no page is written", func(m *matter, key string, n *yaml.Node) { m.skipAt(true, page.NotRendered, key, n) }},
	{"robots", "noindex or none: not listed", (*matter).robots},
	{"noindex robotsNoIndex", "true: not listed", func(m *matter, key string, n *yaml.Node) { m.skipAt(true, page.NoIndex, key, n) }},
	{"images", "images of the page", (*matter).images},
	{"videos", "videos of the page", (*matter).videos},
	{"news", "the news entry of an article; title and publication_date may be left to title and date", (*matter).news},
}

// generatorsOnly are keys that are read where the generator knows them; elsewhere they
// are the site's own.
var generatorsOnly = []string{"path", "id", "category", "categories", "save_as", "status", "render"}

// DecodeNode implements strict.Custom.
func (m *matter) DecodeNode(d *strict.Decoder, n *yaml.Node) bool {
	m.d = d
	if !d.Entries(n, func(name string, n *yaml.Node) { m.keys = append(m.keys, key{name, n}) }) {
		return false
	}
	m.own()
	m.read()
	m.dates()
	if news := m.f.URL.News; news != nil {
		if title := m.value("title"); title != nil {
			news.Title = cmp.Or(news.Title, text(title))
		}
		news.PublicationDate = cmp.Or(news.PublicationDate, m.f.Date)
	}
	return true
}

// read reads the keys that mean something.
func (m *matter) read() {
	var picks [len(Keys)]struct {
		at key
		keyName
	}
	for _, k := range m.keys {
		spelling, ok := keyNames[k.name]
		if f := &picks[spelling.of]; ok && (f.at.value == nil || spelling.rank < f.rank) {
			f.at, f.keyName = k, spelling
		}
	}
	for i := range picks {
		if f := &picks[i]; f.at.value != nil && (!slices.Contains(generatorsOnly, f.name) || slices.Contains(m.r.o.Keys, f.name)) {
			m.d.Under(f.name, func() { Keys[i].read(m, f.name, f.at.value) })
		}
	}
}

// A keyName is one of the names of a key.
type keyName struct {
	name     string
	of, rank int // the key's place in Keys, and the name's among its names
}

// keyNames holds the names of all keys, by their spelling in lower case.
var keyNames = func() map[string]keyName {
	names := map[string]keyName{}
	for i := range Keys {
		for rank, name := range strings.Fields(Keys[i].Names) {
			names[strings.ToLower(name)] = keyName{name, i, rank}
		}
	}
	return names
}()

// own adds the keys that a generator keeps in a map for the site's own use,
// where the site does not say them outside.
func (m *matter) own() {
	place := m.r.o.Below
	if place == "" {
		return
	}
	n := m.value(place)
	if n == nil || n.Kind != yaml.MappingNode {
		return
	}
	outside := make(map[string]bool, len(m.keys))
	for _, k := range m.keys {
		outside[k.name] = true
	}
	m.d.Under(place, func() {
		m.d.Entries(n, func(name string, v *yaml.Node) {
			if !outside[name] {
				m.keys = append(m.keys, key{name, v})
			}
		})
	})
}

// skip records a reason to leave the page out, unless a better one is known.
func (m *matter) skip(r page.Reason, n *yaml.Node, note string) {
	if m.f.Skip == page.Listed || r < m.f.Skip {
		m.f.Skip, m.f.SkipPos, m.f.SkipNote = r, m.pos(n), note
	}
}

func (m *matter) pos(n *yaml.Node) diag.Pos { return diag.Pos{Line: n.Line, Col: n.Column} }

// text returns the text of a key that is free to be anything. It is a copy, as
// all that is kept of a node has to be.
func text(n *yaml.Node) string {
	if n.Kind != yaml.ScalarNode || strict.Null(n) {
		return ""
	}
	return strings.Clone(strings.TrimSpace(n.Value))
}

func (m *matter) title(_ string, n *yaml.Node) {
	if !m.r.o.NoTitle {
		m.f.Title = text(n)
	}
}

func (m *matter) summary(_ string, n *yaml.Node) {
	if !m.r.o.NoSummary {
		m.f.Summary = text(n)
	}
}

func (m *matter) permalink(key string, n *yaml.Node) {
	if v, ok := strict.Bool(n); ok {
		if !v {
			m.skip(page.NotRendered, n, key+": false")
		}
		return
	}
	m.d.Decode(n, &m.f.Permalink)
}

func (m *matter) aliases(_ string, n *yaml.Node) {
	var list []string
	m.d.Decode(n, &list)
	m.f.Aliases = append(m.f.Aliases, list...)
}

// categories splits text at blanks and keeps lists.
func (m *matter) categories(key string, n *yaml.Node) {
	switch {
	case n.Kind == yaml.SequenceNode:
		for _, c := range n.Content {
			m.f.Categories = append(m.f.Categories, text(c))
		}
	case key == "category" && text(n) != "":
		m.f.Categories = append(m.f.Categories, text(n))
	default:
		m.f.Categories = append(m.f.Categories, strings.Fields(text(n))...)
	}
}

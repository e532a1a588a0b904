package mapping

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/page"
)

// Hugo is what a Hugo configuration says of addresses.
type Hugo struct {
	Permalinks    []Permalink // the first that matches wins
	UglyURLs      bool
	UglySections  []string // sections whose pages have ugly URLs
	KeepCase      bool     // disablePathToLower
	RemoveAccents bool     // removePathAccents
	DisabledKinds []string // kinds of pages that are not written: "section", "term", …
	Taxonomies    []string // folders of taxonomies, "tags"; nil is Hugo's default
	Pager         string   // folder of the further pages of a list; "" is Hugo's default
	NameDate      bool     // [frontmatter] takes a date, and so a slug, from file names
	NameDateFirst bool     // … even where the front matter has a date
}

// A Permalink is one pattern of Hugo's permalinks.
type Permalink struct {
	Kind    string // glob over "page", "section", "term", "taxonomy", "home"; "" is every kind
	Path    string // glob over the page's path, "/posts/**"; "" is every path
	Lang    string // glob over languages; "" is every language
	Pattern string
	Pos     diag.Pos
}

// A hugoPage is a content file in Hugo's words.
type hugoPage struct {
	source
	facts  *page.Facts
	kind   string
	dir    string // folder of its address
	base   string // last part of its address
	path   string // logical path, lower case: "/posts/a"
	bundle bool
	slug   string
}

// hugoPage reads a content file's name as Hugo does: "_index" is the page of
// its folder's section, "index" is its folder as a page.
// https://gohugo.io/content-management/page-bundles/
func (c *Content) hugoPage(s source, f *page.Facts) *hugoPage {
	p := &hugoPage{source: s, facts: f, kind: "page", dir: s.dir, base: s.name, slug: f.Slug}
	full := path.Join(s.dir, s.name)
	switch s.name {
	case "_index":
		p.kind, p.bundle, p.base, full = c.hugoKind(s.dir), true, path.Base(s.dir), s.dir
	case "index":
		p.bundle, full = true, s.dir
		p.dir, p.base = path.Dir(s.dir), path.Base(s.dir)
	}
	if p.dir == "." {
		p.dir = ""
	}
	if !c.Hugo.KeepCase { // file names, unlike slugs and titles, keep each space
		p.dir, p.base = strings.ReplaceAll(p.dir, " ", "-"), strings.ReplaceAll(p.base, " ", "-")
	}
	p.path = "/" + strings.ReplaceAll(strings.ToLower(full), " ", "-")
	if p.slug == "" && c.Hugo.NameDate {
		p.slug = c.slugOfName(s.name, f)
	}
	return p
}

// hugoKind returns the kind of the page of a folder's _index file.
func (c *Content) hugoKind(dir string) string {
	if dir == "" {
		return "home"
	}
	taxonomies := c.Hugo.Taxonomies
	if taxonomies == nil {
		taxonomies = []string{"categories", "tags"}
	}
	top, _, nested := strings.Cut(dir, "/")
	switch {
	case !slices.Contains(taxonomies, top):
		return "section"
	case nested:
		return "term"
	}
	return "taxonomy"
}

// slugOfName returns the slug in a name that begins with a date, where the
// date is the name's.
// https://gohugo.io/configuration/front-matter/#filename
func (c *Content) slugOfName(name string, f *page.Facts) string {
	if len(name) < len(time.DateOnly) {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, name[:10]); err != nil {
		return ""
	}
	if !c.Hugo.NameDateFirst && !f.Date.IsZero() && f.DateBy != ":filename" && f.LastModBy != ":filename" {
		return ""
	}
	rest := name[10:]
	if len(name) >= 19 {
		if _, err := time.Parse("15-04-05", name[11:19]); err == nil {
			rest = name[19:]
		}
	}
	return strings.Trim(rest, " -_")
}

// hugoNotRendered says why a file is no page of its own: Hugo does not read
// it, or it belongs to a leaf bundle.
func (c *Content) hugoNotRendered(s source) string {
	file := path.Base(s.file)
	if strings.ContainsAny(file[:1], ".#") || strings.HasSuffix(file, "~") {
		return "Hugo leaves out names like " + file
	}
	if _, suffix, ok := cutLast(s.name, "."); ok && slices.Contains(c.Disabled, strings.ToLower(suffix)) {
		return "the language " + suffix + " is disabled"
	}
	if len(c.Hugo.DisabledKinds) > 0 {
		kind := "page"
		if s.name == "_index" {
			kind = c.hugoKind(s.dir)
		}
		if slices.Contains(c.Hugo.DisabledKinds, kind) {
			return "disableKinds names " + kind
		}
	}
	dir := s.dir
	if s.name == "index" {
		dir = path.Dir(dir)
	}
	for ; dir != "" && dir != "."; dir = path.Dir(dir) {
		if _, ok := c.indexOf(dir, "index", s.lang); ok {
			return "the file belongs to the page bundle " + dir
		}
	}
	return ""
}

// indexOf returns what a folder's index file in a language says of it.
func (c *Content) indexOf(dir, name, lang string) (i index, ok bool) {
	i, ok = c.folders[folder{dir, name, lang}]
	return i, ok
}

// hugoOutput is Hugo's own resources/page/page_paths.go for the HTML format.
func (c *Content) hugoOutput(s source, f *page.Facts) (out, note string) {
	if note := c.hugoNotRendered(s); note != "" {
		return "", note
	}
	p := c.hugoPage(s, f)
	if f.Permalink != "" && p.kind != "home" {
		return c.hugoURL(p, f.Permalink)
	}
	target, note := c.hugoTarget(p)
	if note != "" {
		return "", note
	}
	return rooted(c.hugoPrefix(s.lang), c.hugoPath(c.hugoFile(p, target))), ""
}

// hugoFile returns the file for an address: Hugo's index pages are never ugly,
// and a page that is called index always is.
func (c *Content) hugoFile(p *hugoPage, target string) string {
	ugly := c.Hugo.UglyURLs || slices.Contains(c.Hugo.UglySections, section(p.source))
	switch {
	case p.kind == "page" && !p.bundle && path.Base(target) == "index" && c.Hugo.permalink(p) == "":
		return target + ".html"
	case ugly && (p.kind == "page" || p.kind == "term") && target != "":
		return strings.TrimSuffix(target, "/") + ".html"
	}
	return target + "/index.html"
}

// hugoTarget returns the address of a page without its ending.
func (c *Content) hugoTarget(p *hugoPage) (target, note string) {
	if pattern := c.Hugo.permalink(p); pattern != "" {
		return c.expandHugo(pattern, p)
	}
	note = c.sluggedSection(p.source.dir, p.lang)
	if p.kind != "page" {
		return p.dir, note
	}
	return p.dir + "/" + cmp.Or(p.slug, p.base), note
}

// sluggedSection says that a folder's address is not known because its section,
// or one around it, has a slug: older Hugos ignore it.
func (c *Content) sluggedSection(dir, lang string) string {
	for ; c.folders != nil && dir != "" && dir != "."; dir = path.Dir(dir) {
		if i, _ := c.indexOf(dir, "_index", lang); i.slug != "" {
			return "whether the slug of the section " + dir + " is in the address depends on Hugo's version"
		}
	}
	return ""
}

// hugoURL returns the output of a page whose front matter sets its url. It is
// taken as it stands; a leading slash makes it independent of the language.
// https://gohugo.io/content-management/urls/#url
func (c *Content) hugoURL(p *hugoPage, url string) (out, note string) {
	if strings.Contains(url, ":") {
		if url, note = c.expandHugo(url, p); note != "" {
			return "", note
		}
	}
	prefix := c.hugoPrefix(p.lang)
	if strings.HasPrefix(url, "/") && !c.Multihost || prefix != "" && strings.HasPrefix(url, "/"+prefix) {
		prefix = ""
	}
	if strings.Contains(url, "..") {
		url = path.Join("/", url)
	}
	out = url
	if strings.HasSuffix(url, "/") || !strings.Contains(url, ".") {
		out += "/index.html"
	}
	return rooted(prefix, out), ""
}

// hugoPrefix returns the folder of a language.
func (c *Content) hugoPrefix(lang string) string {
	if c.Multihost {
		return lang
	}
	if lang == c.DefaultLanguage && !c.DefaultInSubdir || len(c.Languages) < 2 {
		return ""
	}
	return lang
}

// section returns the first folder of a content file.
func section(s source) string {
	top, _, _ := strings.Cut(s.dir, "/")
	return top
}

// rooted returns a path below an output folder, clean and without a leading
// slash.
func rooted(dir, file string) string {
	joined := file
	if dir != "" {
		joined = dir + "/" + file
	}
	if isClean(joined) {
		return joined
	}
	return strings.TrimPrefix(path.Join("/", dir, file), "/")
}

// indexIn returns the path of the index file in a folder.
func indexIn(dir string) string {
	if isClean(dir) {
		return dir + "/index.html"
	}
	return path.Join(dir, "index.html")
}

// isClean reports whether a path is surely as path.Clean would return it: no
// part of it is empty or begins with a dot.
func isClean(p string) bool {
	return p != "" && p[0] != '/' && p[0] != '.' && p[len(p)-1] != '/' && !strings.Contains(p, "//") && !strings.Contains(p, "/.")
}

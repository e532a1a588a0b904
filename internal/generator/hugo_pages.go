package generator

import (
	"cmp"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// hugoRules are the settings of a Hugo configuration for addresses.
type hugoRules struct {
	plainRules
	permalinks    []permalink // the first that matches wins
	uglyURLs      bool
	uglySections  []string // sections whose pages have ugly URLs
	keepCase      bool     // disablePathToLower
	removeAccents bool     // removePathAccents
	disabledKinds []string // kinds of pages that are not written: "section", "term", …
	taxonomies    []string // folders of taxonomies: "tags"
	pager         string   // folder of the further pages of a list
	nameDate      bool     // [frontmatter] takes a date, and so a slug, from file names
	nameDateFirst bool     // … even where the front matter has a date
}

// A permalink is one pattern of Hugo's permalinks. An empty condition fits every page.
type permalink struct {
	section string   // folder of the page, lower case
	kinds   []string // of pages: "page", "section", "term", "taxonomy", "home"
	// Globs over the page's path, kind and language.
	path, kind, lang string

	pattern string
}

// A hugoPage is the page of a content file in Hugo's terms.
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

// page reads a content file's name as Hugo does: "_index" is the page of
// its folder's section, "index" is its folder as a page.
// https://gohugo.io/content-management/page-bundles/
func (h *hugoRules) page(c *Content, s source, f *page.Facts) *hugoPage {
	p := &hugoPage{source: s, facts: f, kind: "page", dir: s.dir, base: s.name, slug: f.Slug}
	full := path.Join(s.dir, s.name)
	switch s.name {
	case "_index":
		p.kind, p.bundle, p.base, full = h.kindOf(s.dir), true, path.Base(s.dir), s.dir
	case "index":
		p.bundle, full = true, s.dir
		p.dir, p.base = parentDir(s.dir), path.Base(s.dir)
	}
	if !h.keepCase { // file names, unlike slugs and titles, keep each space
		p.dir, p.base = strings.ReplaceAll(p.dir, " ", "-"), strings.ReplaceAll(p.base, " ", "-")
	}
	p.path = "/" + strings.ReplaceAll(strings.ToLower(full), " ", "-")
	if p.slug == "" && h.nameDate {
		p.slug = h.slugOfName(s.name, f)
	}
	return p
}

// kindOf returns the kind of the page of a folder's _index file.
func (h *hugoRules) kindOf(dir string) string {
	if dir == "" {
		return "home"
	}
	top, _, nested := strings.Cut(dir, "/")
	switch {
	case !slices.Contains(h.taxonomies, top):
		return "section"
	case nested:
		return "term"
	}
	return "taxonomy"
}

// slugOfName returns the slug in a name that begins with a date, where the
// date is the name's.
// https://gohugo.io/configuration/front-matter/#filename
func (h *hugoRules) slugOfName(name string, f *page.Facts) string {
	date, rest := frontmatter.CutDate(name, nil)
	if date.IsZero() || !h.nameDateFirst && !f.Date.IsZero() && f.DateBy != ":filename" && f.LastModBy != ":filename" {
		return ""
	}
	return strings.Trim(rest, " -_")
}

// whyNotRendered returns why a file has no page of its own: Hugo does not read it, or it belongs to
// a leaf bundle.
func (h *hugoRules) whyNotRendered(c *Content, s source) string {
	file := path.Base(s.file)
	if strings.ContainsAny(file[:1], ".#") || strings.HasSuffix(file, "~") {
		return "Hugo leaves out names like " + file
	}
	if _, suffix := cutExt(s.name); suffix != "" && slices.Contains(c.Disabled, strings.ToLower(suffix[1:])) {
		return "the language " + suffix[1:] + " is disabled"
	}
	if len(h.disabledKinds) > 0 {
		kind := "page"
		if s.name == "_index" {
			kind = h.kindOf(s.dir)
		}
		if slices.Contains(h.disabledKinds, kind) {
			return "disableKinds names " + kind
		}
	}
	dir := s.dir
	if s.name == "index" {
		dir = path.Dir(dir)
	}
	for ; dir != "" && dir != "."; dir = path.Dir(dir) {
		if c.indexes[folder{dir, "index", s.lang}] {
			return "the file belongs to the page bundle " + dir
		}
	}
	return ""
}

// outputFile follows Hugo's resources/page/page_paths.go for the HTML format.
func (h *hugoRules) outputFile(c *Content, s source, f *page.Facts) (out, note string) {
	p := h.page(c, s, f)
	if f.Permalink != "" && p.kind != "home" {
		return h.fromURL(c, p, f.Permalink)
	}
	target, note := h.target(c, p)
	return cleanPath(c.langDir(s.lang), h.urlize(h.fileOfTarget(p, target))), note
}

// fileOfTarget returns the file of an address. Index pages never have ugly URLs, and a page called index
// always has one.
func (h *hugoRules) fileOfTarget(p *hugoPage, target string) string {
	ugly := h.uglyURLs || slices.Contains(h.uglySections, topFolder(p.source))
	switch {
	case p.kind == "page" && !p.bundle && path.Base(target) == "index" && h.permalink(p) == "":
		return target + ".html"
	case ugly && (p.kind == "page" || p.kind == "term") && target != "":
		return strings.TrimSuffix(target, "/") + ".html"
	}
	return target + "/index.html"
}

// target returns the address of a page without its ending.
func (h *hugoRules) target(c *Content, p *hugoPage) (target, note string) {
	if pattern := h.permalink(p); pattern != "" {
		return h.expand(c, pattern, p)
	}
	if p.kind != "page" { // the slug of a section is ignored
		return p.dir, ""
	}
	return p.dir + "/" + cmp.Or(p.slug, p.base), ""
}

// fromURL returns the output of a page whose front matter sets url. A url with a leading slash
// does not depend on the language.
// https://gohugo.io/content-management/urls/#url
func (h *hugoRules) fromURL(c *Content, p *hugoPage, url string) (out, note string) {
	if strings.Contains(url, ":") {
		url, note = h.expand(c, url, p)
	}
	prefix := c.langDir(p.lang)
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
	return cleanPath(prefix, out), note
}

// topFolder returns the first folder of a content file.
func topFolder(s source) string {
	top, _, _ := strings.Cut(s.dir, "/")
	return top
}

// publishDate returns the day of publication, or the page's date.
func (*hugoRules) publishDate(_ *Content, _ source, f *page.Facts) sitemap.Date {
	return cmp.Or(f.Publish, f.Date)
}

// alias resolves an alias below the folder around the page, unless it begins with a slash.
func (h *hugoRules) alias(c *Content, s source, alias, out string) string {
	switch {
	case strings.HasPrefix(alias, "/"):
		return aliasFile(path.Join(c.langDir(s.lang), alias))
	case out == "":
		return ""
	}
	return aliasFile(path.Join(path.Dir(strings.TrimSuffix(out, "/index.html")), alias))
}

// translationPath returns a path as it is in Hugo's logical paths, by which it pairs
// translations: of a leaf bundle, the folder is the page.
func (*hugoRules) translationPath(p string) string {
	p = strings.ReplaceAll(strings.ToLower(p), " ", "-")
	return cmp.Or(strings.TrimSuffix(p, "/index"), "/")
}

// translation is for the homes, sections and lists of terms that Hugo makes
// without a content file: they have the key that an _index file would have.
func (h *hugoRules) translation(c *Content, out string) (lang, key string) {
	dir, isIndex := strings.CutSuffix("/"+out, "/index.html")
	if !isIndex {
		return "", ""
	}
	lang = c.DefaultLanguage
	for i := range c.Languages {
		l := c.Languages[i].Name
		prefix := c.langDir(l)
		if rest, in := strings.CutPrefix(dir+"/", "/"+prefix+"/"); in && prefix != "" {
			lang, dir = l, "/"+strings.TrimSuffix(rest, "/")
			break
		}
	}
	if h.isPager(dir) {
		return "", ""
	}
	return lang, h.translationPath(path.Join("/", dir, "_index"))
}

var anyNumber = regexp.MustCompile(`^\d+$`)

// isPager reports whether a folder contains a further page of a list.
func (h *hugoRules) isPager(dir string) bool {
	return anyNumber.MatchString(path.Base(dir)) && path.Base(path.Dir(dir)) == h.pager
}

// urlize returns a path as Hugo writes it in URLs: without disallowed characters, with hyphens for
// spaces, and in lower case unless the configuration keeps the case.
// https://gohugo.io/functions/urls/urlize/
func (h *hugoRules) urlize(s string) string {
	s = hugoSanitize(s)
	if h.removeAccents {
		s = plainLetters(s)
	}
	if !h.keepCase {
		s = strings.ToLower(s)
	}
	return s
}

// hugoSanitize drops the characters that Hugo does not allow in a path. Runs of white space
// between others become one hyphen.
func hugoSanitize(s string) string {
	var b strings.Builder
	pending, hyphen := false, false
	for i, r := range s {
		switch {
		case !isDisallowed(r) || r == '%' && isEscape(s[i:]):
			hyphen = r == '-'
			if pending && !hyphen {
				b.WriteByte('-')
			}
			pending = false
			b.WriteRune(r)
		case b.Len() > 0 && !hyphen && unicode.IsSpace(r):
			pending = true
		}
	}
	return b.String()
}

func isDisallowed(r rune) bool { return !isWordOr(r, `./\_#+~-@`) }

// isEscape reports whether a percent sign and two hexadecimal digits begin a text.
func isEscape(s string) bool {
	_, err := url.PathUnescape(s[:min(3, len(s))])
	return err == nil
}

// plainLetters returns s without accents.
func plainLetters(s string) string {
	if isASCII(s) {
		return s
	}
	drop := func(r rune) rune {
		if unicode.Is(unicode.Mn, r) {
			return -1
		}
		return r
	}
	return norm.NFC.String(strings.Map(drop, norm.NFD.String(s)))
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}

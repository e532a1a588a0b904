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

// hugoRules contains the settings of Hugo that determine output files.
type hugoRules struct {
	plainRules
	permalinks    []permalink // patterns from the setting permalinks; the first one that matches counts
	uglyURLs      bool
	uglySections  []string // sections whose pages have ugly URLs
	keepCase      bool     // setting disablePathToLower
	removeAccents bool     // setting removePathAccents
	disabledKinds []string // page kinds that are not built: "section", "term"
	taxonomies    []string // folders of taxonomies: "tags"
	pager         string   // folder of the second and further pages of a list: "page"
	nameDate      bool     // dates and slugs may come from file names
	nameDateFirst bool     // the date in the file name has priority over front matter
}

// A permalink is a pattern from Hugo's setting permalinks, with conditions for pages. An empty
// condition matches every page.
type permalink struct {
	section string   // folder of the page, in lower case
	kinds   []string // page kinds: "page", "section", "term", "taxonomy", "home"
	// Globs for the path, the kind and the language of the page.
	path, kind, lang string

	pattern string
}

// A hugoPage is the page of a content file, with the properties that Hugo's rules use.
type hugoPage struct {
	source
	facts  *page.Facts
	kind   string
	dir    string // folder in the URL
	base   string // last part of the URL
	path   string // logical path in lower case: "/posts/a"
	bundle bool
	slug   string
}

// newPage returns the page of a content file. A file "_index" is the page of the section in its
// folder. A file "index" is a page whose name is that of its folder.
// See https://gohugo.io/content-management/page-bundles/
func (h *hugoRules) newPage(c *Content, s source, f *page.Facts) *hugoPage {
	p := &hugoPage{source: s, facts: f, kind: "page", dir: s.dir, base: s.name, slug: f.Slug}
	full := path.Join(s.dir, s.name)
	switch s.name {
	case "_index":
		p.kind, p.bundle, p.base, full = h.kindOf(s.dir), true, path.Base(s.dir), s.dir
	case "index":
		p.bundle, full = true, s.dir
		p.dir, p.base = parentDir(s.dir), path.Base(s.dir)
	}
	if !h.keepCase { // spaces in file names are replaced one by one, unlike in slugs and titles
		p.dir, p.base = strings.ReplaceAll(p.dir, " ", "-"), strings.ReplaceAll(p.base, " ", "-")
	}
	p.path = "/" + strings.ReplaceAll(strings.ToLower(full), " ", "-")
	if p.slug == "" && h.nameDate {
		p.slug = h.slugOfName(s.name, f)
	}
	return p
}

// kindOf returns the page kind of a file "_index" in the folder dir.
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

// slugOfName returns the slug in a file name such as "2024-01-02-slug". It returns "" if the name
// has no date, or if the date of the page comes from front matter.
// See https://gohugo.io/configuration/front-matter/#filename
func (h *hugoRules) slugOfName(name string, f *page.Facts) string {
	date, rest := frontmatter.CutDate(name, nil)
	if date.IsZero() || !h.nameDateFirst && !f.Date.IsZero() && f.DateBy != ":filename" && f.LastModBy != ":filename" {
		return ""
	}
	return strings.Trim(rest, " -_")
}

// whyNotRendered returns the reason why Hugo builds no page for a file: Hugo ignores its name, or
// the file belongs to a leaf bundle.
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

// outputFile implements the rules in Hugo's resources/page/page_paths.go for HTML.
func (h *hugoRules) outputFile(c *Content, s source, f *page.Facts) (out, note string) {
	p := h.newPage(c, s, f)
	if f.Permalink != "" && p.kind != "home" {
		return h.outputFromURL(c, p, f.Permalink)
	}
	target, note := h.targetPath(c, p)
	return cleanPath(c.langDir(s.lang), h.urlize(h.outputOfPath(p, target))), note
}

// outputOfPath returns the output file for a URL path without its ending. With uglyURLs, the file
// is "a.html" instead of "a/index.html". That does not apply to index files, but always to a page
// that is called "index".
func (h *hugoRules) outputOfPath(p *hugoPage, target string) string {
	ugly := h.uglyURLs || slices.Contains(h.uglySections, topFolder(p.source))
	switch {
	case p.kind == "page" && !p.bundle && path.Base(target) == "index" && h.findPermalink(p) == "":
		return target + ".html"
	case ugly && (p.kind == "page" || p.kind == "term") && target != "":
		return strings.TrimSuffix(target, "/") + ".html"
	}
	return target + "/index.html"
}

// targetPath returns the URL path of a page without its ending. If the result is unknown, note is the reason.
func (h *hugoRules) targetPath(c *Content, p *hugoPage) (target, note string) {
	if pattern := h.findPermalink(p); pattern != "" {
		return h.expandPattern(c, pattern, p)
	}
	if p.kind != "page" { // the slug of a section is ignored
		return p.dir, ""
	}
	return p.dir + "/" + cmp.Or(p.slug, p.base), ""
}

// outputFromURL returns the output file of a page whose front matter sets the key "url". A url with a
// leading slash is not put into the language folder.
// See https://gohugo.io/content-management/urls/#url
func (h *hugoRules) outputFromURL(c *Content, p *hugoPage, url string) (out, note string) {
	if strings.Contains(url, ":") {
		url, note = h.expandPattern(c, url, p)
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

// topFolder returns the first folder of a content file, or "" if it is in none.
func topFolder(s source) string {
	top, _, _ := strings.Cut(s.dir, "/")
	return top
}

// publishDate returns the key publishDate of the front matter, or the date of the page.
func (*hugoRules) publishDate(_ *Content, _ source, f *page.Facts) sitemap.Date {
	return cmp.Or(f.Publish, f.Date)
}

// redirectFile returns the redirect file for an alias. An alias with a leading slash is relative
// to the root of the site. Any other alias is relative to the folder that contains the page.
func (h *hugoRules) redirectFile(c *Content, s source, alias, out string) string {
	switch {
	case strings.HasPrefix(alias, "/"):
		return aliasFile(path.Join(c.langDir(s.lang), alias))
	case out == "":
		return ""
	}
	return aliasFile(path.Join(path.Dir(strings.TrimSuffix(out, "/index.html")), alias))
}

// translationPath returns the logical path by which Hugo matches translations. The page of a leaf
// bundle has the path of its folder.
func (*hugoRules) translationPath(p string) string {
	p = strings.ReplaceAll(strings.ToLower(p), " ", "-")
	return cmp.Or(strings.TrimSuffix(p, "/index"), "/")
}

// pageTranslation returns the language and the translation key of a page that Hugo generates without
// a content file, such as a section. The key is the same as that of a file "_index" would be.
func (h *hugoRules) pageTranslation(c *Content, out string) (lang, key string) {
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

// isPager reports whether the folder dir contains the second or a further page of a list:
// "posts/page/2".
func (h *hugoRules) isPager(dir string) bool {
	return anyNumber.MatchString(path.Base(dir)) && path.Base(path.Dir(dir)) == h.pager
}

// urlize converts a path as Hugo does for URLs. It removes disallowed characters, replaces spaces
// by hyphens, and converts to lower case unless keepCase is set.
// See https://gohugo.io/functions/urls/urlize/
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

// hugoSanitize removes the characters that Hugo does not allow in a path. It replaces white space
// between allowed characters by one hyphen.
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

func isDisallowed(r rune) bool { return !isWordRuneOr(r, `./\_#+~-@`) }

// isEscape reports whether s begins with a percent escape such as "%20".
func isEscape(s string) bool {
	_, err := url.PathUnescape(s[:min(3, len(s))])
	return err == nil
}

// plainLetters removes the accents from the letters in s.
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

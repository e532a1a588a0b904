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
	permalinks      []permalink // patterns from the setting permalinks; the first matching pattern counts
	uglyURLs        bool
	uglySections    []string // sections whose pages have ugly URLs
	keepCase        bool     // setting disablePathToLower
	removeAccents   bool     // setting removePathAccents
	disabledKinds   []string // page kinds that are not built: "section", "term"
	taxonomies      []string // folders of taxonomies: "tags"
	pager           string   // folder of the second and further pages of a list: "page"
	usesNameDate    bool     // dates and slugs may come from file names
	prefersNameDate bool     // the date in the file name has priority over front matter
}

// A permalink is a URL pattern from Hugo's setting "permalinks", with conditions on the pages that
// it applies to.
type permalink struct {
	path, kind, lang string // globs for the logical path, the kind and the language of a page; "" matches every page
	pattern          string
}

// A hugoPage contains the properties of a content file that determine its URL in Hugo.
type hugoPage struct {
	source
	facts *page.Facts
	kind  string
	dir   string // folder in the URL
	base  string // name of the file, bundle or section in the URL; a slug replaces the name of a page
	path  string // logical path in lower case: "/posts/a"
	slug  string
}

// newPage returns the properties of the page for a content file. A file "_index" is the page of the
// section in its folder. A file "index" makes its folder a leaf bundle: a single page with the name
// of the folder.
// See https://gohugo.io/content-management/page-bundles/
func (h *hugoRules) newPage(s source, f *page.Facts) *hugoPage {
	p := &hugoPage{source: s, facts: f, kind: "page", dir: s.dir, base: s.name, slug: f.Slug}
	full := path.Join(s.dir, s.name)
	switch s.name {
	case "_index":
		p.kind, p.base, full = h.indexPageKind(s.dir), path.Base(s.dir), s.dir
	case "index":
		p.dir, p.base, full = parentDir(s.dir), path.Base(s.dir), s.dir
	}
	if !h.keepCase { // spaces in file names are replaced one by one, unlike in slugs and titles
		p.dir, p.base = strings.ReplaceAll(p.dir, " ", "-"), strings.ReplaceAll(p.base, " ", "-")
	}
	p.path = "/" + strings.ReplaceAll(strings.ToLower(full), " ", "-")
	if p.slug == "" && h.usesNameDate {
		p.slug = h.slugFromFileName(s.name, f)
	}
	return p
}

// indexPageKind returns the page kind of a file "_index" in the folder dir: "home" for "",
// "taxonomy" for "tags", "term" for "tags/go", and "section" for a folder that is not in a
// taxonomy.
func (h *hugoRules) indexPageKind(dir string) string {
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

// slugFromFileName returns the slug in a file name with a date: "2024-01-02-slug" gives "slug". It
// returns "" if the name has no date, or if Hugo takes the date of the page from front matter
// instead of the name.
// See https://gohugo.io/configuration/front-matter/#filename
func (h *hugoRules) slugFromFileName(name string, f *page.Facts) string {
	date, rest := frontmatter.CutDate(name, nil)
	if date.IsZero() || !h.prefersNameDate && !f.Date.IsZero() && f.DateBy != ":filename" && f.LastModBy != ":filename" {
		return ""
	}
	return strings.Trim(rest, " -_")
}

// whyNotRendered returns the reason why Hugo builds no page for a file, or "". Hugo ignores some
// file names, disabled languages and disabled page kinds. A file in the folder of a leaf bundle
// belongs to the page of the bundle.
func (h *hugoRules) whyNotRendered(m *Mapping, s source) string {
	file := path.Base(s.file)
	if strings.ContainsAny(file[:1], ".#") || strings.HasSuffix(file, "~") {
		return "Hugo leaves out names like " + file
	}
	if _, suffix := cutExt(s.name); suffix != "" && slices.Contains(m.DisabledLanguages, strings.ToLower(suffix[1:])) {
		return "the language " + suffix[1:] + " is disabled"
	}
	if len(h.disabledKinds) > 0 {
		kind := "page"
		if s.name == "_index" {
			kind = h.indexPageKind(s.dir)
		}
		if slices.ContainsFunc(h.disabledKinds, func(k string) bool {
			return strings.EqualFold(k, kind) || kind == "taxonomy" && strings.EqualFold(k, "taxonomyTerm") // its name until 2020
		}) {
			return "disableKinds names " + kind
		}
	}
	dir := s.dir
	if s.name == "index" {
		dir = path.Dir(dir)
	}
	for ; dir != "" && dir != "."; dir = path.Dir(dir) {
		if m.indexes[indexKey{dir, "index", s.lang}] {
			return "the file belongs to the page bundle " + dir
		}
	}
	return ""
}

// outputFile returns the output file of the HTML page, by the rules in Hugo's
// resources/page/page_paths.go.
func (h *hugoRules) outputFile(m *Mapping, s source, f *page.Facts) (out, whyUnknown string) {
	p := h.newPage(s, f)
	if f.Permalink != "" && p.kind != "home" {
		return h.outputFromURL(m, p, f.Permalink)
	}
	target := p.dir
	if p.kind == "page" { // the slug of a section is ignored
		target += "/" + cmp.Or(p.slug, p.base)
	}
	if i := slices.IndexFunc(h.permalinks, func(l permalink) bool { return l.appliesTo(p) }); i >= 0 && h.permalinks[i].pattern != "" {
		target, whyUnknown = h.expandPattern(m, h.permalinks[i].pattern, p)
	}
	isUgly := h.uglyURLs || slices.Contains(h.uglySections, topFolder(p.source))
	if isUgly && (p.kind == "page" || p.kind == "term") && target != "" {
		target = strings.TrimSuffix(target, "/") + ".html"
	} else {
		target += "/index.html"
	}
	return joinPath(m.langDir(s.lang), h.urlize(target)), whyUnknown
}

// outputFromURL returns the output file of a page with the front matter key "url". If url begins
// with a slash, it is relative to the publish directory, or with Multihost to the language folder.
// Any other url is relative to the language folder. The language folder is not added to a url that
// already begins with it. If a token in url is unknown, whyUnknown is the reason.
// See https://gohugo.io/content-management/urls/#url
func (h *hugoRules) outputFromURL(m *Mapping, p *hugoPage, url string) (out, whyUnknown string) {
	if strings.Contains(url, ":") {
		url, whyUnknown = h.expandPattern(m, url, p)
	}
	prefix := m.langDir(p.lang)
	if strings.HasPrefix(url, "/") && !m.Multihost || prefix != "" && strings.HasPrefix(url, "/"+prefix) {
		prefix = ""
	}
	if strings.Contains(url, "..") {
		url = path.Join("/", url)
	}
	out = url
	if strings.HasSuffix(url, "/") || !strings.Contains(url, ".") {
		out += "/index.html"
	}
	return joinPath(prefix, out), whyUnknown
}

// topFolder returns the first folder in s.dir: "posts" for "posts/2024". It returns "" if s.dir is
// "".
func topFolder(s source) string {
	top, _, _ := strings.Cut(s.dir, "/")
	return top
}

// publishDate returns the publication date in the front matter, or else the date of the page.
func (*hugoRules) publishDate(_ *Mapping, _ source, f *page.Facts) sitemap.Date {
	return cmp.Or(f.Publish, f.Date)
}

// redirectFile returns the output file that redirects from an alias. An alias that begins with a
// slash is relative to the language folder. Any other alias is relative to the folder that contains
// the page. The result is "" if that folder is unknown.
func (h *hugoRules) redirectFile(m *Mapping, s source, alias, out string) string {
	switch {
	case strings.HasPrefix(alias, "/"):
		return aliasFile(path.Join(m.langDir(s.lang), alias))
	case out == "":
		return ""
	}
	return aliasFile(path.Join(path.Dir(strings.TrimSuffix(out, "/index.html")), alias))
}

// translationPath returns the path that Hugo compares to find translations: "/posts/my-page" for
// "/posts/My Page". For a leaf bundle, it is the path of the folder.
func (*hugoRules) translationPath(contentPath string) string {
	p := strings.ReplaceAll(strings.ToLower(contentPath), " ", "-")
	return cmp.Or(strings.TrimSuffix(p, "/index"), "/")
}

// pageTranslation returns the language and the translation key of a page that Hugo generates
// without a content file, such as a section. The key is the same as for a file "_index" of this
// page. Both results are "" if out is not an index.html, or is the second or a further page of a
// list.
func (h *hugoRules) pageTranslation(m *Mapping, out string) (lang, key string) {
	dir, isIndex := strings.CutSuffix("/"+out, "/index.html")
	if !isIndex {
		return "", ""
	}
	lang = cmp.Or(m.PublishedLanguage, m.DefaultLanguage)
	for i := range m.Languages {
		l := m.Languages[i].Name
		prefix := m.langDir(l)
		if rest, in := strings.CutPrefix(dir+"/", "/"+prefix+"/"); in && prefix != "" {
			lang, dir = l, "/"+strings.TrimSuffix(rest, "/")
			break
		}
	}
	if h.isPagerDir(dir) {
		return "", ""
	}
	return lang, h.translationPath(path.Join("/", dir, "_index"))
}

var anyNumber = regexp.MustCompile(`^\d+$`)

// isPagerDir reports whether dir is the folder of the second or a further page of a list:
// "posts/page/2".
func (h *hugoRules) isPagerDir(dir string) bool {
	return anyNumber.MatchString(path.Base(dir)) && path.Base(path.Dir(dir)) == h.pager
}

// urlize converts a path as Hugo's function urlize does: it removes disallowed characters, and
// replaces spaces by hyphens. It converts to lower case unless h.keepCase is true, and removes
// accents if h.removeAccents is true.
// See https://gohugo.io/functions/urls/urlize/
func (h *hugoRules) urlize(s string) string {
	s = sanitizeHugoPath(s)
	if h.removeAccents {
		s = stripAccents(s)
	}
	if !h.keepCase {
		s = strings.ToLower(s)
	}
	return s
}

// sanitizeHugoPath removes the characters that Hugo does not allow in a path. White space between
// allowed characters becomes one hyphen: "a  b - c" gives "a-b-c".
func sanitizeHugoPath(s string) string {
	var b strings.Builder
	pending, hyphen := false, false
	for i, r := range s {
		switch {
		case isWordRuneOr(r, `./\_#+~-@`) || startsWithPercentEncoding(s[i:]):
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

// startsWithPercentEncoding reports whether s begins with a percent-encoded byte, such as "%20".
func startsWithPercentEncoding(s string) bool {
	_, err := url.PathUnescape(s[:min(3, len(s))])
	return s[0] == '%' && err == nil
}

// stripAccents returns s without the accents of its letters: "café" gives "cafe".
func stripAccents(s string) string {
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

package mapping

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Jekyll is what a Jekyll configuration says of addresses.
type Jekyll struct {
	Permalink      string // a style, "pretty", or a template; "" is the style "date"
	Collections    map[string]Collection
	CollectionsDir string   // folder of the collections, below the source
	Destination    string   // publish folder, below the source, which is no source
	Include        []string // globs and beginnings that Jekyll reads nevertheless
	Exclude        []string // globs and beginnings that it does not read
	MarkdownExt    []string // extensions that become .html, without dots; nil is the default
	Zone           *time.Location
}

// A Collection is one of Jekyll's collections.
type Collection struct {
	Output    bool
	Permalink string // a template; "" follows the site's style
}

// A jekyllDoc is a content file in Jekyll's words.
type jekyllDoc struct {
	kind  string // "pages", "posts", "drafts", or a collection; "" is no page
	label string // of the collection, "" of a page
	super string // folder that holds _posts or _drafts
	rest  string // folder below the collection's
}

// jekyllDoc finds out what a file is by the folders it lies in.
// https://jekyllrb.com/docs/structure/
func (c *Content) jekyllDoc(s source) jekyllDoc {
	dir, ok := s.dir, true
	if below := c.Jekyll.CollectionsDir; below != "" {
		if dir, ok = cutDir(s.dir+"/", below); !ok {
			return jekyllDoc{kind: "pages"}
		}
		dir = strings.TrimSuffix(dir, "/")
	}
	for _, magic := range []string{"_posts", "_drafts"} {
		if before, after, in := strings.Cut("/"+dir+"/", "/"+magic+"/"); in {
			return jekyllDoc{magic[1:], "posts", strings.Trim(before, "/"), strings.Trim(after, "/")}
		}
	}
	top, rest, _ := strings.Cut(dir, "/")
	if label, ok := strings.CutPrefix(top, "_"); ok {
		if _, ok := c.Jekyll.Collections[label]; ok {
			return jekyllDoc{label, label, "", rest}
		}
	}
	return jekyllDoc{kind: "pages"}
}

// cutDate takes a name like "2024-01-02-title" apart, as Jekyll's
// DATE_FILENAME_MATCHER does.
func cutDate(name string) (date, rest string, ok bool) {
	i := 0
	for part, most := range [...]int{4, 2, 2} {
		n := 0
		for i+n < len(name) && '0' <= name[i+n] && name[i+n] <= '9' {
			n++
		}
		if n == 0 || n > most || part == 0 && n == 1 || i+n == len(name) || name[i+n] != '-' {
			return "", "", false
		}
		i += n + 1
	}
	return name[:i-1], name[i:], !strings.Contains(name, "\n")
}

// jekyllNotRendered says why Jekyll writes no page for a file.
func (c *Content) jekyllNotRendered(s source) string {
	d := c.jekyllDoc(s)
	_, _, dated := cutDate(s.name)
	switch {
	case d.kind == "posts" && !dated:
		return "a post's name begins with its date"
	case d.label != "" && d.label != "posts" && !c.Jekyll.Collections[d.label].Output:
		return "the collection " + d.label + " has no output: true"
	case d.kind == "pages":
		return c.jekyllFiltered(s)
	}
	return ""
}

// jekyllFiltered says why Jekyll does not read a file at all.
// https://jekyllrb.com/docs/configuration/options/
func (c *Content) jekyllFiltered(s source) string {
	file := path.Join(s.dir, s.name+s.ext)
	if dest := c.Jekyll.Destination; dest != "" && strings.HasPrefix(file, dest+"/") {
		return "the file lies in the publish folder " + dest
	}
	if listed(c.Jekyll.Include, file) {
		return ""
	}
	if listed(c.Jekyll.Exclude, file) || listed(jekyllExclude, file) {
		return "the file is in exclude"
	}
	for part := range strings.SplitSeq(file, "/") {
		if strings.HasSuffix(part, "~") || part != "" && strings.ContainsAny(part[:1], "._#~") {
			return "Jekyll leaves out names like " + part
		}
	}
	return ""
}

var jekyllExclude = []string{
	".sass-cache", ".jekyll-cache", "gemfiles", "Gemfile", "Gemfile.lock", "node_modules",
	"vendor/bundle/", "vendor/cache/", "vendor/gems/", "vendor/ruby/",
}

// listed reports whether one of Jekyll's globs or beginnings matches a file or
// a folder that it lies in.
func listed(patterns []string, file string) bool {
	for _, p := range patterns {
		if p = strings.TrimPrefix(p, "/"); p == "" {
			continue
		}
		if strings.HasPrefix(file, p) {
			return true
		}
		for f := file; f != "."; f = path.Dir(f) {
			if ok, _ := doublestar.Match(p, f); ok {
				return true
			}
		}
	}
	return false
}

// jekyllSince returns the date of a post or a collection's document, which
// Jekyll does not write before it.
func (c *Content) jekyllSince(s source, f *page.Facts) sitemap.Date {
	if d := c.jekyllDoc(s); d.label == "" {
		return sitemap.Date{}
	}
	return jekyllDate(s, f)
}

// jekyllDate returns the front matter's date, else the name's.
func jekyllDate(s source, f *page.Facts) sitemap.Date {
	if date, _, ok := cutDate(s.name); ok && f.Date.IsZero() {
		if t, err := time.Parse("2006-1-2", date); err == nil {
			return sitemap.DayOf(t)
		}
	}
	return f.Date
}

// jekyllOutput is what Jekyll's Page and Document write.
func (c *Content) jekyllOutput(s source, f *page.Facts) (out, note string) {
	if note := c.jekyllNotRendered(s); note != "" {
		return "", note
	}
	url, ext, note := c.jekyllAddress(s, f)
	return jekyllFile(url, ext), note
}

// jekyllAddress returns the address of a page or a document, and the extension
// of its output.
func (c *Content) jekyllAddress(s source, f *page.Facts) (url, ext, note string) {
	d, ext := c.jekyllDoc(s), c.jekyllExt(s.ext)
	permalink := cmp.Or(f.Permalink, c.defaultsOf(s, d.kind).Permalink)
	if d.label != "" {
		url, note = c.jekyllURL(cmp.Or(permalink, c.jekyllTemplate(d.label)), s, d, f)
		return url, ext, note
	}
	return pageURL(cmp.Or(permalink, c.pageTemplate(s, ext)), s, ext), ext, ""
}

// jekyllFile returns the file for an address.
func jekyllFile(url, ext string) string {
	if strings.HasSuffix(url, "/") {
		return rooted("", url+"index"+ext)
	}
	return rooted("", strings.TrimSuffix(url, ext)+ext)
}

// jekyllExt returns the extension of the output.
func (c *Content) jekyllExt(ext string) string {
	markdown := c.Jekyll.MarkdownExt
	if markdown == nil {
		markdown = []string{"markdown", "mkdown", "mkdn", "mkd", "md"}
	}
	if slices.Contains(markdown, strings.ToLower(strings.TrimPrefix(ext, "."))) {
		return ".html"
	}
	return ext
}

// pageTemplate returns the permalink template of a page: the site's style
// decides its end.
func (c *Content) pageTemplate(s source, ext string) string {
	switch {
	case !slices.Contains([]string{".html", ".xhtml", ".htm"}, ext):
		return "/:path/:basename:output_ext"
	case strings.TrimRight(s.name, ".") == "index":
		return "/:path/"
	}
	return "/:path/:basename" + c.jekyllSuffix()
}

// jekyllSuffix returns how addresses end in the site's style.
func (c *Content) jekyllSuffix() string {
	switch style := cmp.Or(c.Jekyll.Permalink, "date"); {
	case style == "date", style == "ordinal", style == "none", strings.HasSuffix(style, ":output_ext"):
		return ":output_ext"
	case style == "pretty", strings.HasSuffix(style, "/"):
		return "/"
	}
	return ""
}

var jekyllStyles = map[string]string{
	"none":     "/:categories/:title:output_ext",
	"date":     "/:categories/:year/:month/:day/:title:output_ext",
	"ordinal":  "/:categories/:year/:y_day/:title:output_ext",
	"pretty":   "/:categories/:year/:month/:day/:title/",
	"weekdate": "/:categories/:year/W:week/:short_day/:title:output_ext",
}

// jekyllTemplate returns the permalink template of a collection.
// https://jekyllrb.com/docs/permalinks/
func (c *Content) jekyllTemplate(label string) string {
	if own := c.Jekyll.Collections[label].Permalink; own != "" {
		return own
	}
	if label == "posts" {
		style := cmp.Or(c.Jekyll.Permalink, "date")
		return cmp.Or(jekyllStyles[style], style)
	}
	return "/:collection/:path" + c.jekyllSuffix()
}

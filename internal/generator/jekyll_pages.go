package generator

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// jekyllRules are the settings of a Jekyll configuration for addresses.
type jekyllRules struct {
	plainRules
	permalink      string // a style, "pretty", or a template
	collections    map[string]collection
	collectionsDir string   // folder of the collections, below the source
	destination    string   // publish folder, below the source, which is no source
	include        []string // globs and beginnings that Jekyll reads nevertheless
	exclude        []string // globs and beginnings that it does not read
	markdownExt    []string // extensions that become .html, without dots
	zone           *time.Location
}

// A collection is one of Jekyll's collections.
type collection struct {
	output    bool
	permalink string // a template; "" follows the site's style
}

// A jekyllDoc is a content file in Jekyll's terms.
type jekyllDoc struct {
	kind  string // "pages", "posts", "drafts", or a collection; "" is no page
	label string // of the collection, "" of a page
	super string // folder that holds _posts or _drafts
	rest  string // folder below the collection's
}

// classify returns the kind of a file, which depends on its folders.
// https://jekyllrb.com/docs/structure/
func (j *jekyllRules) classify(s source) jekyllDoc {
	dir, ok := s.dir, true
	if below := j.collectionsDir; below != "" {
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
		if _, ok := j.collections[label]; ok {
			return jekyllDoc{label, label, "", rest}
		}
	}
	return jekyllDoc{kind: "pages"}
}

// cutDate splits a name like "2024-01-02-title", as Jekyll's DATE_FILENAME_MATCHER does.
func cutDate(name string) (date, rest string, ok bool) {
	parts := strings.SplitN(name, "-", 4)
	if len(parts) < 4 || strings.Contains(name, "\n") {
		return "", "", false
	}
	rest = parts[3]
	ok = isNumber(parts[0], 2, 4) && isNumber(parts[1], 1, 2) && isNumber(parts[2], 1, 2)
	return name[:len(name)-len(rest)-1], rest, ok
}

// isNumber reports whether a text consists of least to most digits.
func isNumber(s string, least, most int) bool {
	return least <= len(s) && len(s) <= most && strings.Trim(s, "0123456789") == ""
}

// whyNotRendered returns why Jekyll writes no page for a file.
func (j *jekyllRules) whyNotRendered(_ *Content, s source) string {
	d := j.classify(s)
	_, _, dated := cutDate(s.name)
	switch {
	case d.kind == "posts" && !dated:
		return "a post's name begins with its date"
	case d.label != "" && d.label != "posts" && !j.collections[d.label].output:
		return "the collection " + d.label + " has no output: true"
	case d.kind == "pages":
		return j.whyFiltered(s)
	case beginsWithAny(s.name, "._#~"), beginsWithAny(d.rest, "._#~"):
		return "Jekyll leaves out names like " + s.name + s.ext
	}
	return ""
}

// whyFiltered returns why Jekyll does not read a file.
// https://jekyllrb.com/docs/configuration/options/
func (j *jekyllRules) whyFiltered(s source) string {
	file := path.Join(s.dir, s.name+s.ext)
	if dest := j.destination; dest != "" && strings.HasPrefix(file, dest+"/") {
		return "the file lies in the publish folder " + dest
	}
	if matchesAnyStart(j.include, file) {
		return ""
	}
	if matchesAnyStart(j.exclude, file) || matchesAnyStart(jekyllExclude, file) {
		return "the file is in exclude"
	}
	for part := range strings.SplitSeq(file, "/") {
		if strings.HasSuffix(part, "~") || beginsWithAny(part, "._#~") {
			return "Jekyll leaves out names like " + part
		}
	}
	return ""
}

var jekyllExclude = []string{
	".sass-cache", ".jekyll-cache", "gemfiles", "Gemfile", "Gemfile.lock", "node_modules",
	"vendor/bundle/", "vendor/cache/", "vendor/gems/", "vendor/ruby/",
}

// matchesAnyStart reports whether a file begins with one of some patterns.
func matchesAnyStart(patterns []string, file string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return strings.Trim(p, "/") != "" && matchesStart(file, p) })
}

// publishDate returns the date of a post or a collection's document.
func (j *jekyllRules) publishDate(_ *Content, s source, f *page.Facts) sitemap.Date {
	if d := j.classify(s); d.label == "" {
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

// outputFile follows Jekyll's Page and Document.
func (j *jekyllRules) outputFile(c *Content, s source, f *page.Facts) (out, note string) {
	url, ext, note := j.address(c, s, f)
	if strings.HasSuffix(url, "/") && j.classify(s).label != "" {
		ext = ".html" // of a document; a page keeps its extension
	}
	return jekyllFile(url, ext), note
}

// address returns the address of a page or a document, and the extension
// of its output.
func (j *jekyllRules) address(c *Content, s source, f *page.Facts) (url, ext, note string) {
	d, ext := j.classify(s), j.ext(s.ext)
	permalink := cmp.Or(f.Permalink, c.defaultsFor(s).Permalink)
	if d.label != "" {
		url, note = j.url(c, cmp.Or(permalink, j.template(d.label)), s, d, f)
		return url, ext, note
	}
	return pageURL(cmp.Or(permalink, j.pageTemplate(s, ext)), s, ext), ext, ""
}

// jekyllFile returns the file for an address.
func jekyllFile(url, ext string) string {
	if strings.HasSuffix(url, "/") {
		return cleanPath("", url+"index"+ext)
	}
	return cleanPath("", strings.TrimSuffix(url, ext)+ext)
}

// ext returns the extension of the output.
func (j *jekyllRules) ext(ext string) string {
	if slices.Contains(j.markdownExt, strings.ToLower(strings.TrimPrefix(ext, "."))) {
		return ".html"
	}
	return ext
}

// pageTemplate returns the permalink template of a page, whose end depends on the site's style.
func (j *jekyllRules) pageTemplate(s source, ext string) string {
	switch {
	case !slices.Contains([]string{".html", ".xhtml", ".htm"}, ext):
		return "/:path/:basename:output_ext"
	case strings.TrimRight(s.name, ".") == "index":
		return "/:path/"
	}
	return "/:path/:basename" + j.suffix()
}

// suffix returns how addresses end in the site's style.
func (j *jekyllRules) suffix() string {
	switch style := j.permalink; {
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
	"weekdate": "/:categories/:year/W:week/:short_day/:title:output_ext", // not followed
}

// template returns the permalink template of a collection.
// https://jekyllrb.com/docs/permalinks/
func (j *jekyllRules) template(label string) string {
	if own := j.collections[label].permalink; own != "" {
		return own
	}
	if label == "posts" {
		return cmp.Or(jekyllStyles[j.permalink], j.permalink)
	}
	return "/:collection/:path" + j.suffix()
}

// ending returns FileName with the default permalinks, and Bare for a permalink without an
// extension.
func (j *jekyllRules) ending(c *Content, s source, f *page.Facts) mapping.Ending {
	url, _, note := j.address(c, s, f)
	switch {
	case note != "":
		return mapping.AnyEnding
	case strings.HasSuffix(url, ".html"):
		return mapping.FileName
	}
	return mapping.Bare
}

// alias follows jekyll-redirect-from.
func (*jekyllRules) alias(_ *Content, _ source, alias, _ string) string {
	return jekyllFile(jekyllClean(alias), ".html")
}

func (j *jekyllRules) defaultType(s source) string { return j.classify(s).kind }

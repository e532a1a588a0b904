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

// jekyllRules contains the settings of Jekyll that determine output files.
type jekyllRules struct {
	plainRules
	permalink      string // name of a style such as "pretty", or a template
	collections    map[string]collection
	collectionsDir string   // folder of the collections, relative to the source folder
	destination    string   // publish folder, relative to the source folder; its files are ignored
	include        []string // globs and prefixes of files that Jekyll reads although it would ignore them
	exclude        []string // globs and prefixes of files that Jekyll ignores
	markdownExt    []string // extensions that become .html, without a dot: "md"
	zone           *time.Location
}

// A collection contains the settings of one Jekyll collection.
type collection struct {
	output    bool   // Jekyll writes a page for each document
	permalink string // template; "" means the style of the site
}

// A jekyllDoc contains the properties of a content file that Jekyll's rules use.
type jekyllDoc struct {
	kind  string // "pages", "posts", "drafts", or the name of a collection
	label string // name of the collection, "posts" for posts; "" for a page
	super string // folder that contains the folder _posts or _drafts
	rest  string // folder relative to the folder of the collection
}

// classify determines the kind of a content file from its folders.
// See https://jekyllrb.com/docs/structure/
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

// cutDate splits a name like "2024-01-02-title" into the date and the rest, as the pattern
// DATE_FILENAME_MATCHER of Jekyll does. The result ok is false if there is no date.
func cutDate(name string) (date, rest string, ok bool) {
	parts := strings.SplitN(name, "-", 4)
	if len(parts) < 4 || strings.Contains(name, "\n") {
		return "", "", false
	}
	rest = parts[3]
	ok = isNumber(parts[0], 2, 4) && isNumber(parts[1], 1, 2) && isNumber(parts[2], 1, 2)
	return name[:len(name)-len(rest)-1], rest, ok
}

// isNumber reports whether s consists of digits only, and has at least least and at most most of
// them.
func isNumber(s string, least, most int) bool {
	return least <= len(s) && len(s) <= most && strings.Trim(s, "0123456789") == ""
}

// whyNotRendered returns the reason why Jekyll writes no page for a file, or "".
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

// whyFiltered returns the reason why Jekyll ignores a file, or "".
// See https://jekyllrb.com/docs/configuration/options/
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

// matchesAnyStart reports whether one of the patterns matches the file or one of its parent
// folders.
func matchesAnyStart(patterns []string, file string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return strings.Trim(p, "/") != "" && matchesStart(file, p) })
}

// publishDate returns the date of a post or of a document in a collection. Other pages have none.
func (j *jekyllRules) publishDate(_ *Content, s source, f *page.Facts) sitemap.Date {
	if d := j.classify(s); d.label == "" {
		return sitemap.Date{}
	}
	return jekyllDate(s, f)
}

// jekyllDate returns the date in the front matter, or else the date in the file name.
func jekyllDate(s source, f *page.Facts) sitemap.Date {
	if date, _, ok := cutDate(s.name); ok && f.Date.IsZero() {
		if t, err := time.Parse("2006-1-2", date); err == nil {
			return sitemap.DayOf(t)
		}
	}
	return f.Date
}

// outputFile implements the rules of Jekyll's classes Page and Document.
func (j *jekyllRules) outputFile(c *Content, s source, f *page.Facts) (out, note string) {
	url, ext, note := j.pageAddress(c, s, f)
	if strings.HasSuffix(url, "/") && j.classify(s).label != "" {
		ext = ".html" // a document gets the extension .html; a page keeps its extension
	}
	return jekyllFile(url, ext), note
}

// pageAddress returns the URL path of a page or document, and the extension of its output file. If
// the URL is unknown, note is the reason.
func (j *jekyllRules) pageAddress(c *Content, s source, f *page.Facts) (url, ext, note string) {
	d, ext := j.classify(s), j.outputExt(s.ext)
	permalink := cmp.Or(f.Permalink, c.defaultsFor(s).Permalink)
	if d.label != "" {
		url, note = j.documentURL(c, cmp.Or(permalink, j.template(d.label)), s, d, f)
		return url, ext, note
	}
	return pageURL(cmp.Or(permalink, j.pageTemplate(s, ext)), s, ext), ext, ""
}

// jekyllFile returns the output file for a URL path: "/a/" gives "a/index.html".
func jekyllFile(url, ext string) string {
	if strings.HasSuffix(url, "/") {
		return cleanPath("", url+"index"+ext)
	}
	return cleanPath("", strings.TrimSuffix(url, ext)+ext)
}

// outputExt returns the extension of the output file for a content file with the extension ext.
func (j *jekyllRules) outputExt(ext string) string {
	if slices.Contains(j.markdownExt, strings.ToLower(strings.TrimPrefix(ext, "."))) {
		return ".html"
	}
	return ext
}

// pageTemplate returns the permalink template of a page. Its ending depends on the site's
// permalink style.
func (j *jekyllRules) pageTemplate(s source, ext string) string {
	switch {
	case !slices.Contains([]string{".html", ".xhtml", ".htm"}, ext):
		return "/:path/:basename:output_ext"
	case strings.TrimRight(s.name, ".") == "index":
		return "/:path/"
	}
	return "/:path/:basename" + j.suffix()
}

// suffix returns the ending of permalinks in the site's style: ":output_ext", "/" or "".
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

// template returns the permalink template of the collection label.
// See https://jekyllrb.com/docs/permalinks/
func (j *jekyllRules) template(label string) string {
	if own := j.collections[label].permalink; own != "" {
		return own
	}
	if label == "posts" {
		return cmp.Or(jekyllStyles[j.permalink], j.permalink)
	}
	return "/:collection/:path" + j.suffix()
}

// linkEnding returns mapping.FileName if the URL of the page ends in ".html", mapping.Bare if it
// has another ending, and mapping.AnyEnding if it is unknown.
func (j *jekyllRules) linkEnding(c *Content, s source, f *page.Facts) mapping.Ending {
	url, _, note := j.pageAddress(c, s, f)
	switch {
	case note != "":
		return mapping.AnyEnding
	case strings.HasSuffix(url, ".html"):
		return mapping.FileName
	}
	return mapping.Bare
}

// redirectFile returns the redirect file that the plugin jekyll-redirect-from writes for an
// alias.
func (*jekyllRules) redirectFile(_ *Content, _ source, alias, _ string) string {
	return jekyllFile(jekyllClean(alias), ".html")
}

func (j *jekyllRules) defaultType(s source) string { return j.classify(s).kind }

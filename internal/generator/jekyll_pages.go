package generator

import (
	"cmp"
	"path"
	"regexp"
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
	destination    string   // publish directory, relative to the source folder; its files are ignored
	include        []string // globs and prefixes of files that Jekyll reads even if their name or exclude would hide them
	exclude        []string // globs and prefixes of files that Jekyll ignores
	markdownExt    []string // extensions that become .html, without a dot: "md"
	zone           *time.Location
}

type collection struct {
	output    bool   // Jekyll writes a page for each document
	permalink string // template; "" means the style of the site
}

// A jekyllDoc contains the properties of a content file that Jekyll's rules use.
type jekyllDoc struct {
	kind  string // "pages", "posts", "drafts", or the name of a collection
	label string // name of the collection, "posts" for posts and drafts; "" for a page
	super string // folder that contains the folder _posts or _drafts
	rest  string // folder relative to the folder of the collection, such as _posts
}

// classify returns the kind and the collection of a content file, which follow from its folders.
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

// leadingDate matches a file name that begins with a date. Group 1 is the date, and group 2 is the
// name after the date. It is Jekyll's pattern DATE_FILENAME_MATCHER without folders and extension.
var leadingDate = regexp.MustCompile(`^(\d{2,4}-\d{1,2}-\d{1,2})-(.*)$`)

// cutDate splits a name such as "2024-01-02-title" into "2024-01-02" and "title". ok is false if
// name does not begin with a date.
func cutDate(name string) (date, rest string, ok bool) {
	m := leadingDate.FindStringSubmatch(name)
	if m == nil {
		return "", "", false
	}
	return m[1], m[2], true
}

// whyNotRendered returns the reason why Jekyll writes no page for a file, or "".
func (j *jekyllRules) whyNotRendered(_ *Mapping, s source) string {
	d := j.classify(s)
	_, _, dated := cutDate(s.name)
	switch {
	case d.kind == "posts" && !dated:
		return "a post's name begins with its date"
	case d.label != "" && d.label != "posts" && !j.collections[d.label].output:
		return "the collection " + d.label + " has no output: true"
	case d.kind == "pages":
		return j.whyIgnored(s)
	case beginsWithAny(s.name, "._#~"), beginsWithAny(d.rest, "._#~"):
		return "Jekyll leaves out names like " + s.name + s.ext
	}
	return ""
}

// whyIgnored returns the reason why Jekyll ignores a file that is in no collection, or "". Jekyll
// ignores the publish directory, files that match the setting "exclude", and names such as "_a" or
// ".a". It does not ignore a file outside of the publish directory that matches the setting
// "include".
// See https://jekyllrb.com/docs/configuration/options/
func (j *jekyllRules) whyIgnored(s source) string {
	file := path.Join(s.dir, s.name+s.ext)
	if dest := j.destination; dest != "" && strings.HasPrefix(file, dest+"/") {
		return "the file is in the publish directory " + dest
	}
	if anyMatchesFileOrParent(j.include, file) {
		return ""
	}
	if anyMatchesFileOrParent(j.exclude, file) || anyMatchesFileOrParent(jekyllExclude, file) {
		return "the file is in exclude"
	}
	for part := range strings.SplitSeq(file, "/") {
		if strings.HasSuffix(part, "~") || beginsWithAny(part, "._#~") {
			return "Jekyll leaves out names like " + part
		}
	}
	return ""
}

// jekyllExclude lists the files that Jekyll ignores in addition to the setting "exclude".
var jekyllExclude = []string{
	".sass-cache", ".jekyll-cache", "gemfiles", "Gemfile", "Gemfile.lock", "node_modules",
	"vendor/bundle/", "vendor/cache/", "vendor/gems/", "vendor/ruby/",
}

// anyMatchesFileOrParent reports whether one of the patterns matches the file or one of its parent
// folders; see matchesFileOrParent.
func anyMatchesFileOrParent(patterns []string, file string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return strings.Trim(p, "/") != "" && matchesFileOrParent(file, p) })
}

// publishDate returns the date of a post, or of a document in a collection. Other pages have the
// zero Date.
func (j *jekyllRules) publishDate(_ *Mapping, s source, f *page.Facts) sitemap.Date {
	if d := j.classify(s); d.label == "" {
		return sitemap.Date{}
	}
	return jekyllDate(s, f)
}

// jekyllDate returns the date in the front matter, or else the date in the file name. It returns
// the zero Date if there is neither.
func jekyllDate(s source, f *page.Facts) sitemap.Date {
	if date, _, ok := cutDate(s.name); ok && f.Date.IsZero() {
		if t, err := time.Parse("2006-1-2", date); err == nil {
			return sitemap.DayOf(t)
		}
	}
	return f.Date
}

// outputFile returns the output file of s. A page follows the rules of Jekyll's class Page, and a
// document in a collection the rules of its class Document. If the output file is unknown,
// whyUnknown is the reason.
func (j *jekyllRules) outputFile(m *Mapping, s source, f *page.Facts) (out, whyUnknown string) {
	url, ext, whyUnknown := j.urlAndExt(m, s, f)
	if strings.HasSuffix(url, "/") && j.classify(s).label != "" {
		ext = ".html" // a document gets the extension .html; a page keeps its extension
	}
	return jekyllOutputFile(url, ext), whyUnknown
}

// urlAndExt returns the URL path of a page or document, and the extension of its output file. If
// the URL is unknown, whyUnknown is the reason.
func (j *jekyllRules) urlAndExt(m *Mapping, s source, f *page.Facts) (url, ext, whyUnknown string) {
	d, ext := j.classify(s), j.outputExt(s.ext)
	permalink := cmp.Or(f.Permalink, m.defaultsFor(s).Permalink)
	if d.label != "" {
		url, whyUnknown = j.documentURL(m, cmp.Or(permalink, j.documentPermalinkTemplate(d.label)), s, d, f)
		return url, ext, whyUnknown
	}
	values := strings.NewReplacer(":path", s.dir, ":basename", strings.TrimRight(s.name, "."), ":output_ext", ext)
	return cleanJekyllURL(values.Replace(cmp.Or(permalink, j.pagePermalinkTemplate(s, ext)))), ext, ""
}

// jekyllOutputFile returns the output file for a URL path: "/a/" gives "a/index.html". ext is the
// extension of the file, such as ".html".
func jekyllOutputFile(url, ext string) string {
	if strings.HasSuffix(url, "/") {
		return joinPath("", url+"index"+ext)
	}
	return joinPath("", strings.TrimSuffix(url, ext)+ext)
}

// outputExt returns the extension of the output file for a content file with the extension ext:
// ".html" for ".md". It returns other extensions unchanged.
func (j *jekyllRules) outputExt(ext string) string {
	if slices.Contains(j.markdownExt, strings.ToLower(strings.TrimPrefix(ext, "."))) {
		return ".html"
	}
	return ext
}

// pagePermalinkTemplate returns the default permalink template of a page with the output extension
// ext, such as "/:path/:basename/". For an HTML page that is not an index page, the ending depends
// on the permalink style of the site.
func (j *jekyllRules) pagePermalinkTemplate(s source, ext string) string {
	switch {
	case !slices.Contains([]string{".html", ".xhtml", ".htm"}, ext):
		return "/:path/:basename:output_ext"
	case strings.TrimRight(s.name, ".") == "index":
		return "/:path/"
	}
	return "/:path/:basename" + j.permalinkSuffix()
}

// permalinkSuffix returns the ending of permalinks in the site's permalink style: ":output_ext",
// "/" or "".
func (j *jekyllRules) permalinkSuffix() string {
	switch style := j.permalink; {
	case style == "date", style == "ordinal", style == "none", strings.HasSuffix(style, ":output_ext"):
		return ":output_ext"
	case style == "pretty", strings.HasSuffix(style, "/"):
		return "/"
	}
	return ""
}

// jekyllStyles maps the names of Jekyll's permalink styles to their templates for posts.
var jekyllStyles = map[string]string{
	"none":     "/:categories/:title:output_ext",
	"date":     "/:categories/:year/:month/:day/:title:output_ext",
	"ordinal":  "/:categories/:year/:y_day/:title:output_ext",
	"pretty":   "/:categories/:year/:month/:day/:title/",
	"weekdate": "/:categories/:year/W:week/:short_day/:title:output_ext", // sitewalk does not support :week
}

// documentPermalinkTemplate returns the default permalink template of the documents in a
// collection, such as "/:collection/:path/". The collection of posts is called "posts".
// See https://jekyllrb.com/docs/permalinks/
func (j *jekyllRules) documentPermalinkTemplate(collection string) string {
	if own := j.collections[collection].permalink; own != "" {
		return own
	}
	if collection == "posts" {
		return cmp.Or(jekyllStyles[j.permalink], j.permalink)
	}
	return "/:collection/:path" + j.permalinkSuffix()
}

// linkEnding returns mapping.FileName if the URL of the page ends in ".html". If the URL is
// unknown, it returns mapping.NoEnding. Otherwise it returns mapping.Bare.
func (j *jekyllRules) linkEnding(m *Mapping, s source, f *page.Facts) mapping.Ending {
	url, _, note := j.urlAndExt(m, s, f)
	switch {
	case note != "":
		return mapping.NoEnding
	case strings.HasSuffix(url, ".html"):
		return mapping.FileName
	}
	return mapping.Bare
}

// redirectFile returns the output file that the plugin jekyll-redirect-from writes for an alias.
func (*jekyllRules) redirectFile(_ *Mapping, _ source, alias, _ string) string {
	return jekyllOutputFile(cleanJekyllURL(alias), ".html")
}

func (j *jekyllRules) defaultType(s source) string { return j.classify(s).kind }

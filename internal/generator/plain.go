package generator

import (
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// plainRules contains the rules that most generators share: the path of a content file determines
// its output file.
type plainRules struct {
	flat       bool           // write "a.html" instead of "a/index.html"
	foldIndex  bool           // if flat: write "a.html" for "a/index.md"
	indexes    []string       // names of index files in addition to "index", such as "README"
	ends       mapping.Ending // how links to pages end
	permalink  bool           // use the permalink of the front matter
	underscore bool           // ignore names that begin with an underscore
	onlyExts   []string       // extensions of content files; nil means all
	noPageName string         // name of a top-level file that has no page
}

func (p plainRules) outputFile(_ *Mapping, s source, f *page.Facts) (out, whyUnknown string) {
	if p.permalink && f.Permalink != "" {
		return permalinkFile(f.Permalink), ""
	}
	return p.outputPath(s.dir, s.name), ""
}

func (p plainRules) whyNotRendered(_ *Mapping, s source) string {
	switch {
	case p.onlyExts != nil && !slices.Contains(p.onlyExts, strings.ToLower(s.ext)):
		return "only " + strings.Join(p.onlyExts, ", ") + " files are pages"
	case p.noPageName != "" && s.dir == "" && strings.EqualFold(s.name, p.noPageName):
		return p.noPageName + " is no page"
	case p.underscore:
		return underscoreReason(s)
	}
	return ""
}

func (p plainRules) linkEnding(*Mapping, source, *page.Facts) mapping.Ending { return p.ends }

func (plainRules) publishDate(_ *Mapping, _ source, f *page.Facts) sitemap.Date { return f.Publish }

func (plainRules) redirectFile(_ *Mapping, _ source, alias, _ string) string { return aliasFile(alias) }

func (plainRules) defaultType(source) string { return "" }

func (plainRules) translationPath(contentPath string) string { return contentPath }

// genericRules contains the rules for an unknown generator.
type genericRules struct{ plainRules }

func (g genericRules) outputFile(_ *Mapping, s source, f *page.Facts) (out, whyUnknown string) {
	switch {
	case strings.Contains("/"+s.dir+"/", "/_posts/"):
		return "", "the generator, and so the form of its posts' addresses, is not known"
	case f.Permalink != "":
		return permalinkFile(f.Permalink), ""
	case f.Slug != "" && g.isIndexName(s.name):
		return g.outputPath(parentDir(s.dir), f.Slug), ""
	case f.Slug != "":
		return g.outputPath(s.dir, f.Slug), ""
	}
	return g.outputPath(s.dir, s.name), ""
}

// parentDir returns the folder that contains dir, or "" if dir is at the top.
func parentDir(dir string) string {
	if dir = path.Dir(dir); dir == "." {
		return ""
	}
	return dir
}

// permalinkFile returns the output file of a page with the permalink link: "/a/" gives
// "a/index.html", and "/a.html" gives "a.html".
func permalinkFile(link string) string {
	link, _, _ = strings.Cut(link, "?")
	if strings.HasSuffix(link, "/") || path.Ext(link) == "" {
		link += "/index.html"
	}
	return joinPath("", link)
}

// isIndexName reports whether a content file with this name is the index file of its folder.
func (p plainRules) isIndexName(name string) bool {
	return name == "index" || slices.Contains(p.indexes, name)
}

// outputPath returns the output file of the content file called name in the folder dir:
// "docs/a/index.html" for "a" in "docs", or "docs/a.html" if p.flat is true. For an index file, it
// returns "docs/index.html", or "docs.html" if p.flat and p.foldIndex are true.
func (p plainRules) outputPath(dir, name string) string {
	switch {
	case p.isIndexName(name) && p.flat && p.foldIndex && dir != "":
		return joinPath("", dir+".html")
	case p.isIndexName(name):
		return joinPath(dir, "index.html")
	case p.flat:
		return joinPath(dir, name+".html")
	}
	return joinPath(dir, name+"/index.html")
}

// joinPath joins dir and file, and returns the cleaned path without a leading slash.
func joinPath(dir, file string) string {
	return path.Join("/", dir, file)[1:]
}

// bracketsReason is the reason why the output file of a content file such as "[slug].astro" is
// unknown.
const bracketsReason = "the pages of a name with brackets are known only at run time"

// routeRules contains the rules of generators in which folders determine URLs. If entry is "page",
// the file "docs/page.mdx" is the page /docs. A folder in parentheses is not part of the URL. A
// name in brackets is a parameter.
type routeRules struct {
	plainRules
	entry string // file name of the page of a folder; "" if each file is a page
}

func (r routeRules) whyNotRendered(_ *Mapping, s source) string {
	switch {
	case r.entry != "" && s.name != r.entry:
		return "the page of a folder is called " + r.entry
	case s.tree.kind == "" && s.ext == ".html":
		return "HTML files are templates there"
	}
	return underscoreReason(s)
}

func (r routeRules) outputFile(_ *Mapping, s source, _ *page.Facts) (out, whyUnknown string) {
	if strings.ContainsAny(s.dir+s.name, "[]") {
		return "", bracketsReason
	}
	var dir []string
	for part := range strings.SplitSeq(s.dir, "/") {
		if !strings.HasPrefix(part, "(") {
			dir = append(dir, part)
		}
	}
	if r.entry != "" {
		return r.plainRules.outputPath(path.Join(dir...), "index"), ""
	}
	return r.plainRules.outputPath(path.Join(dir...), s.name), ""
}

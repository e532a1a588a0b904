package generator

import (
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// plain has the rules that most generators share: addresses follow the names of the content
// files.
type plain struct {
	flat       bool           // "a.html" instead of "a/index.html"
	foldIndex  bool           // with flat: "a/index.md" becomes "a.html"
	indexes    []string       // names of a folder's own page, beside "index"
	ends       mapping.Ending // how its links end
	permalink  bool           // a permalink in front matter is followed
	underscore bool           // names that begin with an underscore are no pages
	only       []string       // extensions of content files; nil is every one
	noPage     string         // name of a file at the top that is no page
}

func (p plain) output(_ *Content, s source, f *page.Facts) (out, note string) {
	if p.permalink && f.Permalink != "" {
		return linkFile(f.Permalink), ""
	}
	return p.file(s.dir, s.name), ""
}

func (p plain) notRendered(_ *Content, s source) string {
	switch {
	case p.only != nil && !slices.Contains(p.only, strings.ToLower(s.ext)):
		return "only " + strings.Join(p.only, ", ") + " files are pages"
	case p.noPage != "" && s.dir == "" && strings.EqualFold(s.name, p.noPage):
		return p.noPage + " is no page"
	case p.underscore:
		return underscoreNote(s)
	}
	return ""
}

func (p plain) ending(*Content, source, *page.Facts) mapping.Ending { return p.ends }

func (plain) since(_ *Content, _ source, f *page.Facts) sitemap.Date { return f.Publish }

func (plain) alias(_ *Content, _ source, alias, _ string) string { return aliasFile(alias) }

func (plain) kind(source) string { return "" }

func (plain) logical(part string) string { return part }

// generic has the rules for an unknown generator.
type generic struct{ plain }

func (u generic) output(_ *Content, s source, f *page.Facts) (out, note string) {
	switch {
	case strings.Contains("/"+s.dir+"/", "/_posts/"):
		return "", "the generator, and so the form of its posts' addresses, is not known"
	case f.Permalink != "":
		return linkFile(f.Permalink), ""
	case f.Slug != "" && u.index(s.name):
		return u.file(parentDir(s.dir), f.Slug), ""
	case f.Slug != "":
		return u.file(s.dir, f.Slug), ""
	}
	return u.file(s.dir, s.name), ""
}

func (generic) ending(_ *Content, _ source, f *page.Facts) mapping.Ending {
	return endingOf(f.Permalink)
}

// endingOf returns the ending of an address that front matter gives.
func endingOf(permalink string) mapping.Ending {
	if strings.HasSuffix(permalink, ".html") {
		return mapping.FileName
	}
	return mapping.AnyEnding
}

// parentDir returns the folder around dir, or "" at the top.
func parentDir(dir string) string {
	if dir = path.Dir(dir); dir == "." {
		return ""
	}
	return dir
}

// linkFile returns the file for an address that front matter gives.
func linkFile(link string) string {
	link, _, _ = strings.Cut(link, "?")
	if strings.HasSuffix(link, "/") || path.Ext(link) == "" {
		link += "/index.html"
	}
	return rooted("", link)
}

// index reports whether a file of that name is the index of its folder.
func (p plain) index(name string) bool {
	return name == "index" || slices.Contains(p.indexes, name)
}

// file returns the output of a source file by its folder and name.
func (p plain) file(dir, name string) string {
	switch {
	case p.index(name) && p.flat && p.foldIndex && dir != "":
		return rooted("", dir+".html")
	case p.index(name):
		return rooted(dir, "index.html")
	case p.flat:
		return rooted(dir, name+".html")
	}
	return rooted(dir, name+"/index.html")
}

// rooted returns a path below an output folder, clean and without a leading slash.
func rooted(dir, file string) string {
	return path.Join("/", dir, file)[1:]
}

// bracketsNote is why the output of a file like "[slug].astro" is unknown.
const bracketsNote = "which pages a name with brackets stands for is known only at run time"

// routes places the content files of generators whose folders are routes: "docs/page.mdx" is
// /docs. Groups in parentheses are left out, and brackets are parameters.
type routes struct {
	plain
	entry string // name of the file of a folder's page; "" if each file is a page
}

func (r routes) notRendered(_ *Content, s source) string {
	switch {
	case r.entry != "" && s.name != r.entry:
		return "the page of a folder is called " + r.entry
	case s.tree.kind == "" && s.ext == ".html":
		return "HTML files are templates there"
	}
	return underscoreNote(s)
}

func (r routes) output(_ *Content, s source, _ *page.Facts) (out, note string) {
	if strings.ContainsAny(s.dir+s.name, "[]") {
		return "", bracketsNote
	}
	var dir []string
	for part := range strings.SplitSeq(s.dir, "/") {
		if !strings.HasPrefix(part, "(") {
			dir = append(dir, part)
		}
	}
	if r.entry != "" {
		return r.plain.file(path.Join(dir...), "index"), ""
	}
	return r.plain.file(path.Join(dir...), s.name), ""
}

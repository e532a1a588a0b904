package generator

import (
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// plainRules has the rules that most generators share: addresses follow the names of the content
// files.
type plainRules struct {
	flat       bool           // "a.html" instead of "a/index.html"
	foldIndex  bool           // with flat: "a/index.md" becomes "a.html"
	indexes    []string       // names of a folder's own page, beside "index"
	ends       mapping.Ending // how its links end
	permalink  bool           // a permalink in front matter is followed
	underscore bool           // names that begin with an underscore are no pages
	only       []string       // extensions of content files; nil is every one
	noPage     string         // name of a file at the top that is no page
}

func (p plainRules) outputFile(_ *Content, s source, f *page.Facts) (out, note string) {
	if p.permalink && f.Permalink != "" {
		return linkFile(f.Permalink), ""
	}
	return p.joinOutput(s.dir, s.name), ""
}

func (p plainRules) whyNotRendered(_ *Content, s source) string {
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

func (p plainRules) ending(*Content, source, *page.Facts) mapping.Ending { return p.ends }

func (plainRules) publishDate(_ *Content, _ source, f *page.Facts) sitemap.Date { return f.Publish }

func (plainRules) alias(_ *Content, _ source, alias, _ string) string { return aliasFile(alias) }

func (plainRules) defaultType(source) string { return "" }

func (plainRules) translationPath(part string) string { return part }

// genericRules has the rules for an unknown generator.
type genericRules struct{ plainRules }

func (u genericRules) outputFile(_ *Content, s source, f *page.Facts) (out, note string) {
	switch {
	case strings.Contains("/"+s.dir+"/", "/_posts/"):
		return "", "the generator, and so the form of its posts' addresses, is not known"
	case f.Permalink != "":
		return linkFile(f.Permalink), ""
	case f.Slug != "" && u.isIndexName(s.name):
		return u.joinOutput(parentDir(s.dir), f.Slug), ""
	case f.Slug != "":
		return u.joinOutput(s.dir, f.Slug), ""
	}
	return u.joinOutput(s.dir, s.name), ""
}

func (genericRules) ending(_ *Content, _ source, f *page.Facts) mapping.Ending {
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
	return cleanPath("", link)
}

// isIndexName reports whether a file of that name is the index of its folder.
func (p plainRules) isIndexName(name string) bool {
	return name == "index" || slices.Contains(p.indexes, name)
}

// joinOutput returns the output of a source file by its folder and name.
func (p plainRules) joinOutput(dir, name string) string {
	switch {
	case p.isIndexName(name) && p.flat && p.foldIndex && dir != "":
		return cleanPath("", dir+".html")
	case p.isIndexName(name):
		return cleanPath(dir, "index.html")
	case p.flat:
		return cleanPath(dir, name+".html")
	}
	return cleanPath(dir, name+"/index.html")
}

// cleanPath returns a path below an output folder, clean and without a leading slash.
func cleanPath(dir, file string) string {
	return path.Join("/", dir, file)[1:]
}

// bracketsNote is why the output of a file like "[slug].astro" is unknown.
const bracketsNote = "which pages a name with brackets stands for is known only at run time"

// routeRules places the content files of generators whose folders are routes: "docs/page.mdx" is
// /docs. Groups in parentheses are left out, and brackets are parameters.
type routeRules struct {
	plainRules
	entry string // name of the file of a folder's page; "" if each file is a page
}

func (r routeRules) whyNotRendered(_ *Content, s source) string {
	switch {
	case r.entry != "" && s.name != r.entry:
		return "the page of a folder is called " + r.entry
	case s.tree.kind == "" && s.ext == ".html":
		return "HTML files are templates there"
	}
	return underscoreNote(s)
}

func (r routeRules) outputFile(_ *Content, s source, _ *page.Facts) (out, note string) {
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
		return r.plainRules.joinOutput(path.Join(dir...), "index"), ""
	}
	return r.plainRules.joinOutput(path.Join(dir...), s.name), ""
}

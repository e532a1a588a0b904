package generator

import (
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/page"
)

// bracketsNote says why the output of a file like "[slug].astro" is not known.
const bracketsNote = "which pages a name with brackets stands for is known only at run time"

// routes places the content files of generators whose pages are programs, in
// folders that are called as the addresses are: "docs/page.mdx" is /docs, groups
// in parentheses are left out, and brackets stand for what only running tells.
type routes struct {
	plain
	entry string // name of the file that is its folder's page, "" when each file is a page
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

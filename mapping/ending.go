package mapping

import (
	"strings"

	"github.com/sitewalk/sitewalk/page"
)

// An Ending is how the URL of an HTML file ends.
type Ending uint8

// The endings of a.html and of a/index.html.
const (
	AnyEnding Ending = iota // nobody says which
	FileName                // /a.html, /a/index.html
	Bare                    // /a
	Slashed                 // /a/
)

// endings are the styles that give every file one ending. The home page is "/"
// but under its file name.
var endings = [...]Style{
	FileName: {HTML: ExactHTML},
	Bare:     {HTML: StripHTML, Slash: RemoveSlash},
	Slashed:  {HTML: StripHTML, Slash: AddSlash},
}

// Style returns the style that gives every HTML file this ending; it is none of
// AnyEnding.
func (e Ending) Style() Style { return endings[e] }

// Ending returns how the URL that the style gives a file ends.
func (s Style) Ending(file string) Ending {
	name, slash := s.cut(file)
	switch {
	case slash != "" || name == "" || strings.HasSuffix(name, "/"):
		return Slashed
	case name == file:
		return FileName
	}
	return Bare
}

// EndingOf returns the ending with which a URL path is that of a file, and
// AnyEnding when none makes it so.
func EndingOf(file, urlPath string) Ending {
	for _, e := range [...]Ending{FileName, Slashed, Bare} {
		if e.Style().URLPath(file) == urlPath {
			return e
		}
	}
	return AnyEnding
}

// Ending returns how the generator itself writes the address of a content
// file's page, whose output is not an index file: with .html or without. It is
// AnyEnding where the generator leaves that to the site.
func (c *Content) Ending(file, out string, f *page.Facts) Ending {
	if name, ok := strings.CutSuffix(out, ".html"); !ok || isIndexName(name) {
		return AnyEnding
	}
	switch c.Generator {
	case "hugo", "mkdocs":
		return FileName
	case "docusaurus":
		return Bare
	case "vitepress":
		return c.Plain.Ending
	case "jekyll":
		return c.jekyllEnding(file, f)
	case "eleventy", "":
		if strings.HasSuffix(f.Permalink, ".html") {
			return FileName
		}
	}
	return AnyEnding
}

func isIndexName(name string) bool { return name == "index" || strings.HasSuffix(name, "/index") }

// jekyllEnding returns how a document's url ends: "/a.html" with the default
// permalinks, "/a" where the permalink has no extension.
func (c *Content) jekyllEnding(file string, f *page.Facts) Ending {
	s := c.source(file)
	url, _, note := c.jekyllAddress(s, f)
	switch {
	case note != "":
		return AnyEnding
	case strings.HasSuffix(url, ".html"):
		return FileName
	}
	return Bare
}

package mapping

import (
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/page"
)

// Aliases returns the files that the generator writes to lead to the page of a
// content file from its further addresses.
func (c *Content) Aliases(file string, f *page.Facts) []string {
	if len(f.Aliases) == 0 {
		return nil
	}
	out, _, ok := c.Output(file, f)
	files := make([]string, 0, len(f.Aliases))
	for _, alias := range f.Aliases {
		switch {
		case alias == "":
		case c.Generator == "jekyll":
			files = append(files, jekyllFile(jekyllClean(alias), ".html"))
		case c.Generator == "hugo" && strings.HasPrefix(alias, "/"):
			files = append(files, aliasFile(path.Join(c.hugoPrefix(c.source(file).lang), alias)))
		case c.Generator != "hugo":
			files = append(files, aliasFile(alias))
		case ok:
			files = append(files, aliasFile(path.Join(aliasDir(out), alias)))
		}
	}
	return files
}

// aliasDir returns the folder that a relative alias of Hugo's is below: the one
// around the page's own.
func aliasDir(out string) string { return path.Dir(strings.TrimSuffix(out, "/index.html")) }

func aliasFile(alias string) string {
	if ext := path.Ext(alias); ext != ".html" && ext != ".htm" {
		alias += "/index.html"
	}
	return rooted("", alias)
}

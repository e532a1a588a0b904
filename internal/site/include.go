package site

import (
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
)

// findIncluded finds, for each file that a page includes by name, the first page that
// does. What includes bring is not followed further.
func (w *World) findIncluded() {
	w.Included = map[string]*facts.Page{}
	for _, p := range w.pages {
		if p.Rest == nil {
			continue
		}
		for _, name := range p.Rest.Includes {
			file := w.includedFile(p, name)
			if w.Included[file] == nil && file != p.File {
				w.Included[file] = p
			}
		}
	}
}

// includedFile returns the file that a page names: with virtual an address of the site,
// with file one below the page's folder.
// https://httpd.apache.org/docs/2.4/mod/mod_include.html#element.include
func (w *World) includedFile(p *facts.Page, name string) string {
	_, below := w.Facts.Parts.Of(p.File)
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "file:"), "?")
	if !strings.HasPrefix(name, "/") {
		return path.Join(path.Dir(p.File), name)
	}
	base := w.Parts[p.Part].Base
	if urlPath, ok := base.Path(base.Origin() + name); ok {
		name = urlPath
	}
	return path.Join(strings.TrimSuffix(p.File, below), strings.TrimPrefix(name, "/"))
}

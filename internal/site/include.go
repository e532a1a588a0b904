package site

import (
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
)

// findIncluded finds, for each file that a page includes by name, the first page that
// does. What includes bring is not followed further.
func findIncluded(w *World) {
	for _, p := range w.pages {
		if p.Rest == nil {
			continue
		}
		for _, name := range p.Rest.Includes {
			file := w.includedFile(p, name)
			if w.included == nil {
				w.included = map[string]*facts.Page{}
			}
			if w.included[file] == nil && file != p.File {
				w.included[file] = p
			}
		}
	}
}

// includedFile returns the file that a page names: with virtual an address of the site,
// with file one below the page's folder.
// https://httpd.apache.org/docs/2.4/mod/mod_include.html#element.include
func (w *World) includedFile(p *facts.Page, name string) string {
	_, below := w.facts.Parts.Of(p.File)
	name, _, _ = strings.Cut(strings.TrimPrefix(name, "file:"), "?")
	if !strings.HasPrefix(name, "/") {
		return path.Join(path.Dir(p.File), name)
	}
	base := w.parts[p.Part].Base
	if urlPath, ok := base.Path(base.Origin() + name); ok {
		name = urlPath
	}
	return path.Join(strings.TrimSuffix(p.File, below), strings.TrimPrefix(name, "/"))
}

// Included reports whether a page includes a file by name.
func (w *World) Included(file string) bool { return w.included[file] != nil }

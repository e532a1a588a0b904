package site

import (
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/page"
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

// reportParts reports, once for all, the files that are parts of pages, and those that
// are no whole page.
func reportParts(w *World, report *diag.Report) {
	parts, broken := 0, 0
	var part, first *facts.Page
	for _, p := range w.pages {
		switch {
		case p.Own == page.Fragment && w.included[p.File] == nil && (p.Rest == nil || !p.Rest.Part):
			if parts++; part == nil {
				part = p
			}
		case p.Own == page.Broken:
			if broken++; first == nil {
				first = p
			}
		}
	}
	if part != nil {
		report.Add(diag.Notef(w.Pos(&Page{Said: part}), "page-fragment", "give pages a layout; exclude what is none, or keep it out of the publish directory",
			"the file has no html, head, body or title and is left out as a part of a page%s", andOthers(parts-1, "other file")))
	}
	if first != nil {
		report.Add(diag.Warnf(w.Pos(&Page{Said: first}), "broken-page", "build the site again; was the disk full, or the build stopped?",
			"%s; the page is left out%s", first.Rest.Note, andOthers(broken-1, "other broken page")))
	}
}

// andOthers adds how many more things of a kind a sentence is true of.
func andOthers(n int, kind string) string {
	switch n {
	case 0:
		return ""
	case 1:
		return ", and so is 1 " + kind
	}
	return ", and so are " + diag.Count(n, kind)
}

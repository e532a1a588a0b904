package site

import (
	"bytes"
	"context"
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// findCopies finds pages that a generator writes twice with the same bytes: x.html beside
// x/index.html, or index.htm beside index.html. A page that names its own address is no copy.
func (w *World) findCopies(ctx context.Context) {
	w.copies = map[string]string{}
	for i, f := range w.pages {
		if i+1 == len(w.pages) || !isPlain(w, i) {
			continue
		}
		file := originalOf(f.File, w.pages[i+1].File)
		if file == "" {
			continue
		}
		of, ok := findFact(w.pages, file)
		if !ok || !isPlain(w, of) {
			continue
		}
		one := w.readFile(ctx, f.File)
		if one == nil || !bytes.Equal(one, w.readFile(ctx, file)) {
			continue
		}
		w.copies[f.File] = file
	}
}

// originalOf returns the possible original of file, or "". next is the file after file in sorted
// order, where the folder x/ follows x.html.
func originalOf(file, next string) string {
	if file+"l" == next && path.Base(next) == "index.html" {
		return next
	}
	stem, ok := strings.CutSuffix(file, ".html")
	if !ok || !strings.HasPrefix(next, stem+"/") {
		return ""
	}
	return stem + "/index.html"
}

// isPlain reports whether a page is listed and has neither a canonical link nor a content file.
func isPlain(w *World, i int) bool {
	f := w.pages[i]
	return f.Own == page.Listed && f.CanonicalEnding == mapping.AnyEnding && (f.Rest == nil || f.Rest.Canonical == "") && w.pairs[i] == nil
}

// copyVerdict leaves out a copy.
func copyVerdict(w *World, r *Page, _ *clock) *Verdict {
	if of := w.copies[r.Facts.File]; of != "" {
		return &Verdict{page.Duplicate, w.Pos(r), "the file has the bytes of " + w.Options.Pages.Show(of)}
	}
	return nil
}

// findIncluded finds the first page that includes each file by name. Includes in included files
// are not followed.
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

// includedFile returns the file that a page includes: "virtual" names an address of the site,
// "file" a path below the page's folder.
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

// A section is the pages of one folder.
type section struct {
	paired, unpaired []*facts.Page // with and without a content file
}

// findStale finds pages that an earlier build left behind because their content files are deleted.
// Such a page has no content file, most pages of its folder have one, and its file is older than
// all of these.
func (w *World) findStale(ctx context.Context) {
	sections := map[string]*section{}
	for i, f := range w.pages {
		dir := path.Dir(f.File)
		if isIndexFile(f.File) {
			dir = path.Dir(dir)
		}
		if dir == "." || f.Own != page.Listed {
			continue
		}
		s := sections[dir]
		if s == nil {
			s = new(section)
			sections[dir] = s
		}
		if w.pairs[i] != nil {
			s.paired = append(s.paired, f)
		} else {
			s.unpaired = append(s.unpaired, f)
		}
	}
	w.stale = map[string]bool{}
	for _, s := range sections {
		if len(s.unpaired) == 0 || len(s.paired) <= len(s.unpaired) {
			continue
		}
		oldest := w.Options.Pages.MTime(ctx, s.paired[0].File)
		for _, f := range s.paired[1:] {
			oldest = min(oldest, w.Options.Pages.MTime(ctx, f.File))
		}
		for _, f := range s.unpaired {
			if t := w.Options.Pages.MTime(ctx, f.File); t != 0 && t < oldest {
				w.stale[f.File] = true
			}
		}
	}
}

// IsStale reports whether an earlier build seems to have left the page behind.
func (w *World) IsStale(r *Page) bool { return w.stale[r.Facts.File] && w.Edited[r.Facts.File] == "" }

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
// x/index.html, or index.htm beside index.html. A page with a canonical link or a content file is
// not a copy.
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

// originalOf returns the file that file may be a copy of, or "". next is the file that follows file
// in sorted order: the files of the folder x/ follow x.html.
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

// isPlain reports whether w.pages[i] has neither a canonical link nor a content file, and is not
// excluded by its own file.
func isPlain(w *World, i int) bool {
	f := w.pages[i]
	return f.OwnReason == page.Listed && f.CanonicalEnding == mapping.AnyEnding && (f.Rest == nil || f.Rest.Canonical == "") && w.pairs[i] == nil
}

// copyExclusion returns the exclusion of a page whose file is a copy of another file, or nil.
func copyExclusion(w *World, r *Page, _ *clock) *Exclusion {
	if of := w.copies[r.Facts.File]; of != "" {
		return &Exclusion{page.Duplicate, w.Pos(r), "the file has the bytes of " + w.Options.Pages.Show(of)}
	}
	return nil
}

// findIncludedFiles records, for each file that pages include with server-side includes, the first
// page that does so. It does not look for includes in the included files.
func (w *World) findIncludedFiles() {
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

// includedFile returns the file that the page p includes with a server-side include. A name that
// begins with a slash is an address of the site. Any other name is relative to the folder of p.
// See https://httpd.apache.org/docs/2.4/mod/mod_include.html#element.include
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

// A section contains the pages of one folder that their own files do not exclude.
type section struct {
	paired, unpaired []*facts.Page // pages with and without a content file
}

// findStalePages finds pages that an earlier build left behind because their content files were
// deleted. Such a page has no content file, although most pages of its folder have one. Its file is
// older than the files of all these pages.
func (w *World) findStalePages(ctx context.Context) {
	sections := map[string]*section{}
	for i, f := range w.pages {
		dir := path.Dir(f.File)
		if isIndexFile(f.File) {
			dir = path.Dir(dir)
		}
		if dir == "." || f.OwnReason != page.Listed {
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

// IsStale reports whether an earlier build seems to have left the page behind. A page whose edit
// link names a source file is not stale.
func (w *World) IsStale(r *Page) bool { return w.stale[r.Facts.File] && w.Edited[r.Facts.File] == "" }

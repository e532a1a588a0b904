package site

import (
	"bytes"
	"context"
	"math"
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// findCopiedPages sets w.copies, which maps each page file that is a copy to its original. x.html
// is a copy of x/index.html if both files have the same bytes. In the same way, index.htm is a copy
// of index.html. Pages with a canonical link or a content file are neither copies nor originals.
func (w *World) findCopiedPages(ctx context.Context) {
	w.copies = map[string]string{}
	for i, f := range w.pages {
		if i+1 == len(w.pages) || !mayBeCopy(w, i) {
			continue
		}
		file := possibleOriginal(f.File, w.pages[i+1].File)
		if file == "" {
			continue
		}
		of, ok := findPageFacts(w.pages, file)
		if !ok || !mayBeCopy(w, of) {
			continue
		}
		one := w.readFile(ctx, f.File)
		if one == nil || !bytes.Equal(one, w.readFile(ctx, file)) {
			continue
		}
		w.copies[f.File] = file
	}
}

// possibleOriginal returns the path of a file whose copy file may be, or "". nextFile is the page
// file that follows file in sorted order. For x.html, the result is x/index.html if nextFile is in
// the folder x/. For index.htm, it is index.html if nextFile is index.html. The result need not
// exist.
func possibleOriginal(file, nextFile string) string {
	if file+"l" == nextFile && path.Base(nextFile) == "index.html" {
		return nextFile
	}
	stem, ok := strings.CutSuffix(file, ".html")
	if !ok || !strings.HasPrefix(nextFile, stem+"/") {
		return ""
	}
	return stem + "/index.html"
}

// mayBeCopy reports whether the page w.pages[i] may be a copy of another page, or the original of a
// copy. It must have no canonical link and no content file, and its own file must not exclude it.
func mayBeCopy(w *World, i int) bool {
	f := w.pages[i]
	return f.OwnReason == page.Listed && f.CanonicalEnding == mapping.AnyEnding && (f.Rest == nil || f.Rest.Canonical == "") && w.pairs[i] == nil
}

// copyExclusion returns the exclusion of a page whose file is a copy of another file, or nil.
func copyExclusion(w *World, p *Page, _ *clock) *Exclusion {
	if of := w.copies[p.Facts.File]; of != "" {
		return &Exclusion{page.Duplicate, w.Pos(p), "the file has the bytes of " + w.Options.Pages.DisplayName(of)}
	}
	return nil
}

// findIncludedFiles sets w.Included, which maps each file in a server-side include to the first
// page that includes the file. It does not look for includes in the included files.
func (w *World) findIncludedFiles() {
	w.Included = map[string]*facts.Page{}
	for _, f := range w.pages {
		if f.Rest == nil {
			continue
		}
		for _, name := range f.Rest.Includes {
			file := w.serverIncludePath(f, name)
			if w.Included[file] == nil && file != f.File {
				w.Included[file] = f
			}
		}
	}
}

// serverIncludePath returns the path of the file that a server-side include in the page f names,
// such as "blog/menu.html" if blog/a.html includes "menu.html". include is the name as written in
// the page. If it begins with a slash, it is a URL path of the site. The file need not exist.
// See https://httpd.apache.org/docs/2.4/mod/mod_include.html#element.include
func (w *World) serverIncludePath(f *facts.Page, include string) string {
	_, below := w.Facts.Parts.FindByFile(f.File)
	name, _, _ := strings.Cut(strings.TrimPrefix(include, "file:"), "?")
	if !strings.HasPrefix(name, "/") {
		return path.Join(path.Dir(f.File), name)
	}
	base := w.Parts[f.Part].Base
	if urlPath, ok := base.Path(base.Origin() + name); ok {
		name = urlPath
	}
	return path.Join(strings.TrimSuffix(f.File, below), strings.TrimPrefix(name, "/"))
}

// A section contains the pages of one folder. The page a/index.html counts as a page of the folder
// that contains a/. A section contains neither pages that their own files exclude, nor pages that
// the generator does not build, such as drafts.
type section struct {
	paired, unpaired []*facts.Page // pages with and without a content file
}

// findStalePages sets w.stale to the pages that seem to remain from an earlier build because their
// content files were deleted. It considers the folders where most pages have a content file. In
// such a folder, a page without a content file is stale if it is older than all pages with one.
// findStaleTopPages adds the stale pages at the top of the site.
func (w *World) findStalePages(ctx context.Context) {
	sections := map[string]*section{}
	for i, f := range w.pages {
		dir := path.Dir(f.File)
		if isIndexFile(f.File) {
			dir = path.Dir(dir)
		}
		if dir == "." || f.OwnReason != page.Listed || w.isUnbuilt(i) {
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
		oldest := w.Options.Pages.ModTime(ctx, s.paired[0].File)
		for _, f := range s.paired[1:] {
			oldest = min(oldest, w.Options.Pages.ModTime(ctx, f.File))
		}
		for _, f := range s.unpaired {
			if t := w.Options.Pages.ModTime(ctx, f.File); t != 0 && t < oldest {
				w.stale[f.File] = true
			}
		}
	}
	w.findStaleTopPages(ctx)
}

// isUnbuilt reports whether the generator skips the content file of the page w.pages[i], for
// example because it is a draft. The page then remains from an earlier build.
func (w *World) isUnbuilt(i int) bool {
	v := contentExclusion(w, &Page{Facts: w.pages[i], Content: w.pairs[i]}, &clock{now: w.Options.Now})
	return v != nil && v.Reason.Has(page.Unbuilt)
}

// minStaleSeconds is the minimum time between the build of a stale page at the top of the site and
// the present build, in seconds.
const minStaleSeconds = 2

// findStaleTopPages adds the stale pages at the top of the site, such as about/index.html, to
// w.stale. A stale page names a generator in its HTML, and has no content file and no pages below
// it. It is older than the home page by more than minStaleSeconds. It is also older than all pages
// with a content file, by more than minStaleSeconds plus the time that the build needed to write
// these pages.
func (w *World) findStaleTopPages(ctx context.Context) {
	home := w.Options.Pages.ModTime(ctx, "index.html")
	var candidates []*facts.Page
	for i, f := range w.pages {
		dir := path.Dir(f.File)
		hasPagesBelow := i+1 < len(w.pages) && dir != "." && strings.HasPrefix(w.pages[i+1].File, dir+"/")
		if strings.Contains(dir, "/") || hasPagesBelow || !f.Generated || f.OwnReason != page.Listed || w.pairs[i] != nil {
			continue
		}
		if t := w.Options.Pages.ModTime(ctx, f.File); t != 0 && t+minStaleSeconds < home {
			candidates = append(candidates, f)
		}
	}
	if len(candidates) == 0 {
		return
	}
	oldest, newest := uint32(math.MaxUint32), uint32(0)
	for i, f := range w.pages {
		if w.pairs[i] != nil && !w.isUnbuilt(i) {
			t := w.Options.Pages.ModTime(ctx, f.File)
			oldest, newest = min(oldest, t), max(newest, t)
		}
	}
	for _, f := range candidates {
		if t := w.Options.Pages.ModTime(ctx, f.File); newest > 0 && t+minStaleSeconds+newest-oldest < oldest {
			w.stale[f.File] = true
		}
	}
}

// IsFromEarlierBuild reports whether the page seems to remain from an earlier build. It returns
// false for a page whose edit link names a source file.
func (w *World) IsFromEarlierBuild(p *Page) bool {
	return w.stale[p.Facts.File] && w.Edited[p.Facts.File] == ""
}

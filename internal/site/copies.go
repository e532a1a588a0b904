package site

import (
	"bytes"
	"context"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/page"
)

// findCopiedPages sets w.copies, which maps each page file that is a copy to its original. x.html
// is a copy of x/index.html if both files have the same bytes; preferLinkedCopies may exchange
// them. In the same way, index.htm is a copy of index.html. Pages with a canonical link or a
// content file are neither copies nor originals. Only the first page.MaxBytes bytes are compared.
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

// preferLinkedCopies makes the originals x/index.html of a part the copies, and their copies x.html
// the originals. It does so only if more links lead to these files x.html than to the files
// x/index.html. index is the index of the part. sample contains, for each page of a sample, the URL
// paths in its links.
func (w *World) preferLinkedCopies(index int, sample [][]string) {
	copyOf := map[string]string{} // from x/index.html to x.html
	for file, of := range w.copies {
		if i, _ := w.Facts.Parts.FindByFile(file); int(i) == index && strings.HasSuffix(file, ".html") {
			copyOf[of] = file
		}
	}
	if len(copyOf) == 0 {
		return
	}
	part, surplus := &w.Parts[index], 0
	for _, urlPath := range slices.Concat(sample...) {
		file := path.Join(part.Dir, part.linkedFile(urlPath))
		if copyOf[file] != "" {
			surplus--
		} else if w.copies[file] != "" {
			surplus++
		}
	}
	if surplus <= 0 {
		return
	}
	for of, file := range copyOf {
		delete(w.copies, file)
		w.copies[of] = file
	}
}

// possibleOriginal returns the path of the original if file may be a copy of another file, and
// otherwise "". nextFile is the page file that follows file in sorted order. For x.html, the result
// is x/index.html if nextFile is in the folder x/. For index.htm, it is index.html if nextFile is
// index.html. The result need not exist.
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
	return f.OwnReason == page.Listed && !f.HasCanonical() && w.pairs[i] == nil
}

// copyExclusion returns the exclusion of a page whose file is a copy of another file, or nil.
func copyExclusion(w *World, p *Page, _ *clock) *Exclusion {
	if of := w.copies[p.Facts.File]; of != "" {
		return &Exclusion{page.Duplicate, w.Pos(p), "the file has the bytes of " + w.Options.Pages.DisplayName(of)}
	}
	return nil
}

// findIncludedFiles sets w.Included, which maps each file in a server-side include to the first
// page file that includes the file. It looks for includes only in page files.
func (w *World) findIncludedFiles() {
	w.Included = map[string]*facts.Page{}
	for _, f := range w.pages {
		for _, name := range f.Rare().Includes {
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

// minStaleSeconds is the minimum time between the build of a stale page and the present build, in
// seconds.
const minStaleSeconds = 2

// findStalePages sets w.stale to the pages that seem to remain from an earlier build because their
// content files were deleted. A stale page has no content file, although most pages in its folder
// have a content file. At the top of the site, it must instead name a generator and have no pages
// below it.
//
// A stale page is older than the home page, by more than minStaleSeconds. It is also older than all
// pages with a content file, by more than minStaleSeconds plus the time that the build needed to
// write these pages. Pages that the generator does not build, such as drafts, do not count.
func (w *World) findStalePages(ctx context.Context) {
	w.stale = map[string]bool{}
	surplus := map[string]int{} // by folder: number of pages with a content file, minus those without
	var paired []*facts.Page
	var unpaired []int // indexes in w.pages
	for i, f := range w.pages {
		switch folder := parentFolder(f.File); {
		case f.OwnReason != page.Listed || w.isSkippedByGenerator(i):
		case w.pairs[i] != nil:
			paired = append(paired, f)
			surplus[folder]++
		default:
			unpaired = append(unpaired, i)
			surplus[folder]--
		}
	}
	home := w.Options.Pages.ModTime(ctx, "index.html")
	candidates := map[string]uint32{} // modification time by page file
	for _, i := range unpaired {
		f := w.pages[i]
		folder := parentFolder(f.File)
		mayBeStale := surplus[folder] > 0
		if folder == "." {
			mayBeStale = f.Generated && !w.hasPagesBelow(i)
		}
		if !mayBeStale {
			continue
		}
		if t := w.Options.Pages.ModTime(ctx, f.File); t != 0 && t+minStaleSeconds < home {
			candidates[f.File] = t
		}
	}
	if len(candidates) == 0 || len(paired) == 0 {
		return
	}
	oldest, newest := uint32(math.MaxUint32), uint32(0)
	for _, f := range paired {
		t := w.Options.Pages.ModTime(ctx, f.File)
		oldest, newest = min(oldest, t), max(newest, t)
	}
	for file, t := range candidates {
		w.stale[file] = t+minStaleSeconds+newest-oldest < oldest
	}
}

// parentFolder returns the folder above a page, or "." for the top of the site. The page
// a/index.html is in the folder that contains a/.
func parentFolder(file string) string {
	if isIndexFile(file) {
		file = path.Dir(file)
	}
	return path.Dir(file)
}

// hasPagesBelow reports whether the page w.pages[i] is an index.html with other pages in its
// folder.
func (w *World) hasPagesBelow(i int) bool {
	folder := path.Dir(w.pages[i].File) + "/"
	return isIndexFile(w.pages[i].File) && i+1 < len(w.pages) && strings.HasPrefix(w.pages[i+1].File, folder)
}

// isSkippedByGenerator reports whether the generator skips the content file of the page w.pages[i],
// for example because it is a draft. The page then remains from an earlier build.
func (w *World) isSkippedByGenerator(i int) bool {
	v := contentExclusion(w, &Page{Facts: w.pages[i], Content: w.pairs[i]}, &clock{now: w.Options.Now})
	return v != nil && v.Reason.Has(page.Unbuilt)
}

// IsFromEarlierBuild reports whether the page seems to remain from an earlier build. It returns
// false for a page whose edit link names a source file.
func (w *World) IsFromEarlierBuild(p *Page) bool {
	return w.stale[p.Facts.File] && w.Edited[p.Facts.File] == ""
}

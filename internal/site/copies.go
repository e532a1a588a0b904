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

// findCopiedPages finds pages that a generator writes twice with the same bytes: x.html beside
// x/index.html, or index.htm beside index.html. A page with a canonical link or a content file is
// not a copy.
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

// possibleOriginal returns the file that file may be a copy of, or "". nextFile is the page file
// after file in sorted order. If x.html has a folder x/, nextFile is in that folder.
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

// mayBeCopy reports whether the page w.pages[i] can be a copy of another page. It has no canonical
// link and no content file, and nothing in its own file excludes it.
func mayBeCopy(w *World, i int) bool {
	f := w.pages[i]
	return f.OwnReason == page.Listed && f.CanonicalEnding == mapping.AnyEnding && (f.Rest == nil || f.Rest.Canonical == "") && w.pairs[i] == nil
}

// copyExclusion returns the exclusion of a page whose file is a copy of another file, or nil.
func copyExclusion(w *World, r *Page, _ *clock) *Exclusion {
	if of := w.copies[r.Facts.File]; of != "" {
		return &Exclusion{page.Duplicate, w.Pos(r), "the file has the bytes of " + w.Options.Pages.DisplayName(of)}
	}
	return nil
}

// findIncludedFiles sets w.Included. For each file that pages include by server-side includes, it
// records the first page that includes it. It does not look for includes in the included files.
func (w *World) findIncludedFiles() {
	w.Included = map[string]*facts.Page{}
	for _, p := range w.pages {
		if p.Rest == nil {
			continue
		}
		for _, name := range p.Rest.Includes {
			file := w.serverIncludePath(p, name)
			if w.Included[file] == nil && file != p.File {
				w.Included[file] = p
			}
		}
	}
}

// serverIncludePath returns the path of the file that a server-side include in the page p names.
// include is the name in the page. If it begins with a slash, it is a URL path of the site. Any
// other name is relative to the folder of p. The file need not exist.
// See https://httpd.apache.org/docs/2.4/mod/mod_include.html#element.include
func (w *World) serverIncludePath(p *facts.Page, include string) string {
	_, below := w.Facts.Parts.FindByFile(p.File)
	name, _, _ := strings.Cut(strings.TrimPrefix(include, "file:"), "?")
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

// findStalePages finds pages that remain from an earlier build because their content files were
// deleted later. Such a page has no content file, although most pages of its folder have one, and
// its file is older than the files of all these pages.
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

// minStaleSeconds is the minimum age of a stale page at the top of the site, compared with the build.
const minStaleSeconds = 2

// findStaleTopPages finds pages that remain from an earlier build at the top of the site, such as
// about/index.html. Such a page names its generator, has no content file and no page below it. It is
// older than all pages with a content file, by more than their writing took. So a copied page or a
// page of a theme is not stale.
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
		if w.pairs[i] != nil {
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

// IsStale reports whether the page seems to remain from an earlier build. A page is not stale if
// its edit link names a source file.
func (w *World) IsStale(r *Page) bool { return w.stale[r.Facts.File] && w.Edited[r.Facts.File] == "" }

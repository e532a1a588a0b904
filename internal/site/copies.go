package site

import (
	"bytes"
	"context"
	"path"
	"strings"

	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// findCopies finds the pages that a generator writes twice with the same bytes: x.html beside
// x/index.html, index.htm beside index.html. What names its own address is no copy.
func (w *World) findCopies(ctx context.Context) {
	w.copies = map[string]string{}
	for i, f := range w.pages {
		if i+1 == len(w.pages) || !isPlain(w, i) {
			continue
		}
		file := copied(f.File, w.pages[i+1].File)
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

// copied returns the file of which another may be a copy, as far as the next file in the
// order of files tells: that of a folder x/ follows x.html.
func copied(file, next string) string {
	if file+"l" == next && path.Base(next) == "index.html" {
		return next
	}
	stem, ok := strings.CutSuffix(file, ".html")
	if !ok || !strings.HasPrefix(next, stem+"/") {
		return ""
	}
	return stem + "/index.html"
}

// isPlain reports whether a page is listed, and names no address and no content file as its
// own.
func isPlain(w *World, i int) bool {
	f := w.pages[i]
	return f.Own == page.Listed && f.Says == mapping.AnyEnding && (f.Rest == nil || f.Rest.Canonical == "") && w.pairs[i] == nil
}

// copyVerdict leaves out a copy.
func copyVerdict(w *World, r *Page, _ *clock) *Verdict {
	if of := w.copies[r.Facts.File]; of != "" {
		return &Verdict{page.Duplicate, w.Pos(r), "the file has the bytes of " + w.Options.Pages.Show(of)}
	}
	return nil
}

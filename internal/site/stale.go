package site

import (
	"context"
	"path"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/page"
)

// A section is the pages of one folder.
type section struct {
	paired, unpaired []*facts.Page // with and without a content file
}

// findStale finds the pages that an earlier build has left behind, because their content
// files are deleted since. Such a page has no content file, most pages of its folder have
// one, and its file is older than those of all of them.
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

// stalePages adds one note on all listed pages that an earlier build has left behind.
func (l *linter) stalePages() {
	var stale pageCount
	for _, r := range l.List {
		if l.World.IsStale(r) {
			stale.add(r)
		}
	}
	if stale.first == nil {
		return
	}
	l.findings.Add(diag.Notef(l.World.Pos(stale.first), "stale-page", "delete the publish directory before the next build",
		"the page has no content file and is older than the other pages of its folder: an earlier build seems to have left it%s", stale.others("other page")))
}

package site

import (
	"cmp"
	"path"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/page"
)

// dedupe sorts the pages by URL, leaves each URL to one of them and reports the
// others.
func dedupe(w *World, listed []*Page, report *diag.Report) {
	sortPages(listed)
	for from, to := 0, 0; from < len(listed); from = to {
		for to = from + 1; to < len(listed) && listed[to].Entry.Loc == listed[from].Entry.Loc; to++ {
		}
		same := listed[from:to]
		if len(same) > 1 {
			sentFirst(w, same)
		}
		for _, r := range same[1:] {
			r.Excluded = &Verdict{Reason: page.Duplicate, Pos: w.Pos(r)}
			report.Add(duplicate(w, r, same[0]))
		}
	}
}

// sentFirst puts the page whose file the host sends before the others of its URL.
func sentFirst(w *World, same []*Page) {
	p := w.PartOf(same[0])
	file, _ := p.Host.Serves(w.address(same[0]), p.Exists)
	if i := slices.IndexFunc(same, func(r *Page) bool { below, _ := p.Below(r.Facts.File); return file != "" && below == file }); i > 0 {
		sent := same[i]
		copy(same[1:], same[:i])
		same[0] = sent
	}
}

// sortPages sorts pages by URL, and those of one URL by preference. They come
// sorted by file, which is nearly that order, and that the stable sort is made
// for.
func sortPages(pages []*Page) {
	slices.SortStableFunc(pages, func(a, b *Page) int {
		if c := cmp.Compare(a.Entry.Loc, b.Entry.Loc); c != 0 {
			return c
		}
		return preferred(a, b)
	})
}

// preferred orders files of one URL: a file of its own before an extra URL, an
// index file before a file beside its folder, then by name.
func preferred(a, b *Page) int {
	rank := func(r *Page) int {
		switch base := path.Base(r.Facts.File); {
		case r.Facts.File == "":
			return 2
		case base == "index.html":
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Facts.File, b.Facts.File))
}

func duplicate(w *World, r, first *Page) diag.Diagnostic {
	switch {
	case r.Facts.File == "" && r.FromSitemap != nil:
		return listedTwice(r.FromSitemap)
	case r.Facts.File == "" && first.Facts.File == "":
		return diag.Warnf(w.Pos(r), "duplicate-url", "remove one of them", "extra has %s twice", r.Entry.Loc).About(r.Entry.Loc)
	case r.Facts.File == "":
		return diag.Warnf(w.Pos(r), "duplicate-url", "remove it from extra", "extra URL %s is the page %s already", r.Entry.Loc, fileNamed(w, first)).About(r.Entry.Loc)
	}
	return diag.Warnf(w.Pos(r), "duplicate-url", "remove one of them, or give one a url of its own in a rule",
		"%s and %s are both served at %s; the first is listed", fileNamed(w, first), fileNamed(w, r), r.Entry.Loc).About(r.Entry.Loc)
}

// fileNamed returns the file of a page as findings about its URL name it. Without a built site
// that is the content file: the pages that two of them would make may have one name.
func fileNamed(w *World, r *Page) string {
	if w.Options.Pages == nil {
		return w.Pos(r).File
	}
	return r.Facts.File
}

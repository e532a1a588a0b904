package site

import (
	"cmp"
	"path"
	"slices"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/page"
)

// dedupe sorts the pages by URL, leaves each URL to one of them and reports the
// others.
func dedupe(w *World, listed []*Page, report *diag.Report) {
	sortPages(listed)
	var first *Page
	for _, r := range listed {
		if first == nil || r.Entry.Loc != first.Entry.Loc {
			first = r
			continue
		}
		r.Out = &Verdict{Reason: page.Duplicate, Pos: w.Pos(r)}
		report.Add(duplicate(w, r, first))
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
		switch base := path.Base(r.Said.File); {
		case r.Said.File == "":
			return 2
		case base == "index.html":
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Said.File, b.Said.File))
}

func duplicate(w *World, r, first *Page) diag.Diagnostic {
	switch {
	case r.Said.File == "" && r.Given != nil:
		return listedTwice(r.Given)
	case r.Said.File == "":
		return diag.Warnf(w.Pos(r), "duplicate-url", "remove it from extra", "extra URL %s is the page %s already", r.Entry.Loc, first.Said.File).About(r.Entry.Loc)
	}
	return diag.Warnf(w.Pos(r), "duplicate-url", "remove one of them, or give one a url of its own in a rule",
		"%s and %s are both served at %s; the first is listed", first.Said.File, r.Said.File, r.Entry.Loc).About(r.Entry.Loc)
}

package site

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/page"
)

// excludeDuplicates sorts r.List by URL. If several pages have the same URL, it keeps one of them,
// and excludes and reports the others. It keeps the page that the host serves at the URL, or else
// the first page in the order of comparePreference.
func (r *Result) excludeDuplicates() {
	sortPages(r.List)
	for from, to := 0, 0; from < len(r.List); from = to {
		for to = from + 1; to < len(r.List) && r.List[to].Entry.Loc == r.List[from].Entry.Loc; to++ {
		}
		same := r.List[from:to]
		if len(same) > 1 {
			moveServedFirst(r.World, same)
		}
		for _, p := range same[1:] {
			p.Exclusion = &Exclusion{Reason: page.Duplicate, Pos: r.World.Pos(p)}
			r.Findings.Add(newDuplicateFinding(r.World, p, same[0]))
		}
	}
}

// moveServedFirst moves one page to the front of same, a list of pages with the same URL: the page
// whose file the host serves at the URL. The order stays unchanged if the host serves none of the
// files there.
func moveServedFirst(w *World, same []*Page) {
	part := w.PartOf(same[0])
	urlPath := w.URLPath(same[0])
	file, _ := part.Host.ServedFile(urlPath, part.Exists)
	if file == "" && part.Host.Name() == "nginx" && !strings.HasSuffix(urlPath, "/") { // as with the usual try_files $uri $uri.html $uri/index.html
		file = urlPath[1:] + ".html"
	}
	if i := slices.IndexFunc(same, func(p *Page) bool { below, _ := part.Below(p.Facts.File); return file != "" && below == file }); i > 0 {
		sent := same[i]
		copy(same[1:], same[:i])
		same[0] = sent
	}
}

// sortPages sorts pages by URL, and pages with the same URL by comparePreference. It uses a stable
// sort, which is fast here: the pages are sorted by file, and therefore nearly sorted by URL.
func sortPages(pages []*Page) {
	slices.SortStableFunc(pages, func(a, b *Page) int {
		if c := cmp.Compare(a.Entry.Loc, b.Entry.Loc); c != 0 {
			return c
		}
		return comparePreference(a, b)
	})
}

// comparePreference compares two pages with the same URL for a sort that puts the preferred page
// first. Files called index.html come first, then other files, and then URLs without a file. Files
// of the same kind are in the order of their paths.
func comparePreference(a, b *Page) int {
	rank := func(p *Page) int {
		switch base := path.Base(p.Facts.File); {
		case p.Facts.File == "":
			return 2
		case base == "index.html":
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.Facts.File, b.Facts.File))
}

// newDuplicateFinding returns the finding that the page p is left out, because the listed page
// other has the same URL.
func newDuplicateFinding(w *World, p, other *Page) diag.Diagnostic {
	switch {
	case p.Facts.File == "" && p.FromSitemap != nil:
		return newListedTwiceFinding(p.FromSitemap)
	case p.Facts.File == "" && other.Facts.File == "":
		return diag.Warnf(w.Pos(p), "duplicate-url", "remove one of them", "extra has %s twice", p.Entry.Loc).About(p.Entry.Loc)
	case p.Facts.File == "":
		return diag.Warnf(w.Pos(p), "duplicate-url", "remove it from extra", "extra URL %s is the page %s already", p.Entry.Loc, fileForFinding(w, other)).About(p.Entry.Loc)
	}
	return diag.Warnf(w.Pos(p), "duplicate-url", "remove one of them, or give one a url of its own in a rule",
		"%s and %s are both served at %s; the first is listed", fileForFinding(w, other), fileForFinding(w, p), p.Entry.Loc).About(p.Entry.Loc)
}

// fileForFinding returns the file that a finding about a duplicate URL names for the page p: the
// page file or, on a site without a pages tree, the content file. Without a pages tree, two content
// files may have the same page file.
func fileForFinding(w *World, p *Page) string {
	if w.Options.Pages == nil {
		return w.Pos(p).File
	}
	return p.Facts.File
}

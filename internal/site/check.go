package site

import (
	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/parallel"
	"github.com/sitewalk/sitewalk/sitemap"
)

// checkEntries takes from the entries of listed pages what may not be written, and
// reports each such thing. Alternates, which pages share, are checked once.
func checkEntries(w *World, listed []*Page, report *diag.Report) {
	parallel.Parts(len(listed), func(from, to int) (_ struct{}) {
		right := map[*sitemap.Alternate]bool{} // by the first one: the alternates may be written
		var e sitemap.Entry
		for _, r := range listed[from:to] {
			alts := r.Entry.Alternates
			if !w.Options.Page.Titles && r.Entry.Extensions()&^sitemap.Hreflang == 0 && (len(alts) == 0 || right[&alts[0]]) {
				continue
			}
			if ok := checkEntry(w, r, &e, report); ok && len(alts) > 0 {
				right[&alts[0]] = true
			}
		}
		return
	})
}

// checkEntry checks the entry of a page, which it copies to *e, and reports whether all of
// it is right.
func checkEntry(w *World, r *Page, e *sitemap.Entry, report *diag.Report) (ok bool) {
	ok = true
	*e = sitemap.Entry{URL: r.Entry}
	if w.Options.Page.Titles {
		e.Title, e.Summary = r.Title(), r.summary()
	}
	e.Check(func(code, message, hint string) {
		ok = false
		report.Add(diag.Diagnostic{Pos: w.Pos(r), Severity: diag.Warning, Code: code, Message: message, Hint: hint})
	})
	r.Entry = e.URL
	return ok
}

package site

import (
	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/sitemap"
)

// checkEntries takes from the entries of listed pages what may not be written, and
// reports each such thing. Alternates, which pages share, are checked once.
func checkEntries(w *World, listed []*Page, report *diag.Report) {
	files.ParallelParts(len(listed), func(from, to int) (_ struct{}) {
		right := map[*sitemap.Alternate]bool{} // by the first one: the alternates may be written
		var (
			at *Page // the page whose entry e is, and what was found there
			e  sitemap.Entry
			ok bool
		)
		add := func(code, message, hint string) {
			ok = false
			report.Add(diag.Diagnostic{Pos: w.Pos(at), Severity: diag.Warning, Code: code, Message: message, Hint: hint})
		}
		for _, at = range listed[from:to] {
			alts := at.Entry.Alternates
			if !w.Options.Page.Titles && at.Entry.Extensions()&^sitemap.Hreflang == 0 && (len(alts) == 0 || right[&alts[0]]) {
				continue
			}
			e, ok = sitemap.Entry{URL: at.Entry}, true
			if w.Options.Page.Titles {
				e.Title, e.Summary = at.Title(), at.summary()
			}
			if e.Check(add); ok && len(alts) > 0 {
				right[&alts[0]] = true
			}
			at.Entry = e.URL
		}
		return
	})
}

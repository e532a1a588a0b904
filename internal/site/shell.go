package site

import "github.com/sitewalk/sitewalk/diag"

// fewPages are as many as a single-page application has: its page, under a second name for
// addresses that are not known, and one to try it.
const fewPages = 3

// isShell reports whether a page is that of a single-page application.
func isShell(r *Page) bool { return r.Said.Rest != nil && r.Said.Rest.Shell }

// reportShell says that a crawler finds nothing of a single-page application but its page.
func reportShell(w *World, listed []*Page, report *diag.Report) {
	for _, r := range listed {
		if isShell(r) {
			report.Add(diag.Notef(w.Pos(r), "single-page", "render the pages when the site is built; what only a # tells apart has no address of its own",
				"the page has neither text nor links: a script adds its content, which crawlers may not find"))
		}
	}
}

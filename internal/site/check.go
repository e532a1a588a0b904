package site

import (
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/parallel"
	"github.com/sitewalk/sitewalk/sitemap"
)

// checkEntries takes from the entries of listed pages what may not be written, and
// reports each such thing.
func checkEntries(w *World, listed []*Page, report *diag.Report) {
	parallel.Parts(len(listed), func(from, to int) (_ struct{}) {
		c := entryChecker{world: w, report: report, right: map[*sitemap.Alternate]bool{}}
		for _, r := range listed[from:to] {
			c.check(r)
		}
		return
	})
}

// An entryChecker checks entries, for one goroutine.
type entryChecker struct {
	world  *World
	report *diag.Report
	right  map[*sitemap.Alternate]bool // by the first one: alternates, which pages share, may be written
}

func (c *entryChecker) check(r *Page) {
	u := &r.Entry
	if !c.world.o.Page.Titles && u.Extensions()&^sitemap.Hreflang == 0 && c.alternatesRight(u.Alternates) {
		return // they are checked once for all pages that share them
	}
	e := sitemap.Entry{URL: *u}
	if c.world.o.Page.Titles {
		e.Title, e.Summary = r.Title(), r.summary()
	}
	e.Check(func(code, message, hint string) {
		c.report.Add(diag.Diagnostic{Pos: c.world.Pos(r), Severity: diag.Warning, Code: code, Message: message, Hint: hint})
	})
	r.Entry = e.URL
}

func (c *entryChecker) alternatesRight(alts []sitemap.Alternate) bool {
	if len(alts) == 0 {
		return true
	}
	right, known := c.right[&alts[0]]
	if !known {
		right = true
		u := sitemap.URL{Alternates: alts}
		u.Check(func(_, _, _ string) { right = false })
		c.right[&alts[0]] = right
	}
	return right
}

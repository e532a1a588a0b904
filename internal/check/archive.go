package check

import (
	"context"
	"net/http"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/site"
)

// archive reports what is wrong with the versions that are kept and not listed.
func (a *against) archive(ctx context.Context, res *site.Result) {
	found := res.Archive()
	first := func(pages []*site.Page) diag.Pos { return res.World.Pos(pages[0]) }
	report := func(d diag.Diagnostic, pages []*site.Page) {
		d.Subject = d.Code
		addMany(a.Findings, d, pages, res.World.Pos)
	}
	if n := len(found.Alone); n > 0 {
		report(diag.Notef(first(found.Alone), "archived-alone", "redirect those that moved to the page that took their place",
			"%d of %d pages of versions that are not listed have no counterpart in the listed one, such as this one", n, found.Pages), found.Alone)
	}
	if n := len(found.Open); n > 0 {
		report(diag.Notef(first(found.Open), "archived-open", found.Part.Host.HideHint(found.Folder),
			"%d of %d pages of versions that are not listed may be indexed, such as this one", n, found.Pages), found.Open)
	}
	var astray []*site.Page
	to := ""
	for _, n := range found.Names {
		if ctx.Err() != nil {
			return
		}
		if end := a.answers.Of(ctx, n.To); end.Status == http.StatusNotFound || end.Status == http.StatusGone {
			if astray = append(astray, n.Page); to == "" {
				to = n.To
			}
		}
	}
	if n := len(astray); n > 0 {
		report(diag.Warnf(first(astray), "archived-canonical", "let the pages name the page that took their place, or themselves",
			"the canonical links of %s of versions that are not listed lead to nothing, such as the one to %s here", diag.Count(n, "page"), to), astray)
	}
}

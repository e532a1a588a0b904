package cli

import (
	"cmp"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/engine"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/site"
)

// pageRows are the pages of a site, in and out, as reports show them.
func pageRows(res *site.Result) []report.Page {
	pages := []report.Page{}
	for p := range res.Pages() {
		pages = append(pages, pageRow(res, p))
	}
	return pages
}

// pageRow is a page as reports show it. Of a URL without a file the place is where it is
// written.
func pageRow(res *site.Result, p *site.Page) report.Page {
	out := report.Page{
		URL: res.World.Where(p), Listed: p.Listed(), LastMod: p.Entry.LastMod.String(), By: p.DateBy,
		Lang: p.Lang(), Title: p.Title(), Source: res.World.ContentPos(p).File, Content: res.Fingerprint(p),
	}
	if !out.Listed {
		out.Reason, out.Why, out.Pos = p.Reason().String(), p.Excluded.Text, p.Excluded.Pos
	}
	if p.File() != "" {
		out.File = res.World.Pos(p).File
	} else if out.Pos == (diag.Pos{}) {
		out.Pos = res.World.Pos(p)
	}
	return out
}

// reportChanges says what a build changed in the list that was there before; nil
// without one.
func reportChanges(since *engine.Since, pages []report.Page) *report.Changes {
	if since == nil {
		return nil
	}
	now := make(map[string]*report.Page, len(pages))
	for i := range pages { // one that is out may have the address of one that is in
		if p := &pages[i]; p.Listed || now[p.URL] == nil {
			now[p.URL] = p
		}
	}
	c := &report.Changes{Old: since.Old, Was: since.Of, List: []report.Change{}}
	for _, was := range since.Removed {
		change := report.Change{
			Class: "no longer listed", Level: diag.Warning, URL: was.URL, Was: was.LastMod.String(), Reason: "no page is served there",
		}
		if p := now[was.URL]; p != nil {
			change.Reason, change.Pos = p.Reason, p.Pos
		}
		c.List = append(c.List, change)
	}
	added := since.Added()
	for _, url := range added {
		c.List = append(c.List, report.Change{Class: "added", URL: url, Is: now[url].LastMod})
	}
	for _, was := range since.Redated {
		c.List = append(c.List, report.Change{Class: "re-dated", URL: was.URL, Was: was.LastMod.String(), Is: now[was.URL].LastMod})
	}
	c.Same = since.Of - len(since.Removed) - len(since.Redated)
	c.Is = since.Of - len(since.Removed) + len(added)
	slices.SortFunc(c.List, func(a, b report.Change) int {
		return cmp.Or(-cmp.Compare(a.Level, b.Level), cmp.Compare(a.Class, b.Class), cmp.Compare(a.URL, b.URL))
	})
	return c
}

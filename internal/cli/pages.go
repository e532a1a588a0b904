package cli

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/config"
	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/site"
	"github.com/sitewalk/sitewalk/sitemap"
)

// pages reports whether a form shows the pages of the site.
func (o *reporting) pages() bool {
	return slices.ContainsFunc(o.requests, func(q report.Request) bool { return q.Pages })
}

// pagesOf are the pages of a site as reports show them.
func pagesOf(res *site.Result) []report.Page {
	pages := []report.Page{}
	for p := range res.Pages() {
		pages = append(pages, pageOf(p))
	}
	return pages
}

func pageOf(p site.Page) report.Page {
	out := report.Page{
		URL: p.URL, Listed: p.Verdict.Reason == page.Listed, Why: p.Verdict.Text, Pos: p.Verdict.Pos,
		LastMod: p.LastMod.String(), By: p.By, Lang: p.Lang, Title: p.Title, File: p.File, Source: p.Source,
	}
	if !out.Listed {
		out.Reason = p.Verdict.Reason.String()
	}
	return out
}

// outside refuses a report that would be published with the site, and drops it.
func (o *reporting) outside(env Env, c *config.Settings) error {
	dirs := []string{c.Writer.Publish, c.Writer.Dir}
	if c.Site.Pages != nil {
		dirs = append(dirs, c.Site.Pages.Dir)
	}
	for i, q := range o.requests {
		if q.File == "" || !q.Private {
			continue
		}
		file := env.path(q.File)
		folder := real(filepath.Dir(file))
		for _, dir := range dirs {
			if rel, err := filepath.Rel(real(dir), folder); dir != "" && err == nil && filepath.IsLocal(rel) {
				o.requests = slices.Delete(o.requests, i, i+1)
				return diag.Hinted{
					Err:  fmt.Errorf("--report %s=%s lies in %s and would be published", q.Name, q.File, build.Typed(env.Dir, dir)),
					Hint: "name a file elsewhere",
				}
			}
		}
	}
	return nil
}

// real returns a folder without symbolic links, as far as it exists.
func real(dir string) string {
	if to, err := filepath.EvalSymlinks(dir); err == nil {
		return to
	}
	return filepath.Clean(dir)
}

// lastDates reads the dates of the sitemap that is about to be replaced, by URL;
// nil without one. That of a site with several hosts tells only of a part.
func lastDates(ctx context.Context, b *build.Build) map[string]string {
	if len(b.Settings.Parts) > 0 {
		return nil
	}
	var dates map[string]string
	_ = b.Last(ctx, func(e sitemap.Entry, _ diag.Pos) { // what cannot be read tells nothing
		if dates == nil {
			dates = map[string]string{}
		}
		dates[e.Loc] = e.LastMod.String()
	})
	return dates
}

// sinceLast says what a build changed in the list that was there before.
func sinceLast(before map[string]string, pages []report.Page) *report.Changes {
	if before == nil {
		return nil
	}
	c := &report.Changes{Old: "the last sitemap", Was: len(before), List: []report.Change{}}
	out, now := map[string]*report.Page{}, map[string]bool{}
	for i := range pages {
		p := &pages[i]
		was, listed := before[p.URL]
		switch {
		case !p.Listed:
			out[p.URL] = p
			continue
		case !listed:
			c.List = append(c.List, report.Change{Class: "added", URL: p.URL, Is: p.LastMod})
		case was != p.LastMod:
			c.List = append(c.List, report.Change{Class: "re-dated", URL: p.URL, Was: was, Is: p.LastMod})
		default:
			c.Same++
		}
		c.Is++
		now[p.URL] = true
	}
	for url, was := range before {
		if now[url] {
			continue
		}
		change := report.Change{Class: "no longer listed", Level: diag.Warning, URL: url, Was: was, Reason: "no page is served there"}
		if p := out[url]; p != nil {
			change.Reason, change.Pos = p.Reason, p.Pos
		}
		c.List = append(c.List, change)
	}
	slices.SortFunc(c.List, func(a, b report.Change) int {
		return cmp.Or(-cmp.Compare(a.Level, b.Level), cmp.Compare(a.Class, b.Class), cmp.Compare(a.URL, b.URL))
	})
	return c
}

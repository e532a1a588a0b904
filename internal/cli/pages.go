package cli

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/build"
	"github.com/sitewalk/sitewalk/internal/config"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/report"
	"github.com/sitewalk/sitewalk/internal/site"
)

// pagesOf are the pages of a site as reports show them; nil when none does.
func (o *reportFlags) pagesOf(res *site.Result) []report.Page {
	if !o.pages {
		return nil
	}
	pages := []report.Page{}
	for p := range res.Pages() {
		pages = append(pages, pageOf(res, p))
	}
	return pages
}

// pageOf is a page as reports show it. Of a URL without a file the place is where it is
// written.
func pageOf(res *site.Result, p *site.Page) report.Page {
	out := report.Page{
		URL: res.World.Where(p), Listed: p.Listed(), LastMod: p.Entry.LastMod.String(), By: p.DateBy,
		Lang: p.Lang(), Title: p.Title(), Source: res.World.Source(p), Content: res.Fingerprint(p),
	}
	if !out.Listed {
		out.Reason, out.Why, out.Pos = p.Reason().String(), p.Out.Text, p.Out.Pos
	}
	if p.File() != "" {
		out.File = res.World.Pos(p).File
	} else if out.Pos == (diag.Pos{}) {
		out.Pos = res.World.Pos(p)
	}
	return out
}

// outside refuses a report that would be published with the site, and drops it.
// Without settings it is not known.
func (o *reportFlags) outside(env Env, c *config.Settings) error {
	if c == nil {
		return nil
	}
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
			if dir != "" && files.Within(real(dir), folder) {
				o.requests = slices.Delete(o.requests, i, i+1)
				return diag.Hinted{
					Err:  fmt.Errorf("--report %s=%s lies in %s and would be published", q.Name, q.File, build.UserPath(env.Dir, dir)),
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

// changesOf says what a build changed in the list that was there before; nil
// without one.
func changesOf(since *build.Since, pages []report.Page) *report.Changes {
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

package audit

import (
	"context"
	"net/http"
	"path"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
)

// An archive is what can be said of the pages of versions that are not listed.
type archive struct {
	*site.Result
	pages  int
	alone  []*site.Page // without a counterpart in the listed version
	open   []*site.Page // that search engines may index
	hint   string       // what hides the first version with open pages
	naming []*site.Page // that name another page of the site as their canonical one
}

// add takes in a page if it is one of a version that is not listed by the choice of the
// user.
func (a *archive) add(r *site.Page) {
	w := a.World
	s, name, below := w.VersionOf(r.File())
	if _, preview := site.PreviewFolder(r.File()); preview || s == nil || s.Name(name) != name {
		return
	}
	a.pages++
	if w.Counterpart(s, s.Latest, below) == "" {
		a.alone = append(a.alone, r)
	}
	switch to := w.Canonical(r); {
	case to != "" && to != r.Said.FileLoc:
		if w.Hosting(to) != nil {
			a.naming = append(a.naming, r)
		}
	case !w.HostHides(r):
		if a.open = append(a.open, r); a.hint == "" {
			part := w.PartOf(r)
			in, _ := part.Below(path.Join(s.Parent, name))
			a.hint = part.Host.HideHint(part.Base.Prefix() + in + "/")
		}
	}
}

// archive reports what is wrong with the versions that are kept and not listed.
func (a *against) archive(ctx context.Context, res *site.Result) {
	found := archive{Result: res}
	for r := range res.Files() {
		if r.Reason() == page.Version && r.Said.Own == page.Listed {
			found.add(r)
		}
	}
	report := func(pages []*site.Page, d diag.Diagnostic) {
		if len(pages) > 0 {
			d.Pos, d.Subject = res.World.Pos(pages[0]), d.Code
			addMany(a.Findings, d, pages, res.World.Pos)
		}
	}
	report(found.alone, diag.Notef(diag.Pos{}, "archived-alone", "redirect those that moved to the page that took their place",
		"%d of %d pages of versions that are not listed have no counterpart in the listed one, such as this one", len(found.alone), found.pages))
	report(found.open, diag.Notef(diag.Pos{}, "archived-open", found.hint,
		"%d of %d pages of versions that are not listed may be indexed, such as this one", len(found.open), found.pages))
	if astray := a.leadNowhere(ctx, found.naming); len(astray) > 0 {
		report(astray, diag.Warnf(diag.Pos{}, "archived-canonical", "let the pages name the page that took their place, or themselves",
			"the canonical links of %s of versions that are not listed lead to nothing, such as the one to %s here", diag.Count(len(astray), "page"), res.World.Canonical(astray[0])))
	}
}

// leadNowhere returns the pages whose canonical links lead to nothing.
func (a *against) leadNowhere(ctx context.Context, pages []*site.Page) (astray []*site.Page) {
	for _, r := range pages {
		if ctx.Err() != nil {
			return nil
		}
		if end := a.answers.Of(ctx, a.world.Canonical(r)); end.Status == http.StatusNotFound || end.Status == http.StatusGone {
			astray = append(astray, r)
		}
	}
	return astray
}

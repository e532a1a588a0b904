package audit

import (
	"context"
	"sync"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/site"
	"github.com/sitewalk/sitewalk/page"
)

// A searchProblemCollector collects the problems that search engines have with the content of
// pages, such as an empty page.
type searchProblemCollector struct {
	mu    sync.Mutex
	files map[string]page.SearchProblems // problems of each page that has any, by file
}

// CollectPage stores the problems of one page.
func (v *searchProblemCollector) CollectPage(b facts.Body) {
	view := page.FindSearchProblems(b.Src)
	if view == (page.SearchProblems{}) {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	v.files[b.File] = view
}

// Report adds findings about the problems of the pages that the site lists.
func (v *searchProblemCollector) Report(_ context.Context, c *CheckRun) error {
	res, findings := c.Result, c.Findings
	for p := range res.FilePages() {
		view, seen := v.files[p.Facts.File]
		if !seen || !p.Listed() {
			continue
		}
		pos := res.World.Pos(p)
		if view.NotFound != "" {
			findings.Add(diag.Warnf(pos, "soft-404", "delete the page, or let the host answer with status 404; sitewalk leaves a 404.html out",
				"the title is %q, and the host serves the page with status 200", view.NotFound).About(view.NotFound))
		}
		if view.Empty {
			findings.Add(diag.Warnf(pos, "empty-page", "write the text into the page when the site is built, or exclude it",
				"the page has no text for search engines that run no scripts"))
		}
		if view.Cut != (diag.Pos{}) {
			pos.Line, pos.Col = view.Cut.Line, view.Cut.Col
			findings.Add(diag.Notef(pos, "cut-page", "divide the page, or move scripts, styles and data into files of their own",
				"Googlebot stops reading at byte %d or, as HTTP headers count too, some hundred bytes before it; the rest is not indexed", page.MaxGooglebotBytes))
		}
	}
	return nil
}

// reportPreview adds a finding if search engines may index pages of a preview deployment. It
// ignores pages with a canonical link, because that link names the published page. assignment is
// the environment variable that identifies the preview, with its value: "AWS_PULL_REQUEST_ID=7".
func (c *CheckRun) reportPreview(assignment string) {
	res := c.Result
	open, first := 0, (*site.Page)(nil)
	for p := range res.FilePages() {
		if p.Listed() && !p.Facts.HasCanonical() {
			if open++; first == nil {
				first = p
			}
		}
	}
	if open == 0 {
		return
	}
	part := res.World.PartOf(first)
	c.Findings.Add(diag.Warnf(res.World.Pos(first), "open-preview", "in builds of previews only, "+part.Hosting.NoIndexHint(part.Base.Prefix()),
		"search engines may index %s of this preview (%s), such as this one", diag.Count(open, "page"), assignment))
}

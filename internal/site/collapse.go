package site

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A Collapse is one cause that leaves most pages out of the sitemap, or lists them under a wrong
// base URL.
type Collapse struct {
	Pages, Of int
	Wrong     bool   // the pages are listed, but under a wrong base URL
	Hint      string // the next step
}

// A collapseFinder counts the reasons that leave pages out, and finds those of most pages.
type collapseFinder struct {
	*linter
	limit    MaxLoss
	excluded [len(page.Reasons)]int   // pages by reasons that one mistake may give to many
	first    [len(page.Reasons)]*Page // the first of them, or the home page
	of       int                      // pages that are listed or left out for such a reason
	naming   int                      // of them, pages with a canonical link
	causes   []Collapse
}

// findCollapses returns the causes that leave out more of the site than limit allows. It reports
// each, and the canonical links that do not count.
func (l *linter) findCollapses(limit MaxLoss) []Collapse {
	c := &collapseFinder{linter: l, limit: limit}
	for r := range l.FilePages() {
		c.count(r)
	}
	for _, host := range slices.Sorted(maps.Keys(c.Canonicals.Foreign)) {
		c.findForeignHost(host, c.Canonicals.Foreign[host])
	}
	if c.findWrongBase(c.Canonicals.Astray) {
		c.Canonicals.Ignored.report(c.findings, outsideBase, missingPage)
	} else {
		c.Canonicals.Ignored.report(c.findings)
	}
	c.findOneCanonical()
	for reason, hint := range collapseHints {
		if hint != "" {
			c.findReason(page.Reason(reason), hint)
		}
	}
	return c.causes
}

// count counts one page. A reason that an author gives a single page, such as a draft, is not
// counted, because no layout causes it.
func (c *collapseFinder) count(r *Page) {
	switch reason := r.Reason(); {
	case reason == page.Listed, reason == page.Canonical, reason == page.Duplicate:
	case reason == page.Redirect && r.Facts.Own == page.Redirect:
		return // the page itself is a redirect
	case collapseHints[reason] == "":
		return
	}
	if !r.Listed() && c.World.InOtherVersion(r) {
		return
	}
	c.of++
	if c.World.Canonical(r) != "" || r.Facts.CanonicalEnding != mapping.AnyEnding {
		c.naming++
	}
	c.excluded[r.Reason()]++
	if first := c.first[r.Reason()]; first == nil || isHome(r) && !isHome(first) {
		c.first[r.Reason()] = r
	}
}

func isHome(r *Page) bool { return r.Facts.Path == "/" }

// isMost reports whether n pages are most of the site, and more than may be missing.
func (c *collapseFinder) isMost(n int) bool {
	return n > 1 && n > max(c.of/2, c.limit.Limit(c.of, 0))
}

// minNaming is the minimum number of pages whose canonical links reveal a wrong base URL if most
// pages have no link. Fewer may be articles that appeared elsewhere first.
const minNaming = 3

// isMostNaming reports whether n pages are most of the site or of the pages with a canonical link.
func (c *collapseFinder) isMostNaming(n int) bool {
	return c.isMost(n) || n >= minNaming && 2*n > c.naming && n > c.limit.Limit(c.of, 0)
}

func (c *collapseFinder) addCause(pos diag.Pos, n int, wrong bool, code, subject, hint, message string) {
	c.causes = append(c.causes, Collapse{Pages: n, Of: c.of, Wrong: wrong, Hint: hint})
	c.findings.Add(diag.Diagnostic{
		Pos: pos, Severity: diag.Warning, Code: code, Subject: subject, Hint: hint,
		Message: fmt.Sprintf("%d of %d pages %s", n, c.of, message),
	})
}

// findForeignHost reports a host that most pages name in their canonical links.
func (c *collapseFinder) findForeignHost(host string, pages []*Page) {
	fit := c.World.FitBase(pages)
	if !c.isMost(len(pages)) && (fit.Base == "" || !c.isMostNaming(len(pages))) {
		return
	}
	hint := "if that is the site's host, write it as base_url"
	if fit.Base != "" {
		hint = fitHint(fit)
	}
	c.addCause(diag.Pos{}, len(pages), false, "canonical-host", host, hint,
		fmt.Sprintf("name a canonical on %s, but the base URL is %s; they are left out", host, c.o.Base))
}

// findWrongBase reports a base URL or a folder with which most pages would have the canonical
// addresses that they name. Under the current base URL these addresses have no page.
func (c *collapseFinder) findWrongBase(astray []*Page) bool {
	if !c.isMostNaming(len(astray)) {
		return false
	}
	fit := c.World.FitBase(astray)
	if fit.Base == "" {
		return false
	}
	fits := fit.Base
	if fit.Dir != "" {
		fits = "the folder " + fit.Dir + " at " + fit.Base
	}
	c.addCause(diag.Pos{}, len(astray), true, "canonical-base", fit.Base, fitHint(fit), fmt.Sprintf(
		"name a canonical that fits %s, but the base URL is %s", fits, c.o.Base))
	return true
}

// findOneCanonical reports a page that most others name as their canonical page.
func (c *collapseFinder) findOneCanonical() {
	if !c.isMost(len(c.Canonicals.Targets)) {
		return
	}
	votes := map[*Page]int{}
	var top *Page
	for _, to := range c.Canonicals.Targets {
		if votes[to]++; top == nil || votes[to] > votes[top] || votes[to] == votes[top] && to.Facts.File < top.Facts.File {
			top = to
		}
	}
	if n := votes[top]; c.isMost(n) {
		loc, _ := c.World.FileURL(top)
		c.addCause(c.World.Pos(c.first[page.Canonical]), n, false, "most-left-out", page.Canonical.String(),
			"let the layout give each page its own address", "name the same canonical, "+loc+", and are left out")
	}
}

// findReason reports a reason that leaves out most pages. A site may want that for many pages,
// such as those of tags. So the home page must be among them, or nearly all pages.
func (c *collapseFinder) findReason(reason page.Reason, hint string) {
	n, first := c.excluded[reason], c.first[reason]
	fault := reason == page.Unreadable || reason == page.Broken
	if !c.isMost(n) || !fault && !isHome(first) && 10*n <= 9*c.of {
		return
	}
	text := ""
	if first.Excluded.Text != "" {
		text = ": " + first.Excluded.Text
	}
	c.addCause(first.Excluded.Pos, n, false, "most-left-out", reason.String(), hint,
		"are left out ("+reason.String()+": "+page.Reasons[reason].Text+text+")")
}

// collapseHints maps the reasons that one mistake may give to most pages to the next step.
var collapseHints = [len(page.Reasons)]string{
	page.NoIndex:    "remove the noindex from the layout, or from the host's headers, before the site is published",
	page.Robots:     "let robots.txt allow what is to be found; obey_robots: false leaves it unread",
	page.Redirect:   "is the rule meant for another domain? the host sends every visitor away",
	page.NotServed:  "is the rule meant for so many pages? no visitor gets them",
	page.Unreadable: "give the owner or the group of the files the right to read them",
	page.Broken:     "build the site again; was the disk full, or the build stopped?",
}

// fitHint returns the command or setting for a base URL that fits.
func fitHint(f BaseFit) string {
	if f.Dir != "" {
		return fmt.Sprintf("if that is the site: sitewalk build %s -b %s", f.Dir, f.Base)
	}
	return "the base URL that fits is " + f.Base + ": give it with -b, or as base_url in sitemap.yaml"
}

// A BaseFit is the base URL and the folder below the pages tree with which pages would have
// the addresses that they name.
type BaseFit struct{ Base, Dir string }

// FitBase returns the base URL and the folder with which most of the pages have the canonical
// addresses that they name. The folder is spelled as the user would type it. FitBase returns the
// zero BaseFit if there is none.
func (w *World) FitBase(pages []*Page) (best BaseFit) {
	votes := map[BaseFit]int{}
	for _, r := range pages {
		p := w.PartOf(r)
		if f, ok := p.fitPage(r.Facts, p.Canonical(r.Facts)); ok {
			votes[f]++
			if cmp.Or(votes[f]-votes[best], strings.Compare(best.Base, f.Base), strings.Compare(best.Dir, f.Dir)) > 0 {
				best = f
			}
		}
	}
	if 2*votes[best] <= len(pages) {
		return BaseFit{}
	}
	if best.Dir != "" {
		best.Dir = path.Join(w.Options.Pages.Name, best.Dir)
	}
	return best
}

// maxFolders is the maximum depth of the site below the named folder.
const maxFolders = 4

// fitPage finds the base and the folder from the common end of the page's path and the canonical
// URL to.
func (p *Part) fitPage(page *facts.Page, to string) (BaseFit, bool) {
	file, _ := p.Below(page.File)
	dir := ""
	for range maxFolders {
		for e := mapping.Slashed; e > mapping.AnyEnding; e-- {
			loc, err := p.Base.Loc(e.Style().URLPath(file))
			if err != nil {
				continue
			}
			end := loc[len(p.Base.String())-1:]
			if base, ok := strings.CutSuffix(to, end); ok && end != "/" && strings.Count(base, "//") == 1 {
				b, err := mapping.ParseBase(base + "/")
				return BaseFit{b.String(), dir}, err == nil
			}
		}
		top, rest, ok := strings.Cut(file, "/")
		if !ok {
			break
		}
		dir, file = path.Join(dir, top), rest
	}
	return BaseFit{}, false
}

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

// A Collapse is one mistake that leaves most pages out of the sitemap, or lists most pages under a
// wrong base URL.
type Collapse struct {
	Pages     int    // number of affected pages
	Of        int    // number of pages that the cause could have affected
	WrongBase bool   // the pages are listed, but under a wrong base URL
	Hint      string // advice for the user
}

// A collapseFinder counts the pages that are left out by reason, and finds the reasons that affect
// most pages.
type collapseFinder struct {
	*linter
	limit    MaxLoss
	excluded [len(page.Reasons)]int   // number of counted pages by reason, including page.Listed
	first    [len(page.Reasons)]*Page // by reason: the home page if it has the reason, else the first page by file
	of       int                      // number of counted pages; see countPage
	linked   int                      // number of counted pages with a canonical link
	causes   []Collapse
}

// findCollapses returns the causes that each affect most pages of the site, and more pages than
// limit allows. It reports each cause. It also reports the canonical links that have no effect.
func (l *linter) findCollapses(limit MaxLoss) []Collapse {
	c := &collapseFinder{linter: l, limit: limit}
	for r := range l.FilePages() {
		c.countPage(r)
	}
	for _, host := range slices.Sorted(maps.Keys(c.Canonicals.Foreign)) {
		c.addForeignHostCause(host, c.Canonicals.Foreign[host])
	}
	if c.addWrongBaseCause(c.Canonicals.Astray) {
		c.Canonicals.Ignored.addFindings(c.findings, outsideBase, missingPage)
	} else {
		c.Canonicals.Ignored.addFindings(c.findings)
	}
	c.addSameCanonicalCause()
	for reason, hint := range collapseHints {
		if hint != "" {
			c.addReasonCause(page.Reason(reason), hint)
		}
	}
	return c.causes
}

// countPage counts the page r if it is listed, or if it is left out for a reason that one mistake
// can give to many pages. It does not count pages that an author leaves out one by one, such as
// drafts, or pages of versions that are not listed.
func (c *collapseFinder) countPage(r *Page) {
	switch reason := r.Reason(); {
	case reason == page.Listed, reason == page.Canonical, reason == page.Duplicate:
	case reason == page.Redirect && r.Facts.OwnReason == page.Redirect:
		return // the page itself is a redirect
	case collapseHints[reason] == "":
		return
	}
	if !r.Listed() && c.World.InOtherVersion(r) {
		return
	}
	c.of++
	if c.World.Canonical(r) != "" || r.Facts.CanonicalEnding != mapping.AnyEnding {
		c.linked++
	}
	c.excluded[r.Reason()]++
	if first := c.first[r.Reason()]; first == nil || isHome(r) && !isHome(first) {
		c.first[r.Reason()] = r
	}
}

func isHome(r *Page) bool { return r.Facts.Path == "/" }

// isMajority reports whether n pages are more than half of the counted pages, and more than c.limit
// allows to be missing.
func (c *collapseFinder) isMajority(n int) bool {
	return n > 1 && n > max(c.of/2, c.limit.Limit(c.of, 0))
}

// minLinked is the minimum number of pages whose canonical links reveal a wrong base URL, if most
// pages have no canonical link. One or two such pages may be articles that another site published
// first.
const minLinked = 3

// isMajorityOrLinkedMajority reports whether n pages are most of the counted pages, or at least
// minLinked and most of the counted pages with a canonical link. It is false if c.limit allows n
// pages to be missing.
func (c *collapseFinder) isMajorityOrLinkedMajority(n int) bool {
	return c.isMajority(n) || n >= minLinked && 2*n > c.linked && n > c.limit.Limit(c.of, 0)
}

func (c *collapseFinder) addCause(pos diag.Pos, n int, wrongBase bool, code, subject, hint, message string) {
	c.causes = append(c.causes, Collapse{Pages: n, Of: c.of, WrongBase: wrongBase, Hint: hint})
	c.findings.Add(diag.Diagnostic{
		Pos: pos, Severity: diag.Warning, Code: code, Subject: subject, Hint: hint,
		Message: fmt.Sprintf("%d of %d pages %s", n, c.of, message),
	})
}

// addForeignHostCause adds a cause if most canonical links name host, which does not belong to the
// site. pages are the pages with these links.
func (c *collapseFinder) addForeignHostCause(host string, pages []*Page) {
	fit := c.World.FindBaseFit(pages)
	if !c.isMajority(len(pages)) && (fit.Base == "" || !c.isMajorityOrLinkedMajority(len(pages))) {
		return
	}
	hint := "if that is the site's host, write it as base_url"
	if fit.Base != "" {
		hint = baseFitHint(fit)
	}
	c.addCause(diag.Pos{}, len(pages), false, "canonical-host", host, hint,
		fmt.Sprintf("name a canonical on %s, but the base URL is %s; they are left out", host, c.o.Base))
}

// addWrongBaseCause adds a cause, and returns true, if many canonical links lead nowhere because
// the base URL or the publish directory is wrong. astray are the pages whose canonical links name
// no page of the site. They must be most pages, or most pages with a canonical link. Another base
// URL or folder must give most of them the URLs that their links name.
func (c *collapseFinder) addWrongBaseCause(astray []*Page) bool {
	if !c.isMajorityOrLinkedMajority(len(astray)) {
		return false
	}
	fit := c.World.FindBaseFit(astray)
	if fit.Base == "" {
		return false
	}
	fits := fit.Base
	if fit.Dir != "" {
		fits = "the folder " + fit.Dir + " at " + fit.Base
	}
	c.addCause(diag.Pos{}, len(astray), true, "canonical-base", fit.Base, baseFitHint(fit), fmt.Sprintf(
		"name a canonical that fits %s, but the base URL is %s", fits, c.o.Base))
	return true
}

// addSameCanonicalCause adds a cause if most pages name the same page in their canonical links.
func (c *collapseFinder) addSameCanonicalCause() {
	if !c.isMajority(len(c.Canonicals.Targets)) {
		return
	}
	votes := map[*Page]int{}
	var top *Page
	for _, to := range c.Canonicals.Targets {
		if votes[to]++; top == nil || votes[to] > votes[top] || votes[to] == votes[top] && to.Facts.File < top.Facts.File {
			top = to
		}
	}
	if n := votes[top]; c.isMajority(n) {
		loc, _ := c.World.FileURL(top)
		c.addCause(c.World.Pos(c.first[page.Canonical]), n, false, "most-left-out", page.Canonical.String(),
			"let the layout give each page its own address", "name the same canonical, "+loc+", and are left out")
	}
}

// addReasonCause adds a cause if most pages are left out for reason. A site may intend this, for
// example with noindex for tag pages. So the home page must be left out too, or more than 90 % of
// all pages. This does not apply to files that are unreadable or broken.
func (c *collapseFinder) addReasonCause(reason page.Reason, hint string) {
	n, first := c.excluded[reason], c.first[reason]
	fault := reason == page.Unreadable || reason == page.Broken
	if !c.isMajority(n) || !fault && !isHome(first) && 10*n <= 9*c.of {
		return
	}
	text := ""
	if first.Excluded.Text != "" {
		text = ": " + first.Excluded.Text
	}
	c.addCause(first.Excluded.Pos, n, false, "most-left-out", reason.String(), hint,
		"are left out ("+reason.String()+": "+page.Reasons[reason].Text+text+")")
}

// collapseHints contains advice for the user on each reason that one mistake can give to most
// pages. It contains "" for the other reasons.
var collapseHints = [len(page.Reasons)]string{
	page.NoIndex:    "remove the noindex from the layout, or from the host's headers, before the site is published",
	page.Robots:     "let robots.txt allow what is to be found; obey_robots: false leaves it unread",
	page.Redirect:   "is the rule meant for another domain? the host sends every visitor away",
	page.NotServed:  "is the rule meant for so many pages? no visitor gets them",
	page.Unreadable: "give the owner or the group of the files the right to read them",
	page.Broken:     "build the site again; was the disk full, or the build stopped?",
}

// baseFitHint returns advice for the user to set the base URL of f. If f names a folder, the advice
// contains the command to build this folder.
func baseFitHint(f BaseFit) string {
	if f.Dir != "" {
		return fmt.Sprintf("if that is the site: sitewalk build %s -b %s", f.Dir, f.Base)
	}
	return "the base URL that fits is " + f.Base + ": give it with -b, or as base_url in sitemap.yaml"
}

// A BaseFit is a base URL, and a folder of the publish directory or "" for the publish directory
// itself. With the folder published at the base URL, the pages would have the URLs that their
// canonical links name.
type BaseFit struct{ Base, Dir string }

// FindBaseFit returns the base URL and the folder that give most of the pages the URLs that their
// canonical links name. It returns the zero BaseFit if no base URL does. The folder is spelled as
// the user would type it.
func (w *World) FindBaseFit(pages []*Page) (best BaseFit) {
	votes := map[BaseFit]int{}
	for _, r := range pages {
		p := w.PartOf(r)
		if f, ok := p.fitBaseToPage(r.Facts, p.Canonical(r.Facts)); ok {
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

// maxFolders is the maximum number of folders that fitBaseToPage tries: the publish directory, and
// then the folders on the path to the page.
const maxFolders = 4

// fitBaseToPage returns the base URL and the folder with which page has the URL canonical, the
// target of its canonical link. It returns false if canonical does not end like the path of the
// page.
func (p *Part) fitBaseToPage(page *facts.Page, canonical string) (fit BaseFit, ok bool) {
	file, _ := p.Below(page.File)
	dir := ""
	for range maxFolders {
		for e := mapping.Slashed; e > mapping.AnyEnding; e-- {
			loc, err := p.Base.Loc(e.Style().URLPath(file))
			if err != nil {
				continue
			}
			end := loc[len(p.Base.String())-1:]
			if base, ok := strings.CutSuffix(canonical, end); ok && end != "/" && strings.Count(base, "//") == 1 {
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

package site

import (
	"fmt"
	"maps"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A Collapse is one cause that takes most of a site out of its sitemap, or lists
// it at addresses that it does not call its own.
type Collapse struct {
	Pages, Of int
	Wrong     bool   // they are listed, but under a wrong base URL
	Hint      string // what to do about the cause
}

// outCauses counts why pages are out, and finds the causes that hold for most of
// them.
type outCauses struct {
	*linter
	limit  MaxLoss
	out    [len(page.Reasons)]int   // pages by the reasons of which one mistake may give many
	first  [len(page.Reasons)]*Page // of them: the home page, if it is among them
	of     int                      // pages that are in, or out for such a reason
	naming int                      // of them, those that name a canonical address
	causes []Collapse
}

// collapses returns the causes that hold for more than the share of the site that
// may be missing, and reports each, and the canonical links that do not count.
func (l *linter) collapses(limit MaxLoss) []Collapse {
	c := &outCauses{linter: l, limit: limit}
	for r := range l.Files() {
		c.count(r)
	}
	c.foreignHosts()
	if c.strayed() { // which are all of those
		c.Canonicals.Ignored.Report(c.findings, Outside, Nowhere)
	} else {
		c.Canonicals.Ignored.Report(c.findings)
	}
	c.oneCanonical()
	for reason, hint := range collapseHints {
		if hint != "" {
			c.byReason(page.Reason(reason), hint)
		}
	}
	return c.causes
}

// count takes in one page. What its author said of this page alone, as that it
// is a draft, is no mistake that a layout makes.
func (c *outCauses) count(r *Page) {
	switch reason := r.Reason(); {
	case reason == page.Listed, reason == page.Canonical, reason == page.Duplicate:
	case reason == page.Redirect && r.Facts.Own == page.Redirect:
		return // a page that is made to lead elsewhere
	case collapseHints[reason] == "":
		return
	}
	if !r.Listed() && c.World.InOtherVersion(r) {
		return
	}
	c.of++
	if c.World.Canonical(r) != "" || r.Facts.Says != mapping.AnyEnding {
		c.naming++
	}
	c.out[r.Reason()]++
	if first := c.first[r.Reason()]; first == nil || isHome(r) && !isHome(first) {
		c.first[r.Reason()] = r
	}
}

func isHome(r *Page) bool { return r.Facts.Path == "/" }

// most reports whether so many pages are most of the site, and more than may be
// missing. However few may be: what one cause takes out may never have been listed.
func (c *outCauses) most(n int) bool {
	return n > 1 && n > max(c.of/2, c.limit.Of(c.of, 0))
}

func (c *outCauses) addCause(pos diag.Pos, n int, wrong bool, code, subject, hint, message string) {
	c.causes = append(c.causes, Collapse{Pages: n, Of: c.of, Wrong: wrong, Hint: hint})
	c.warn(pos, n, code, subject, hint, message)
}

func (c *outCauses) warn(pos diag.Pos, n int, code, subject, hint, message string) {
	c.findings.Add(diag.Diagnostic{
		Pos: pos, Severity: diag.Warning, Code: code, Subject: subject, Hint: hint,
		Message: fmt.Sprintf("%d of %d pages %s", n, c.of, message),
	})
}

// foreignHosts finds another host that most pages name as their own. One that most pages
// with a canonical link name, by their own paths, is only reported.
func (c *outCauses) foreignHosts() {
	for _, host := range slices.Sorted(maps.Keys(c.Canonicals.Foreign)) {
		n := len(c.Canonicals.Foreign[host])
		fit := c.World.Fit(c.Canonicals.Foreign[host])
		hint := "if that is the site's host, write it as base_url"
		if fit.Base != "" {
			hint = fitHint(fit)
		}
		message := fmt.Sprintf("name a canonical on %s, but the base URL is %s; they are left out", host, c.o.Base)
		if c.most(n) {
			c.addCause(diag.Pos{}, n, false, "canonical-host", host, hint, message)
		} else if n >= minForeign && 2*n > c.naming && fit.Base != "" {
			c.warn(diag.Pos{}, n, "canonical-host", host, hint, message)
		}
	}
}

// minForeign is how many pages name another host, at least, before that is reported: an
// article may have been published elsewhere first.
const minForeign = 10

// strayed reports whether there is another base URL or folder that would fit most pages, whose
// canonical links name no page as it is.
func (c *outCauses) strayed() bool {
	if !c.most(len(c.Canonicals.Astray)) {
		return false
	}
	fit := c.World.Fit(c.Canonicals.Astray)
	if fit.Base == "" {
		return false
	}
	fits := fit.Base
	if fit.Dir != "" {
		fits = "the folder " + fit.Dir + " at " + fit.Base
	}
	c.addCause(diag.Pos{}, len(c.Canonicals.Astray), true, "canonical-base", fit.Base, fitHint(fit), fmt.Sprintf(
		"name a canonical that fits %s, but the base URL is %s", fits, c.o.Base))
	return true
}

// oneCanonical finds a page that most others name in place of themselves.
func (c *outCauses) oneCanonical() {
	if !c.most(len(c.Canonicals.Targets)) {
		return
	}
	votes := map[*Page]int{}
	var top *Page
	for _, to := range c.Canonicals.Targets {
		if votes[to]++; top == nil || votes[to] > votes[top] || votes[to] == votes[top] && to.Facts.File < top.Facts.File {
			top = to
		}
	}
	if n := votes[top]; c.most(n) {
		loc, _ := c.World.Mapped(top)
		c.addCause(c.World.Pos(c.first[page.Canonical]), n, false, "most-left-out", page.Canonical.String(),
			"let the layout give each page its own address", "name the same canonical, "+loc+", and are left out")
	}
}

// byReason finds a reason that takes out most pages. What the site may want for
// many of its pages, such as those of tags, counts when the home page is among
// them, or nearly all are.
func (c *outCauses) byReason(reason page.Reason, hint string) {
	n, first := c.out[reason], c.first[reason]
	fault := reason == page.Unreadable || reason == page.Broken
	if !c.most(n) || !fault && !isHome(first) && 10*n <= 9*c.of {
		return
	}
	text := ""
	if first.Excluded.Text != "" {
		text = ": " + first.Excluded.Text
	}
	c.addCause(first.Excluded.Pos, n, false, "most-left-out", reason.String(), hint,
		"are left out ("+reason.String()+": "+page.Reasons[reason].Text+text+")")
}

// collapseHints are the reasons that one mistake gives to most pages, and what is to be done.
var collapseHints = [len(page.Reasons)]string{
	page.NoIndex:    "remove the noindex from the layout, or from the host's headers, before the site is published",
	page.Robots:     "let robots.txt allow what is to be found; obey_robots: false leaves it unread",
	page.Redirect:   "is the rule meant for another domain? the host sends every visitor away",
	page.NotServed:  "is the rule meant for so many pages? no visitor gets them",
	page.Unreadable: "give the owner or the group of the files the right to read them",
	page.Broken:     "build the site again; was the disk full, or the build stopped?",
}

// fitHint says how the user would build what fits.
func fitHint(f BaseFit) string {
	if f.Dir != "" {
		return fmt.Sprintf("if that is the site: sitewalk build %s -b %s", f.Dir, f.Base)
	}
	return "the base URL that fits is " + f.Base + ": give it with -b, or as base_url in sitemap.yaml"
}

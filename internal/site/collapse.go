package site

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

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
	*canonicals
	world  *World
	report *diag.Report
	out    [len(page.Reasons)]int   // pages by the reasons of which one mistake may give many
	first  [len(page.Reasons)]*Page // of them: the home page, if it is among them
	of     int                      // pages that are in, or out for such a reason
	naming int                      // of them, those that name a canonical address
	causes []Collapse
}

// findCollapses returns the causes that hold for more than the share of the site that
// may be missing, and reports each, and the canonical links that do not count.
func findCollapses(w *World, pages []Page, canon *canonicals, report *diag.Report) []Collapse {
	c := &outCauses{canonicals: canon, world: w, report: report}
	for i := range pages {
		c.count(&pages[i])
	}
	ignored := canon.ignored.kinds
	c.foreignHosts()
	if c.strayed() { // which are all of those
		ignored = without(ignored, outside, nowhere)
	}
	c.oneCanonical()
	for _, m := range mistakes {
		c.byReason(m.reason, m.hint)
	}
	reportGaps(ignored, report)
	return c.causes
}

// count takes in one page. What its author said of this page alone, as that it
// is a draft, is no mistake that a layout makes.
func (c *outCauses) count(r *Page) {
	switch reason := r.Reason(); {
	case reason == page.Listed, reason == page.Canonical, reason == page.Duplicate:
	case reason == page.Redirect && r.Said.Own == page.Redirect:
		return // a page that is made to lead elsewhere
	case !slices.ContainsFunc(mistakes, func(m mistake) bool { return m.reason == reason }):
		return
	}
	if !r.Listed() && hasVersions(c.world) && versionCheck(c.world, r, nil) != nil {
		return // in a preview, or in a version that is not listed
	}
	c.of++
	if c.world.canonicalOf(r) != "" || r.Said.Says != mapping.AnyEnding {
		c.naming++
	}
	c.out[r.Reason()]++
	if first := c.first[r.Reason()]; first == nil || isHome(r) && !isHome(first) {
		c.first[r.Reason()] = r
	}
}

func isHome(r *Page) bool { return r.Said.Path() == "/" }

// most reports whether so many pages are most of the site, and more than may be
// missing. However few may be: what one cause takes out may never have been listed.
func (c *outCauses) most(n int) bool {
	return n > 1 && n > max(c.of/2, c.world.o.MaxLoss.Of(c.of, 0))
}

func (c *outCauses) add(pos diag.Pos, n int, wrong bool, code, subject, hint, message string) {
	c.causes = append(c.causes, Collapse{Pages: n, Of: c.of, Wrong: wrong, Hint: hint})
	c.warn(pos, n, code, subject, hint, message)
}

func (c *outCauses) warn(pos diag.Pos, n int, code, subject, hint, message string) {
	c.report.Add(diag.Diagnostic{
		Pos: pos, Severity: diag.Warning, Code: code, Subject: subject, Hint: hint,
		Message: fmt.Sprintf("%d of %d pages %s", n, c.of, message),
	})
}

// foreignHosts finds another host that most pages name as their own. One that most pages
// with a canonical link name, by their own paths, is only reported.
func (c *outCauses) foreignHosts() {
	for _, host := range slices.Sorted(maps.Keys(c.foreign)) {
		n := len(c.foreign[host])
		fit := c.world.fit(c.foreign[host])
		hint := "if that is the site's host, write it as base_url"
		if fit.base != "" {
			hint = fit.hint()
		}
		message := fmt.Sprintf("name a canonical on %s, but the base URL is %s; they are left out", host, c.world.o.Base)
		if c.most(n) {
			c.add(diag.Pos{}, n, false, "canonical-host", host, hint, message)
		} else if n >= fewForeign && 2*n > c.naming && fit.base != "" {
			c.warn(diag.Pos{}, n, "canonical-host", host, hint, message)
		}
	}
}

// fewForeign is how many pages name another host, at least, before that is reported: an
// article may have been published elsewhere first.
const fewForeign = 10

// strayed reports whether there is another base URL or folder that would fit most pages, whose
// canonical links name no page as it is.
func (c *outCauses) strayed() bool {
	if !c.most(len(c.astray)) {
		return false
	}
	fit := c.world.fit(c.astray)
	if fit.base == "" {
		return false
	}
	c.add(diag.Pos{}, len(c.astray), true, "canonical-base", fit.base, fit.hint(), fmt.Sprintf(
		"name a canonical that fits %s, but the base URL is %s", fit, c.world.o.Base))
	return true
}

// oneCanonical finds a page that most others name in place of themselves.
func (c *outCauses) oneCanonical() {
	if !c.most(len(c.targets)) {
		return
	}
	votes := map[*Page]int{}
	var top *Page
	for _, to := range c.targets {
		if votes[to]++; top == nil || votes[to] > votes[top] || votes[to] == votes[top] && to.Said.File < top.Said.File {
			top = to
		}
	}
	if n := votes[top]; c.most(n) {
		loc, _ := c.world.Mapped(top)
		c.add(c.world.Pos(c.first[page.Canonical]), n, false, "most-left-out", page.Canonical.String(),
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
	if first.Out.Text != "" {
		text = ": " + first.Out.Text
	}
	c.add(first.Out.Pos, n, false, "most-left-out", reason.String(), hint,
		"are left out ("+reason.String()+": "+page.Reasons[reason].Text+text+")")
}

// A mistake is a reason that one mistake gives to most pages, and what is to be done.
type mistake struct {
	reason page.Reason
	hint   string
}

var mistakes = []mistake{
	{page.NoIndex, "remove the noindex from the layout, or from the host's headers, before the site is published"},
	{page.Robots, "let robots.txt allow what is to be found; obey_robots: false leaves it unread"},
	{page.Redirect, "is the rule meant for another domain? the host sends every visitor away"},
	{page.NotServed, "is the rule meant for so many pages? no visitor gets them"},
	{page.Unreadable, "give the owner or the group of the files the right to read them"},
	{page.Broken, "build the site again; was the disk full, or the build stopped?"},
}

// A fitting is the base URL and the folder with which pages would have the
// addresses that they name.
type fitting struct{ base, dir string }

func (f fitting) String() string {
	if f.dir != "" {
		return "the folder " + f.dir + " at " + f.base
	}
	return f.base
}

func (f fitting) hint() string {
	if f.dir != "" {
		return fmt.Sprintf("if that is the site: sitewalk build %s -b %s", f.dir, f.base)
	}
	return "the base URL that fits is " + f.base + ": give it with -b, or as base_url in sitemap.yaml"
}

// fit returns what fits most of some pages with the canonicals that they name;
// the zero fitting when nothing does.
func (w *World) fit(pages []*Page) (best fitting) {
	votes := map[fitting]int{}
	for _, r := range pages {
		if f, ok := w.fitOne(r, w.canonicalOf(r)); ok {
			votes[f]++
			if votes[f] > votes[best] || votes[f] == votes[best] && (f.base < best.base || f.base == best.base && f.dir < best.dir) {
				best = f
			}
		}
	}
	if 2*votes[best] <= len(pages) {
		return fitting{}
	}
	if best.dir != "" {
		best.dir = path.Join(w.o.Pages.Name, best.dir)
	}
	return best
}

// maxFolders is how many folders the site may lie below the one that was named.
const maxFolders = 4

// fitOne finds the base and the folder by the end that a page's path and the
// address that it names share.
func (w *World) fitOne(r *Page, to string) (fitting, bool) {
	part := w.PartOf(r)
	file, _ := part.Below(r.Said.File)
	dir := ""
	for range maxFolders {
		for e := mapping.Slashed; e > mapping.AnyEnding; e-- {
			loc, err := part.Base.Loc(e.Style().URLPath(file))
			if err != nil {
				continue
			}
			end := loc[len(part.Base.String())-1:]
			if base, ok := strings.CutSuffix(to, end); ok && end != "/" && strings.Count(base, "//") == 1 {
				b, err := mapping.ParseBase(base + "/")
				return fitting{b.String(), dir}, err == nil
			}
		}
		top, rest, ok := strings.Cut(file, "/")
		if !ok {
			break
		}
		dir, file = path.Join(dir, top), rest
	}
	return fitting{}, false
}

package site

import (
	"maps"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Canonicals are the pages that name another one as the one to list.
type Canonicals struct {
	Targets map[*Page]*Page    // those that are out, and the page that each names
	Foreign map[string][]*Page // those that name one on another host, by host
	Astray  []*Page            // those that name one on the site's host that is no page
	Ignored Gaps               // the links that do not count
}

// A canonicalFinder judges the canonical links of the listed pages.
type canonicalFinder struct {
	Canonicals
	world   *World
	index   *index
	listed  List
	report  *diag.Report
	schemes int               // links with the base URL's host, and not its scheme
	others  map[string]*other // further addresses of the site, by host
}

// An other address of the site is the one that a platform gave it before it had a domain of
// its own, or the one with or without www.
type other struct {
	prefix string // of all paths there, as that of a project
	pages  int    // that name it
}

// findCanonicals leaves out every listed page that names another one that is there.
func findCanonicals(w *World, pages *index, listed []*Page, report *diag.Report) Canonicals {
	c := &canonicalFinder{world: w, index: pages, listed: listed, report: report}
	c.Targets, c.Foreign = map[*Page]*Page{}, map[string][]*Page{}
	c.findOthers()
	for _, r := range listed {
		if to := w.Canonical(r); r.Listed() && to != "" && to != r.Entry.Loc {
			c.canonical(r, to)
		}
	}
	c.breakCycles()
	ends := map[*Page]*Page{}
	for _, r := range listed {
		if c.Targets[r] != nil {
			c.checkEnd(r, c.end(r, ends))
			c.leaveOut(r)
		}
	}
	c.otherScheme()
	for _, host := range slices.Sorted(maps.Keys(c.others)) {
		report.Add(diag.Warnf(diag.Pos{}, "canonical-host", "set the site's address in the generator's settings, and build again",
			"the canonical links of %s name %s%s; they are read as %s",
			diag.Count(c.others[host].pages, "page"), host, c.others[host].prefix, w.Options.Base).About(host))
	}
	return c.Canonicals
}

// findOthers finds the further addresses of the site among those that canonical links name.
// An address that most pages name means a wrong base URL instead.
func (c *canonicalFinder) findOthers() {
	naming := map[string][]*Page{}
	for _, r := range c.listed {
		if to := c.world.Canonical(r); to != "" && c.world.Hosting(to) == nil {
			naming[sitemap.HostOf(to)] = append(naming[sitemap.HostOf(to)], r)
		}
	}
	c.others = map[string]*other{}
	base := c.world.Options.Base
	for host, pages := range naming {
		switch fit := c.world.Fit(pages); {
		case 2*len(pages) > len(c.world.pages):
		case strings.TrimPrefix(host, "www.") == strings.TrimPrefix(base.Host(), "www."):
			c.others[host] = &other{prefix: strings.TrimSuffix(base.Prefix(), "/")}
		case hosting.IsPlatformDomain(host) && !hosting.IsPlatformDomain(base.Host()) && fit.Dir == "":
			if prefix, ok := strings.CutPrefix(fit.Base, "https://"+host); ok {
				c.others[host] = &other{prefix: strings.TrimSuffix(prefix, "/")}
			}
		}
	}
}

// elsewhere judges a canonical link that names another address of the site. One that leads to
// no page does not count.
func (c *canonicalFinder) elsewhere(r *Page, to string, at *other) {
	at.pages++
	p := c.world.PartOf(r)
	_, rest, _ := strings.Cut(to, "://"+sitemap.HostOf(to))
	urlPath, ok := p.Base.Path(strings.TrimSuffix(p.Base.String(), "/") + strings.TrimPrefix(rest, at.prefix))
	if !ok {
		return
	}
	loc, err := p.Base.Loc(urlPath)
	if err != nil {
		return
	}
	if target := c.findTarget(r, loc, urlPath); target != nil && target != r {
		c.Targets[r] = target
	}
}

func (c *canonicalFinder) leaveOut(r *Page) {
	r.Excluded = &Verdict{Reason: page.Canonical, Pos: c.world.Pos(r), Text: c.world.Canonical(r)}
}

// end returns the last page of the chain of canonicals that starts at r. It records the end of
// each page that it passes, so that every page is passed once.
func (c *canonicalFinder) end(r *Page, ends map[*Page]*Page) *Page {
	var passed []*Page
	for c.Targets[r] != nil && ends[r] == nil {
		passed = append(passed, r)
		r = c.Targets[r]
	}
	if ends[r] != nil {
		r = ends[r]
	}
	for _, p := range passed {
		ends[p] = r
	}
	return r
}

// checkEnd reports a page whose canonical leads to a page that is left out for another
// reason, so that neither is listed.
func (c *canonicalFinder) checkEnd(r, end *Page) {
	if end.Reason() == page.Listed || end.Reason() == page.Canonical {
		return
	}
	c.reportOut(r, c.world.Canonical(r), c.world.Pos(end).File, end.Reason())
}

// reportOut reports that the page which r names as its canonical is out.
func (c *canonicalFinder) reportOut(r *Page, to, file string, why page.Reason) {
	c.report.Add(diag.Warnf(c.world.Pos(r), "canonical-out", "let the page name its own address, or let the other one be indexable",
		"canonical %s leads to %s, which is left out: %s; neither is listed", to, file, why).About(to))
}

// otherScheme reports once a scheme that is not the base URL's.
func (c *canonicalFinder) otherScheme() {
	if c.schemes == 0 {
		return
	}
	scheme, rest, _ := strings.Cut(c.world.Options.Base.String(), "://")
	scheme = map[string]string{"https": "http", "http": "https"}[scheme]
	c.report.Add(diag.Warnf(diag.Pos{}, "canonical-scheme", "let base_url and the pages' canonical links agree; the base URL that fits is "+scheme+"://"+rest,
		"the canonical of %s begins with %s://, but the base URL is %s; they are listed as the base URL says",
		diag.Count(c.schemes, "page"), scheme, c.world.Options.Base))
}

// canonical judges one page's canonical link, which is not its own URL.
func (c *canonicalFinder) canonical(r *Page, to string) {
	p := c.world.Hosting(to)
	if p == nil {
		host := sitemap.HostOf(to)
		if at := c.others[host]; at != nil {
			c.elsewhere(r, to, at)
			return
		}
		c.leaveOut(r)
		c.Foreign[host] = append(c.Foreign[host], r)
		return
	}
	if own := p.Base.OwnScheme(to); own != to {
		c.schemes++
		if to = own; to == r.Entry.Loc {
			return
		}
	}
	urlPath, below := p.Base.Path(to)
	switch {
	case below:
	case strings.HasPrefix(to, p.Base.String()):
		c.drop(r, "impossible", "", "no file of the site can have that address")
		return
	default:
		c.Astray = append(c.Astray, r)
		c.drop(r, Outside, "", "it lies outside the base URL "+p.Base.String())
		return
	}
	loc := to
	if len(p.Base.String())-1+len(urlPath) != len(to) { // something in it is encoded, and maybe otherwise
		loc, _ = p.Base.Loc(urlPath)
	}
	switch target := c.findTarget(r, loc, urlPath); target {
	case nil:
		if c.world.excludes(p, to) {
			c.leaveOut(r)
			c.reportOut(r, to, "a page", page.Excluded)
			return
		}
		c.Astray = append(c.Astray, r)
		c.drop(r, Nowhere, to, "no page of the site has that address")
	case r:
		if loc != r.Entry.Loc && c.findNamed(r, loc, urlPath) == r {
			c.drop(r, "spelling", "", "the page is served at "+r.Entry.Loc)
		}
	default:
		if c.world.redirectsTo(target, r) {
			c.drop(r, "redirect", to, "it redirects to the page")
			return
		}
		c.Targets[r] = target
	}
}

// findTarget returns the page that a canonical names. If it lies under an alias of a version,
// that is the page under the listed name.
func (c *canonicalFinder) findTarget(r *Page, loc, urlPath string) *Page {
	target := c.findNamed(r, loc, urlPath)
	if target == nil || target.Reason() != page.Version {
		return target
	}
	loc = c.world.listedAlias(target.Facts.File)
	if listed := c.index.byURL(loc, true); loc != "" && listed != nil {
		return listed
	}
	return target
}

// findNamed returns the page with a URL, else the one that differs from it only in spelling.
func (c *canonicalFinder) findNamed(r *Page, loc, urlPath string) *Page {
	if t := c.index.find(c.listed, loc); t != nil {
		return t
	}
	if mapping.Spelling(urlPath) == mapping.Spelling(c.world.Path(r)) {
		return r
	}
	return nil
}

// breakCycles keeps one page of every ring of canonicals, the one whose URL
// sorts first.
func (c *canonicalFinder) breakCycles() {
	met := map[*Page]*Page{} // from where each page was met first, of those that name another
	for _, start := range c.listed {
		r := start
		for ; c.Targets[r] != nil && met[r] == nil; r = c.Targets[r] {
			met[r] = start
		}
		if met[r] == start {
			c.keepOne(r)
		}
	}
}

func (c *canonicalFinder) keepOne(r *Page) {
	first := r
	for t := c.Targets[r]; t != r; t = c.Targets[t] {
		if t.Entry.Loc < first.Entry.Loc {
			first = t
		}
	}
	to := c.world.Canonical(first)
	c.report.Add(diag.Warnf(c.world.Pos(first), "canonical-cycle", "let one of the pages name itself",
		"canonical %s leads back to the page; it is listed, the others of the ring are not", to).About(to))
	delete(c.Targets, first)
}

package site

import (
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Canonicals contains the canonical links that name another URL than the page's own.
type Canonicals struct {
	Targets map[*Page]*Page    // from each page left out to the page that its canonical link names
	Foreign map[string][]*Page // by host: the pages left out because their canonical links name that host
	Astray  []*Page            // pages whose canonical links name the site's host, but no page of the site
	Ignored Gaps               // canonical links that have no effect

	followed int // number of links followed, for tests
}

// A canonicalFinder leaves out the listed pages whose canonical links name another page or another
// site. It reports links that contradict the base URL or each other.
type canonicalFinder struct {
	Canonicals
	world   *World
	index   *index
	listed  List
	report  *diag.Report
	schemes int                    // number of links that name the base URL with another scheme
	others  map[string]*formerHost // other hosts of the site, by host name
}

// A formerHost is another host of the site: the domain with or without www, or the host that a
// platform gave the site before the site had a domain.
type formerHost struct {
	prefix string // path of the site on the host, "/project"; "" if it is the whole host
	pages  int    // number of pages whose canonical links name the host
}

// findCanonicals leaves out each listed page whose canonical link names another page of the site,
// or a host that is not the site's. It reports links that contradict the base URL or each other.
func findCanonicals(w *World, pages *index, listed []*Page, report *diag.Report) Canonicals {
	c := &canonicalFinder{world: w, index: pages, listed: listed, report: report}
	c.Targets = map[*Page]*Page{}
	c.findOtherHosts()
	for _, r := range listed {
		if to := w.Canonical(r); r.Listed() && to != "" && to != r.Entry.Loc {
			c.checkCanonical(r, to)
		}
	}
	c.breakCycles()
	ends := map[*Page]*Page{}
	for _, r := range listed {
		if c.Targets[r] != nil {
			c.checkLastTarget(r, c.findLastTarget(r, ends))
			c.leaveOut(r)
		}
	}
	c.reportSchemes()
	for _, host := range slices.Sorted(maps.Keys(c.others)) {
		report.Add(diag.Warnf(diag.Pos{}, "canonical-host", "set the site's address in the generator's settings, and build again",
			"the canonical links of %s name %s%s; they are read as %s",
			diag.Count(c.others[host].pages, "page"), host, c.others[host].prefix, w.Options.Base).About(host))
	}
	return c.Canonicals
}

// findOtherHosts groups the pages by the other host that their canonical links name. A further host
// of the site itself goes to c.others, any other host to c.Foreign. If most pages name one host,
// the base URL is probably wrong, so the host goes to c.Foreign. A CNAME file that confirms the
// base URL prevents this.
func (c *canonicalFinder) findOtherHosts() {
	c.Foreign, c.others = map[string][]*Page{}, map[string]*formerHost{}
	for _, r := range c.listed {
		if to := c.world.Canonical(r); to != "" && c.world.PartOnHost(to) == nil {
			host := sitemap.HostOf(to)
			c.Foreign[host] = append(c.Foreign[host], r)
		}
	}
	for host, pages := range c.Foreign {
		if 2*len(pages) > len(c.world.pages) && !c.world.Parts[0].Host.HasDomain() {
			continue
		}
		if prefix, ok := c.formerPrefix(host, pages); ok {
			c.others[host] = &formerHost{prefix: strings.TrimSuffix(prefix, "/"), pages: len(pages)}
			delete(c.Foreign, host)
		}
	}
}

// formerPrefix returns the path under which host serves the site, such as "/project/". pages are
// the pages whose canonical links name host. ok is false if host is not a host of the site.
func (c *canonicalFinder) formerPrefix(host string, pages []*Page) (prefix string, ok bool) {
	base := c.world.Options.Base
	if strings.TrimPrefix(host, "www.") == strings.TrimPrefix(base.Host(), "www.") {
		return base.Prefix(), true
	}
	if c.world.Parts[0].Host.HasDomain() && strings.HasSuffix(host, ".github.io") {
		return c.projectPrefix(host, pages), true
	}
	fit := c.world.FitBase(pages)
	if !hosting.IsPlatformDomain(host) || hosting.IsPlatformDomain(base.Host()) || fit.Dir != "" {
		return "", false
	}
	return strings.CutPrefix(fit.Base, "https://"+host)
}

// projectPrefix returns the path of a project on a host of GitHub Pages, such as "/project/": the
// first folder of every canonical link to the host. It returns "/" if these links have different
// first folders, or if the site itself has a folder of that name.
func (c *canonicalFinder) projectPrefix(host string, pages []*Page) string {
	prefix := ""
	for i, r := range pages {
		_, rest, _ := strings.Cut(c.world.Canonical(r), "://"+host+"/")
		folder, _, _ := strings.Cut(rest, "/")
		if i > 0 && prefix != "/"+folder {
			return "/"
		}
		prefix = "/" + folder
	}
	if slices.ContainsFunc(c.world.pages, func(f *facts.Page) bool { return strings.HasPrefix("/"+f.File, prefix+"/") }) {
		return "/"
	}
	return prefix + "/"
}

// checkFormerHost moves the canonical link to from another host of the site to the base URL, and
// records the page that the link then names. It ignores a link to a missing page.
func (c *canonicalFinder) checkFormerHost(r *Page, to string, at *formerHost) {
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
	r.Excluded = &Exclusion{Reason: page.Canonical, Pos: c.world.Pos(r), Text: c.world.Canonical(r)}
}

// findLastTarget follows canonical links from r until a page names no other page, and returns that
// page. It stores the result in ends for every page on the way, so each link is followed only once.
func (c *canonicalFinder) findLastTarget(r *Page, ends map[*Page]*Page) *Page {
	var passed []*Page
	for c.Targets[r] != nil && ends[r] == nil {
		c.followed++
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

// checkLastTarget reports the page r if end, the last page of its chain of canonical links, is left
// out for another reason. Then neither page is listed.
func (c *canonicalFinder) checkLastTarget(r, end *Page) {
	if end.Reason() == page.Listed || end.Reason() == page.Canonical {
		return
	}
	c.reportExcludedTarget(r, c.world.Canonical(r), c.world.Pos(end).File, end.Reason())
}

// reportExcludedTarget reports that the canonical link of r names a page that is left out. to is
// the link, file is the file of that page, and why is the reason to leave it out.
func (c *canonicalFinder) reportExcludedTarget(r *Page, to, file string, why page.Reason) {
	c.report.Add(diag.Warnf(c.world.Pos(r), "canonical-out", "let the page name its own address, or let the other one be indexable",
		"canonical %s leads to %s, which is left out: %s; neither is listed", to, file, why).About(to))
}

// reportSchemes reports how many canonical links name the base URL with http instead of https, or
// with https instead of http.
func (c *canonicalFinder) reportSchemes() {
	if c.schemes == 0 {
		return
	}
	scheme, rest, _ := strings.Cut(c.world.Options.Base.String(), "://")
	scheme = map[string]string{"https": "http", "http": "https"}[scheme]
	c.report.Add(diag.Warnf(diag.Pos{}, "canonical-scheme", "let base_url and the pages' canonical links agree; the base URL that fits is "+scheme+"://"+rest,
		"the canonical of %s begins with %s://, but the base URL is %s; they are listed as the base URL says",
		diag.Count(c.schemes, "page"), scheme, c.world.Options.Base))
}

// checkCanonical evaluates the canonical link to of the page r. The link differs from the URL of r.
// checkCanonical records the page that the link names, leaves r out, or counts the link as ignored.
func (c *canonicalFinder) checkCanonical(r *Page, to string) {
	p := c.world.PartOnHost(to)
	if p == nil {
		host := sitemap.HostOf(to)
		if at := c.others[host]; at != nil {
			c.checkFormerHost(r, to, at)
			return
		}
		c.leaveOut(r)
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
		c.countIgnored(r, "impossible", "no file of the site can have that address")
		return
	default:
		c.Astray = append(c.Astray, r)
		c.countIgnored(r, outsideBase, "it lies outside the base URL "+p.Base.String())
		return
	}
	loc := to
	if len(p.Base.String())-1+len(urlPath) != len(to) { // to contains escapes such as %C3, which may be spelled differently
		loc, _ = p.Base.Loc(urlPath)
	}
	switch target := c.findTarget(r, loc, urlPath); target {
	case nil:
		if c.world.isExcludedURL(p, to) {
			c.leaveOut(r)
			c.reportExcludedTarget(r, to, "a page", page.Excluded)
			return
		}
		c.Astray = append(c.Astray, r)
		c.countIgnored(r, missingPage, "no page of the site has that address")
	case r:
		if loc != r.Entry.Loc && c.findNamed(r, loc, urlPath) == r {
			c.countIgnored(r, otherSpelling, "the page is served at "+r.Entry.Loc)
		}
	default:
		if c.world.redirectsTo(target, r) {
			c.countIgnored(r, "redirect", "it redirects to the page")
			return
		}
		c.Targets[r] = target
	}
}

// findTarget returns the page that a canonical link names, or nil. If that page belongs to a
// version of the site that is listed under another name, findTarget returns the page under the
// listed name.
func (c *canonicalFinder) findTarget(r *Page, loc, urlPath string) *Page {
	target := c.findNamed(r, loc, urlPath)
	if target == nil || target.Reason() != page.Version {
		return target
	}
	loc = c.world.listedAlias(target.Facts.File)
	if listed := c.index.findByURL(loc, true); loc != "" && listed != nil {
		return listed
	}
	return target
}

// findNamed returns the page that the host serves at the URL loc or at another spelling of loc. If
// there is none, and urlPath is another spelling of the path of r, it returns r. Otherwise it
// returns nil.
func (c *canonicalFinder) findNamed(r *Page, loc, urlPath string) *Page {
	if t := c.index.find(c.listed, loc); t != nil {
		return t
	}
	if mapping.Spelling(urlPath) == mapping.Spelling(c.world.Path(r)) {
		return r
	}
	return nil
}

// breakCycles removes one canonical link from every cycle of pages that name each other. In each
// cycle, the page whose URL sorts first stays listed.
func (c *canonicalFinder) breakCycles() {
	met := map[*Page]*Page{} // by page: the start of the walk that reached it first
	for _, start := range c.listed {
		r := start
		for ; c.Targets[r] != nil && met[r] == nil; r = c.Targets[r] {
			c.followed++
			met[r] = start
		}
		if met[r] == start {
			c.breakCycle(r)
		}
	}
}

// breakCycle removes the canonical link of one page in the cycle through r: the page whose URL
// sorts first. It reports the cycle.
func (c *canonicalFinder) breakCycle(r *Page) {
	first := r
	for t := c.Targets[r]; t != r; t = c.Targets[t] {
		c.followed++
		if t.Entry.Loc < first.Entry.Loc {
			first = t
		}
	}
	to := c.world.Canonical(first)
	c.report.Add(diag.Warnf(c.world.Pos(first), "canonical-cycle", "let one of the pages name itself",
		"canonical %s leads back to the page; it is listed, the others of the ring are not", to).About(to))
	delete(c.Targets, first)
}

// Kinds of ignored canonical links. Many links of the first two kinds mean a wrong base URL.
const (
	outsideBase   = "outside"  // the link names the site's host, but no URL below the base URL
	missingPage   = "missing"  // no page has the address
	otherSpelling = "spelling" // the link spells the page's own URL differently
)

// countIgnored counts a canonical link of the page r that has no effect. kind groups similar links
// in one finding, and why completes the message of the finding.
func (c *canonicalFinder) countIgnored(r *Page, kind, why string) {
	c.Ignored.add(kind, "", func() diag.Diagnostic {
		to := c.world.Canonical(r)
		hint := "let the page name its own address, or that of the page it copies"
		if kind == otherSpelling {
			hint = "set how addresses end in the generator (trailingSlash of Docusaurus and others), or the site's host in sitemap.yaml"
		}
		return diag.Warnf(c.world.Pos(r), "canonical-ignored", hint,
			"canonical %s is ignored: %s", to, why).About(to)
	})
}

// isExcludedURL reports whether the settings pages.include and pages.exclude leave out the file
// that the URL loc probably names, such as a/index.html for /a/ or a.html for /a.
func (w *World) isExcludedURL(p *Part, loc string) bool {
	file, ok := p.Base.Path(p.Base.OwnScheme(loc))
	if !ok || w.Options.Pages == nil || w.Options.Pages.Filter == nil {
		return false
	}
	switch file = file[1:]; {
	case file == "" || strings.HasSuffix(file, "/"):
		file += "index.html"
	case path.Ext(file) == "":
		file += ".html"
	}
	in, _ := w.Options.Pages.Filter.Decide(p.inSite(file))
	return !in
}

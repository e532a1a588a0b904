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

// Canonicals are the canonical links that name a different page.
type Canonicals struct {
	Targets map[*Page]*Page    // the pages left out for another page, with the page that each names
	Foreign map[string][]*Page // the pages left out because they name another host, by host
	Astray  []*Page            // the pages that name an address of the site's host without a page
	Ignored Gaps               // the links that do not count

	followed int // links followed from page to page
}

// A canonicalFinder judges the canonical links of the listed pages.
type canonicalFinder struct {
	Canonicals
	world   *World
	index   *index
	listed  List
	report  *diag.Report
	schemes int                     // links with the base URL's host and another scheme
	others  map[string]*formerHosts // further hosts of the site
}

// formerHosts is another host of the site: the domain with or without www, or the host that a
// platform gave the site before the site had a domain.
type formerHosts struct {
	prefix string // of all paths on the host: the folder of a project
	pages  int    // that name the host
}

// findCanonicals leaves out every listed page that names another page of the site.
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
			c.checkEnd(r, c.findEnd(r, ends))
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

// findOtherHosts groups the pages that name another host, and recognizes further hosts of the
// site. A host that most pages name means a wrong base URL instead, unless the site's CNAME
// file names the base URL.
func (c *canonicalFinder) findOtherHosts() {
	c.Foreign, c.others = map[string][]*Page{}, map[string]*formerHosts{}
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
			c.others[host] = &formerHosts{prefix: strings.TrimSuffix(prefix, "/"), pages: len(pages)}
			delete(c.Foreign, host)
		}
	}
}

// formerPrefix returns the prefix of the site's paths on a further host of the site. pages
// name the host.
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

// projectPrefix returns the folder of a project on a host of GitHub Pages: the first folder of
// all addresses that pages name there, unless the site has a folder of that name.
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

// checkFormerHost handles a canonical link that names another host of the site. It ignores a link
// to a missing page.
func (c *canonicalFinder) checkFormerHost(r *Page, to string, at *formerHosts) {
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

// findEnd returns the last page of the chain of canonicals that starts at r. It records the end of
// each page on the way, so each link is followed once.
func (c *canonicalFinder) findEnd(r *Page, ends map[*Page]*Page) *Page {
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

// checkEnd reports a page whose canonical leads to a page that is left out for another
// reason, so that neither is listed.
func (c *canonicalFinder) checkEnd(r, end *Page) {
	if end.Reason() == page.Listed || end.Reason() == page.Canonical {
		return
	}
	c.reportExcludedTarget(r, c.world.Canonical(r), c.world.Pos(end).File, end.Reason())
}

// reportExcludedTarget reports that the page which r names as its canonical is left out.
func (c *canonicalFinder) reportExcludedTarget(r *Page, to, file string, why page.Reason) {
	c.report.Add(diag.Warnf(c.world.Pos(r), "canonical-out", "let the page name its own address, or let the other one be indexable",
		"canonical %s leads to %s, which is left out: %s; neither is listed", to, file, why).About(to))
}

// reportSchemes reports canonical links with another scheme than the base URL's.
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

// checkCanonical handles a page's canonical link. to is not the URL of the page.
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
	if len(p.Base.String())-1+len(urlPath) != len(to) { // something in it is encoded, and maybe otherwise
		loc, _ = p.Base.Loc(urlPath)
	}
	switch target := c.findTarget(r, loc, urlPath); target {
	case nil:
		if c.world.excludes(p, to) {
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

// findTarget returns the page that a canonical names. For a URL under an alias of a version, it
// returns the page under the listed name.
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

// breakCycles keeps one page of every cycle of canonicals: the page whose URL sorts first.
func (c *canonicalFinder) breakCycles() {
	met := map[*Page]*Page{} // the page from which each page was reached first
	for _, start := range c.listed {
		r := start
		for ; c.Targets[r] != nil && met[r] == nil; r = c.Targets[r] {
			c.followed++
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

// Kinds of canonical links that do not count because they name no page. Many of them mean a
// wrong base URL.
const (
	outsideBase = "outside"
	missingPage = "missing"

	otherSpelling = "spelling"
)

// countIgnored counts a canonical link that is ignored. kind is the reason in one word.
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

// excludes reports whether pages.include and pages.exclude leave out the file that a URL probably
// names.
func (w *World) excludes(p *Part, loc string) bool {
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

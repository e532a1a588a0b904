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

// Canonicals contains the canonical links that name a URL other than the page's own.
type Canonicals struct {
	Targets map[*Page]*Page    // from each page left out to the page that its canonical link names
	Foreign map[string][]*Page // by host: the pages left out because their canonical links name that host
	Astray  []*Page            // pages whose canonical links name the site's host, but no page of the site
	Ignored LinkProblems       // canonical links that have no effect
}

// otherCanonicalURL returns the URL in the canonical link of p. It returns "" if p has no canonical
// link, or if the link names p.Facts.FileLoc. However, a link with another scheme, or in an unusual
// spelling such as upper case, is always returned.
func (w *World) otherCanonicalURL(p *Page) string {
	part, f := w.PartOf(p), p.Facts
	if other := f.Rare().Canonical; other != "" {
		return other
	}
	if f.CanonicalEnding == mapping.NoEnding || f.CanonicalEnding == f.Ending {
		return ""
	}
	file, _ := part.Below(f.File)
	_, loc, _ := part.Base.FileURL(f.CanonicalEnding.Style(), file)
	return loc
}

// A canonicalResolver leaves out the listed pages whose canonical links name another page or
// another site. It reports canonical links that contradict the base URL or each other.
type canonicalResolver struct {
	*Result
	schemeMismatches int                    // number of links to a host of the site with another scheme than its base URL
	formerHosts      map[string]*formerHost // former hosts of the site, by host name
}

// A formerHost is a host that serves the site, or once served it, but is not the host of the base
// URL. Some former hosts are the same domain with or without www, such as www.example.com. Others
// are hosts that a platform gave the site before the site had a domain, such as user.github.io.
type formerHost struct {
	prefix string // path of the site on the host, "/project"; "" if it is the whole host
	pages  int    // number of pages whose canonical links name the host
}

// applyCanonicals sets r.Canonicals. It excludes listed pages whose canonical links name another
// page of the site or a foreign host, and removes them from r.List. If canonical links form a
// cycle, one page of the cycle stays listed. It reports canonical links that contradict the base
// URL or each other.
func (r *Result) applyCanonicals() {
	w := r.World
	c := &canonicalResolver{Result: r}
	c.Canonicals.Targets = map[*Page]*Page{}
	c.groupPagesByOtherHost()
	for _, p := range r.List {
		if to := w.otherCanonicalURL(p); p.Listed() && to != "" && to != p.Loc {
			c.checkCanonical(p, to)
		}
	}
	c.breakCycles()
	lastTargets := map[*Page]*Page{}
	for _, p := range r.List {
		if c.Canonicals.Targets[p] != nil {
			last := c.findLastTarget(p, lastTargets)
			if why := last.Reason(); why != page.Listed && why != page.Canonical {
				c.reportExcludedTarget(p, w.otherCanonicalURL(p), w.Pos(last).File, why)
			}
			c.excludeByCanonical(p)
		}
	}
	c.reportSchemeMismatches()
	for _, host := range slices.Sorted(maps.Keys(c.formerHosts)) {
		r.Findings.Add(diag.Warnf(diag.Pos{}, "canonical-host", "set the site's address in the generator's settings, and build again",
			"the canonical links of %s name %s%s; they are read as %s",
			diag.Count(c.formerHosts[host].pages, "page"), host, c.formerHosts[host].prefix, w.Options.Base).About(host))
	}
	r.List = slices.DeleteFunc(r.List, func(p *Page) bool { return !p.Listed() })
}

// groupPagesByOtherHost groups the pages whose canonical links name a host that no base URL has.
// For a former host of the site, it sets c.formerHosts[host]. For any other host, it sets
// Canonicals.Foreign[host] to the pages that name the host.
//
// If more than half of all pages name the same host, the base URL is probably wrong. Such a host is
// always in Canonicals.Foreign, unless a CNAME file confirms the base URL.
func (c *canonicalResolver) groupPagesByOtherHost() {
	c.Canonicals.Foreign, c.formerHosts = map[string][]*Page{}, map[string]*formerHost{}
	for _, p := range c.List {
		if to := c.World.otherCanonicalURL(p); to != "" && c.World.PartOnHost(to) == nil {
			host := sitemap.HostOf(to)
			c.Canonicals.Foreign[host] = append(c.Canonicals.Foreign[host], p)
		}
	}
	for host, pages := range c.Canonicals.Foreign {
		if 2*len(pages) > len(c.World.pages) && !c.World.Parts[0].Hosting.HasCustomDomain() {
			continue
		}
		if prefix, isFormer := c.sitePathOnFormerHost(host, pages); isFormer {
			c.formerHosts[host] = &formerHost{prefix: strings.TrimSuffix(prefix, "/"), pages: len(pages)}
			delete(c.Canonicals.Foreign, host)
		}
	}
}

// sitePathOnFormerHost returns the path of the site on host, such as "/project/", if host is a
// former host of the site. Otherwise isFormer is false. pages are the pages whose canonical links
// name host.
func (c *canonicalResolver) sitePathOnFormerHost(host string, pages []*Page) (prefix string, isFormer bool) {
	base := c.World.Options.Base
	if strings.TrimPrefix(host, "www.") == strings.TrimPrefix(base.Host(), "www.") {
		return base.Prefix(), true
	}
	if c.World.Parts[0].Hosting.HasCustomDomain() && strings.HasSuffix(host, ".github.io") {
		return c.githubProjectPrefix(host, pages), true
	}
	fit := c.World.findBaseFit(pages)
	if !hosting.IsPlatformDomain(host) || hosting.IsPlatformDomain(base.Host()) || fit.Dir != "" {
		return "", false
	}
	return strings.CutPrefix(fit.Base, "https://"+host)
}

// githubProjectPrefix returns the path of the site on a host of GitHub Pages, such as "/project/".
// This is the first folder in the canonical links of pages, which all name the host. It returns "/"
// if the links have different first folders, if no link has a folder, or if the site contains a
// folder with this name.
func (c *canonicalResolver) githubProjectPrefix(host string, pages []*Page) string {
	prefix, isFolder := "", false
	for i, p := range pages {
		_, rest, _ := strings.Cut(c.World.otherCanonicalURL(p), "://"+host+"/")
		name, _, hasSlash := strings.Cut(rest, "/")
		if i > 0 && prefix != "/"+name {
			return "/"
		}
		prefix, isFolder = "/"+name, isFolder || hasSlash && name != ""
	}
	if !isFolder || slices.ContainsFunc(c.World.pages, func(f *facts.Page) bool { return strings.HasPrefix("/"+f.File, prefix+"/") }) {
		return "/"
	}
	return prefix + "/"
}

// resolveFormerHostLink sets Canonicals.Targets[p] for a canonical link to a former host. link is
// the canonical link of the page p. The target is the page at the same path below the base URL. If
// there is no such page, or if it is p itself, resolveFormerHostLink does nothing.
func (c *canonicalResolver) resolveFormerHostLink(p *Page, link string, former *formerHost) {
	part := c.World.PartOf(p)
	_, rest, _ := strings.Cut(link, "://"+sitemap.HostOf(link))
	urlPath, ok := part.Base.Path(strings.TrimSuffix(part.Base.String(), "/") + strings.TrimPrefix(rest, former.prefix))
	if !ok {
		return
	}
	loc, err := part.Base.Loc(urlPath)
	if err != nil {
		return
	}
	if target := c.findTarget(p, loc, urlPath); target != nil && target != p {
		c.Canonicals.Targets[p] = target
	}
}

// findLastTarget returns the page at the end of the chain of canonical links that begins at p.
// There must be no cycle. lastTargets is a cache of the results.
func (c *canonicalResolver) findLastTarget(p *Page, lastTargets map[*Page]*Page) *Page {
	if c.Canonicals.Targets[p] == nil {
		return p
	}
	if lastTargets[p] == nil {
		lastTargets[p] = c.findLastTarget(c.Canonicals.Targets[p], lastTargets)
	}
	return lastTargets[p]
}

func (c *canonicalResolver) excludeByCanonical(p *Page) {
	p.Exclusion = &Exclusion{Reason: page.Canonical, Pos: c.World.Pos(p), Text: c.World.otherCanonicalURL(p)}
}

// reportExcludedTarget adds the finding that link, the canonical link of the page p, names a page
// that is left out. file is the file of that page, or other text for the message. why is the reason
// to leave the page out.
func (c *canonicalResolver) reportExcludedTarget(p *Page, link, file string, why page.Reason) {
	c.Findings.Add(diag.Warnf(c.World.Pos(p), "canonical-out", "let the page name its own address, or let the other page be indexable",
		"canonical %s points to %s, which is left out: %s; neither is listed", link, file, why).About(link))
}

// reportSchemeMismatches reports how many canonical links name the site's host with the other
// scheme: http instead of https, or https instead of http. It reports nothing if there are none.
func (c *canonicalResolver) reportSchemeMismatches() {
	if c.schemeMismatches == 0 {
		return
	}
	scheme, rest, _ := strings.Cut(c.World.Options.Base.String(), "://")
	scheme = map[string]string{"https": "http", "http": "https"}[scheme]
	c.Findings.Add(diag.Warnf(diag.Pos{}, "canonical-scheme", "let base_url and the pages' canonical links agree; the base URL that fits is "+scheme+"://"+rest,
		"the canonical of %s begins with %s://, but the base URL is %s; they are listed with the base URL",
		diag.Count(c.schemeMismatches, "page"), scheme, c.World.Options.Base))
}

// checkCanonical evaluates link, the canonical link of the page p, which differs from the URL of p.
// If link names another page of the site, checkCanonical sets Canonicals.Targets[p]. It excludes p
// if link names a foreign host, or a page that pages.include or pages.exclude leaves out. Other
// links have no effect; Canonicals.Ignored counts most of them.
func (c *canonicalResolver) checkCanonical(p *Page, link string) {
	part := c.World.PartOnHost(link)
	if part == nil {
		host := sitemap.HostOf(link)
		if former := c.formerHosts[host]; former != nil {
			c.resolveFormerHostLink(p, link, former)
			return
		}
		c.excludeByCanonical(p)
		return
	}
	if own := part.Base.WithOwnScheme(link); own != link {
		c.schemeMismatches++
		if link = own; link == p.Loc {
			return
		}
	}
	urlPath, below := part.Base.Path(link)
	switch {
	case below:
	case strings.HasPrefix(link, part.Base.String()):
		c.countIgnoredLink(p, "impossible", "no file of the site can have that address")
		return
	default:
		c.Canonicals.Astray = append(c.Canonicals.Astray, p)
		c.countIgnoredLink(p, outsideBase, "it lies outside the base URL "+part.Base.String())
		return
	}
	loc := link
	if len(part.Base.String())-1+len(urlPath) != len(link) { // link contains escapes such as %C3, which may be spelled differently
		loc, _ = part.Base.Loc(urlPath)
	}
	switch target := c.findTarget(p, loc, urlPath); target {
	case nil:
		if c.World.isExcludedURL(part, link) {
			c.excludeByCanonical(p)
			c.reportExcludedTarget(p, link, "a page", page.Excluded)
			return
		}
		c.Canonicals.Astray = append(c.Canonicals.Astray, p)
		c.countIgnoredLink(p, missingPage, "no page of the site has that address")
	case p:
		if loc != p.Loc && c.findPageOrRespelledSelf(p, loc, urlPath) == p {
			c.countIgnoredLink(p, otherSpelling, "the page is served at "+p.Loc)
		}
	default:
		if c.World.redirectsTo(target, p) {
			c.countIgnoredLink(p, "redirect", "it redirects to the page")
			return
		}
		c.Canonicals.Targets[p] = target
	}
}

// findTarget returns the page at loc, the URL in the canonical link of the page p. It returns nil
// if there is no such page. urlPath is the path of loc. A page in a version that is listed under
// another name, such as "stable" for "v2", is replaced by the same page under the listed name, if
// there is one.
func (c *canonicalResolver) findTarget(p *Page, loc, urlPath string) *Page {
	target := c.findPageOrRespelledSelf(p, loc, urlPath)
	if target == nil || target.Reason() != page.Version {
		return target
	}
	loc = c.World.urlUnderListedName(target.Facts.File)
	if listed := c.findByURL(loc, true); loc != "" && listed != nil {
		return listed
	}
	return target
}

// findPageOrRespelledSelf returns the page that the host serves at the URL loc, or at another
// spelling of loc such as /a/ for /a. If there is no such page, but loc is another spelling of the
// URL of the page self, it returns self. Otherwise it returns nil. urlPath is the path of loc.
func (c *canonicalResolver) findPageOrRespelledSelf(self *Page, loc, urlPath string) *Page {
	if t := c.findListedFirst(loc); t != nil {
		return t
	}
	if mapping.SpellingKey(urlPath) == mapping.SpellingKey(c.World.URLPath(self)) {
		return self
	}
	return nil
}

// breakCycles removes one canonical link from each cycle of canonical links, for example if page a
// links to b and b links to a. It removes the link of the page whose URL is first in sorted order,
// so this page stays listed.
func (c *canonicalResolver) breakCycles() {
	met := map[*Page]*Page{} // by page: the start of the walk that reached it first
	for _, start := range c.List {
		p := start
		for ; c.Canonicals.Targets[p] != nil && met[p] == nil; p = c.Canonicals.Targets[p] {
			met[p] = start
		}
		if met[p] == start {
			c.breakCycle(p)
		}
	}
}

// breakCycle reports the cycle of canonical links through p. It removes the link of one page in the
// cycle: the page with the first URL in sorted order.
func (c *canonicalResolver) breakCycle(p *Page) {
	first := p
	for t := c.Canonicals.Targets[p]; t != p; t = c.Canonicals.Targets[t] {
		if t.Loc < first.Loc {
			first = t
		}
	}
	to := c.World.otherCanonicalURL(first)
	c.Findings.Add(diag.Warnf(c.World.Pos(first), "canonical-cycle", "let one of the pages name itself",
		"canonical %s belongs to a cycle; this page is listed, the other pages of the cycle are not", to).About(to))
	delete(c.Canonicals.Targets, first)
}

// Problems of ignored canonical links. If most pages have a link with the problem outsideBase or
// missingPage, the base URL is probably wrong.
const (
	outsideBase   = "outside"  // the link names the site's host, but no URL below the base URL
	missingPage   = "missing"  // no page has the address
	otherSpelling = "spelling" // the link spells the page's own URL differently
)

// countIgnoredLink counts a canonical link of the page p that has no effect. Links with the same
// problem share one finding. why completes the message of the finding, such as "no page of the site
// has that address".
func (c *canonicalResolver) countIgnoredLink(p *Page, problem, why string) {
	c.Canonicals.Ignored.countLink(problem, "", func() diag.Diagnostic {
		to := c.World.otherCanonicalURL(p)
		hint := "let the page name its own address, or the address of the page it copies"
		if problem == otherSpelling {
			hint = "set how addresses end in the generator (trailingSlash of Docusaurus, the builder html of Sphinx), or the site's host in sitemap.yaml"
		}
		return diag.Warnf(c.World.Pos(p), "canonical-ignored", hint,
			"canonical %s is ignored: %s", to, why).About(to)
	})
}

// isExcludedURL reports whether pages.include and pages.exclude leave out the file at the URL loc.
// It guesses the path of the file: a/index.html for /a/, and a.html for /a. It returns false if loc
// is outside the base URL of part, or if the site has no pages tree or the tree has no filter.
func (w *World) isExcludedURL(part *Part, loc string) bool {
	file, ok := part.Base.Path(part.Base.WithOwnScheme(loc))
	if !ok || w.Options.Pages == nil || w.Options.Pages.Filter == nil {
		return false
	}
	switch file = file[1:]; {
	case file == "" || strings.HasSuffix(file, "/"):
		file += "index.html"
	case path.Ext(file) == "":
		file += ".html"
	}
	in, _ := w.Options.Pages.Filter.Decide(part.pathInSite(file))
	return !in
}

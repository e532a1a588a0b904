package site

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"net/http"
	"path"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A MassProblem is one mistake that leaves most pages out of the sitemap, or lists most pages under
// a wrong base URL.
type MassProblem struct {
	Pages     int    // number of affected pages
	Of        int    // number of pages that the cause could have affected
	WrongBase bool   // the pages are listed, but under a wrong base URL
	Hint      string // advice for the user
}

// A massProblemFinder counts the pages of a site by the reason why they are left out. It finds the
// mistakes that affect most pages.
type massProblemFinder struct {
	*linter
	limit         MaxLoss
	countByReason [len(page.Reasons)]int   // number of counted pages by reason, including page.Listed
	firstByReason [len(page.Reasons)]*Page // by reason: the home page if it has the reason, else the first page by file
	of            int                      // number of counted pages; see countPage
	withCanonical int                      // number of counted pages with a canonical link
	causes        []MassProblem
}

// findMassProblems returns and reports the mistakes that affect most pages of the site, or most
// pages with a canonical link. It leaves out a mistake if limit allows so many pages to be missing.
// It also reports canonical links that have no effect for another reason.
func (l *linter) findMassProblems(limit MaxLoss) []MassProblem {
	c := &massProblemFinder{linter: l, limit: limit}
	for p := range l.FilePages() {
		c.countPage(p)
	}
	for _, host := range slices.Sorted(maps.Keys(c.Canonicals.Foreign)) {
		c.addForeignHostProblem(host, c.Canonicals.Foreign[host])
	}
	if c.addWrongBaseProblem(c.Canonicals.Astray) {
		c.Canonicals.Ignored.addFindings(c.findings, outsideBase, missingPage)
	} else {
		c.Canonicals.Ignored.addFindings(c.findings)
	}
	c.addLinkPrefixProblem()
	c.addSameCanonicalProblem()
	for reason, hint := range massProblemHints {
		if hint != "" {
			c.addReasonProblem(page.Reason(reason), hint)
		}
	}
	return c.causes
}

// countPage counts the page p if it is listed, or if it is left out for a reason that one mistake
// can give to many pages. It does not count pages that an author leaves out one by one, such as
// drafts and pages that are redirects themselves, or pages of versions that are not listed. It
// counts pages that a rule of the host redirects.
func (m *massProblemFinder) countPage(p *Page) {
	switch reason := p.Reason(); {
	case reason == page.Listed, reason == page.Canonical, reason == page.Duplicate:
	case reason == page.Redirect && p.Facts.OwnReason == page.Redirect:
		return // the page itself is a redirect
	case massProblemHints[reason] == "":
		return
	}
	if !p.Listed() && versionExclusion(m.World, p, nil) != nil {
		return
	}
	m.of++
	if p.Facts.HasCanonical() {
		m.withCanonical++
	}
	m.countByReason[p.Reason()]++
	if first := m.firstByReason[p.Reason()]; first == nil || isHomePage(p) && !isHomePage(first) {
		m.firstByReason[p.Reason()] = p
	}
}

func isHomePage(p *Page) bool { return p.Facts.Path == "/" }

// isMajority reports whether n pages are most of the counted pages: at least 2, more than half, and
// more than m.limit allows to be missing.
func (m *massProblemFinder) isMajority(n int) bool {
	return n > 1 && n > max(m.of/2, m.limit.Limit(m.of, 0))
}

// minCanonicals is the minimum number of canonical links that can reveal a wrong base URL on a site
// where most pages have none. One or two links may belong to articles that another site published
// first.
const minCanonicals = 3

// isMajorityOrCanonicalMajority reports whether n pages are most of the counted pages, or most of
// the counted pages with a canonical link. In the second case, n must be at least minCanonicals.
// The result is false if m.limit allows n pages to be missing.
func (m *massProblemFinder) isMajorityOrCanonicalMajority(n int) bool {
	return m.isMajority(n) || n >= minCanonicals && 2*n > m.withCanonical && n > m.limit.Limit(m.of, 0)
}

func (m *massProblemFinder) addProblem(pos diag.Pos, n int, wrongBase bool, code, subject, hint, message string) {
	m.causes = append(m.causes, MassProblem{Pages: n, Of: m.of, WrongBase: wrongBase, Hint: hint})
	m.findings.Add(diag.Diagnostic{
		Pos: pos, Severity: diag.Warning, Code: code, Subject: subject, Hint: hint,
		Message: fmt.Sprintf("%d of %d pages %s", n, m.of, message),
	})
}

// addForeignHostProblem adds a problem if the canonical links of most pages name the given host,
// which does not belong to the site. If a base URL on this host fits these links, it is enough that
// most pages with a canonical link name the host. pages are the pages that name the host.
func (m *massProblemFinder) addForeignHostProblem(host string, pages []*Page) {
	fit := m.World.findBaseFit(pages)
	if !m.isMajority(len(pages)) && (fit.Base == "" || !m.isMajorityOrCanonicalMajority(len(pages))) {
		return
	}
	hint := "if that is the site's host, write it as base_url"
	if fit.Base != "" {
		hint = baseFitHint(fit)
	}
	m.addProblem(diag.Pos{}, len(pages), false, "canonical-host", host, hint,
		fmt.Sprintf("name a canonical on %s, but the base URL is %s; they are left out", host, m.o.Base))
}

// addWrongBaseProblem adds a problem, and returns true, if another base URL or another publish
// directory fits most of the canonical links of astray. astray contains the pages whose canonical
// links name no page of the site. It must contain most pages of the site, or most pages with a
// canonical link. Otherwise addWrongBaseProblem returns false.
func (m *massProblemFinder) addWrongBaseProblem(astray []*Page) (added bool) {
	if !m.isMajorityOrCanonicalMajority(len(astray)) {
		return false
	}
	fit := m.World.findBaseFit(astray)
	if fit.Base == "" {
		return false
	}
	fits := fit.Base
	if fit.Dir != "" {
		fits = "the folder " + fit.Dir + " at " + fit.Base
	}
	m.addProblem(diag.Pos{}, len(astray), true, "canonical-base", fit.Base, baseFitHint(fit), fmt.Sprintf(
		"name a canonical that fits %s, but the base URL is %s", fits, m.o.Base))
	return true
}

// addSameCanonicalProblem adds a problem if most pages name the same page in their canonical links.
func (m *massProblemFinder) addSameCanonicalProblem() {
	if !m.isMajority(len(m.Canonicals.Targets)) {
		return
	}
	votes := map[*Page]int{}
	var top *Page
	for _, to := range m.Canonicals.Targets {
		if votes[to]++; top == nil || votes[to] > votes[top] || votes[to] == votes[top] && to.Facts.File < top.Facts.File {
			top = to
		}
	}
	if n := votes[top]; m.isMajority(n) {
		m.addProblem(m.World.Pos(m.firstByReason[page.Canonical]), n, false, "most-left-out", page.Canonical.String(),
			"let the layout give each page its own address", "name the same canonical, "+top.Loc+", and are left out")
	}
}

// addReasonProblem adds a problem if most counted pages are left out for the given reason. A site
// may intend this, for example with noindex for tag pages. Therefore, addReasonProblem requires
// that the home page, or more than 90 % of the counted pages, are left out for this reason. This
// requirement does not apply to unreadable and broken files.
func (m *massProblemFinder) addReasonProblem(reason page.Reason, hint string) {
	n, first := m.countByReason[reason], m.firstByReason[reason]
	fault := reason == page.Unreadable || reason == page.Broken
	if !m.isMajority(n) || !fault && !isHomePage(first) && 10*n <= 9*m.of {
		return
	}
	text := ""
	if first.Exclusion.Text != "" {
		text = ": " + first.Exclusion.Text
	}
	m.addProblem(first.Exclusion.Pos, n, false, "most-left-out", reason.String(), hint,
		"are left out ("+reason.String()+": "+page.Reasons[reason].Text+text+")")
}

// massProblemHints contains advice for the user on each reason that one mistake can give to many
// pages. It contains "" for the other reasons, such as page.Draft; TestMassProblemHints lists them.
// It also contains "" for page.Canonical and page.Duplicate, which countPage counts without advice.
var massProblemHints = [len(page.Reasons)]string{
	page.NoIndex:    "remove the noindex from the layout, or from the host's headers, before the site is published",
	page.Robots:     "let robots.txt allow the pages; obey_robots: false ignores it",
	page.Redirect:   "is the rule meant for another domain? the host sends every visitor away",
	page.NotServed:  "is the rule meant for so many pages? no visitor gets them",
	page.Unreadable: "give the owner or the group of the files the right to read them",
	page.Broken:     "build the site again; was the disk full, or the build stopped?",
}

// baseFitHint returns advice for the user to set the base URL of f. If f.Dir is not "", the advice
// contains the command to build this folder.
func baseFitHint(f baseFit) string {
	if f.Dir != "" {
		return fmt.Sprintf("if that is the site: sitewalk build %s -b %s", f.Dir, f.Base)
	}
	return "the base URL that fits is " + f.Base + ": give it with -b, or as base_url in sitemap.yaml"
}

// A baseFit is a base URL that fits the canonical links of some pages. If the folder Dir of the
// publish directory were published at Base, these pages would have the URLs that their links name.
// Dir is "" for the publish directory itself.
type baseFit struct{ Base, Dir string }

// findBaseFit returns the baseFit with which most of the pages would have the URLs that their
// canonical links name. It returns the zero baseFit if there is none. Dir is spelled as the user
// would type it.
func (w *World) findBaseFit(pages []*Page) (best baseFit) {
	votes := map[baseFit]int{}
	for _, p := range pages {
		if f, ok := w.PartOf(p).fitBaseToPage(p.File(), w.otherCanonicalURL(p)); ok {
			votes[f]++
			if cmp.Or(votes[f]-votes[best], strings.Compare(best.Base, f.Base), strings.Compare(best.Dir, f.Dir)) > 0 {
				best = f
			}
		}
	}
	if 2*votes[best] <= len(pages) {
		return baseFit{}
	}
	if best.Dir != "" {
		best.Dir = path.Join(w.Options.Pages.Name, best.Dir)
	}
	return best
}

// maxFolders is the maximum number of folders that fitBaseToPage tries: the publish directory, and
// then the folders on the path to the page, from the top.
const maxFolders = 4

// fitBaseToPage returns the base URL and the folder with which the page in pageFile would have the
// URL canonical. For the file a/b.html and https://example.com/docs/b, these are
// https://example.com/docs/ and "a". ok is false if canonical does not end like the path of the
// page.
func (part *Part) fitBaseToPage(pageFile, canonical string) (fit baseFit, ok bool) {
	file, _ := part.Below(pageFile)
	dir := ""
	for range maxFolders {
		for e := mapping.Slashed; e > mapping.NoEnding; e-- {
			loc, err := part.Base.Loc(e.Style().URLPath(file))
			if err != nil {
				continue
			}
			end := loc[len(part.Base.String())-1:]
			if base, ok := strings.CutSuffix(canonical, end); ok && end != "/" && strings.Count(base, "//") == 1 {
				b, err := mapping.ParseBase(base + "/")
				return baseFit{b.String(), dir}, err == nil
			}
		}
		top, rest, ok := strings.Cut(file, "/")
		if !ok {
			break
		}
		dir, file = path.Join(dir, top), rest
	}
	return baseFit{}, false
}

// A linkPrefix is a folder such as "/project/" with which most links of the home page begin,
// although the site has no such folder. The base URL then probably lacks the folder.
type linkPrefix struct {
	folder    string // "" if there is no such folder
	links, of int    // number of links with the folder, and number of all links of the home page
}

// minPrefixed is the minimum number of links of the home page that reveal a missing folder in the
// base URL.
const minPrefixed = 3

// findLinkPrefix sets w.linkPrefix if most links of the home page begin with a folder that the base
// URL seems to lack. It reads the home page only if the base URL has no path and the home page has
// no canonical link.
func (w *World) findLinkPrefix(ctx context.Context) error {
	part := &w.Parts[0]
	i, ok := findPageFacts(w.pages, "index.html")
	if !ok || part.Base.Prefix() != "/" {
		return nil
	}
	home := w.pages[i]
	if home.OwnReason != page.Listed || home.HasCanonical() {
		return nil
	}
	paths, err := w.Facts.LinkPaths(ctx, home)
	if err != nil {
		return err
	}
	counts := map[string]int{}
	for _, urlPath := range paths {
		if folder, _, ok := strings.Cut(urlPath[1:], "/"); ok && part.isServedOnlyWithoutFolder("/"+folder+"/", urlPath) {
			counts["/"+folder+"/"]++
		}
	}
	for folder, n := range counts {
		if n >= minPrefixed && 2*n > len(paths) && !w.hasFolder(folder) {
			w.linkPrefix = linkPrefix{folder, n, len(paths)}
		}
	}
	return nil
}

// isServedOnlyWithoutFolder reports whether the host serves nothing at urlPath, but would serve a
// page if folder were removed from urlPath. An example is urlPath "/project/a/" and folder
// "/project/", if there is only a page /a/. The base URL then probably lacks the folder.
func (part *Part) isServedOnlyWithoutFolder(folder, urlPath string) bool {
	v := part.Hosting.Answer(urlPath, part.Exists)
	return v.Status == http.StatusNotFound && v.Pos.File == "" && part.FileAt(urlPath, true) == "" && part.FileAt("/"+strings.TrimPrefix(urlPath, folder), false) != ""
}

// hasFolder reports whether a page file is in folder, such as "/project/".
func (w *World) hasFolder(folder string) bool {
	i, _ := findPageFacts(w.pages, folder[1:])
	return i < len(w.pages) && strings.HasPrefix(w.pages[i].File, folder[1:])
}

// addLinkPrefixProblem adds a problem if most links of the home page begin with a folder that the
// base URL lacks; see findLinkPrefix. It adds nothing if m.limit allows all pages to be missing.
func (m *massProblemFinder) addLinkPrefixProblem() {
	l := m.World.linkPrefix
	if l.folder == "" || m.of <= m.limit.Limit(m.of, 0) {
		return
	}
	fit := baseFit{Base: strings.TrimSuffix(m.o.Base.String(), "/") + l.folder}
	home := m.Page("index.html")
	m.causes = append(m.causes, MassProblem{Pages: m.of, Of: m.of, WrongBase: true, Hint: baseFitHint(fit)})
	m.findings.Add(diag.Warnf(m.World.Pos(home), "canonical-base", baseFitHint(fit),
		"%d of %s begin with %s, a folder that the site lacks, and fit %s, but the base URL is %s",
		l.links, diag.Count(l.of, "link"), l.folder, fit.Base, m.o.Base).About(fit.Base))
}

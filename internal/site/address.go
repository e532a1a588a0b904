package site

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// The URL of a page is decided in three steps:
//
//  1. Package facts sets the usual address of the file, which follows from the style of the host.
//  2. chooseAddresses replaces the address if the site itself uses another one. A host may serve
//     one file at several addresses, such as /a.html and /a, or /a/ and /a/index.html.
//  3. assignURLs replaces the URL if a rule sets another one.

// evidence is the reason to choose one of the addresses of a page, such as its canonical link.
type evidence uint8

// Evidence that the site uses an address, the strongest first. It counts only if the settings
// urls.html and urls.slash allow the address, and the host serves the page there.
const (
	bySitemap           evidence = iota // the URL in another tool's sitemap
	byCanonical                         // the ending of the canonical link
	byCanonicalSpelling                 // the whole spelling of the canonical link, if no Ending describes it
	byOpenGraph                         // og:url of the page
	byGenerator                         // the address that the generator writes
	byLinks                             // most links of the site to files of the same form; see fileForms
)

// The reasons for the address of a page if no other evidence counts.
const (
	bySettings = byLinks + 1 + iota // the usual address; the user's settings determine its form
	byName                          // the usual address; it follows from the file name and the host
	byHost                          // another address, because the host or robots.txt blocks the usual address
)

// chooseAddresses sets the address of each page to the one that the site itself uses. For example,
// it changes /a.html to /a if the links of the site name /a.
func (w *World) chooseAddresses() {
	w.indexInputSitemap()
	w.findCommonCanonicalEndings()
	pages := make([]*facts.Page, len(w.pages))
	files.ParallelEach(len(pages), func(i int) { pages[i] = w.chooseAddress(w.pages[i], w.pairs[i]) })
	w.pages = pages
}

// findCommonCanonicalEndings sets Part.canonicalEndings for parts whose host is guessed from
// .nojekyll. For each of the fileForms, its value is the ending, such as .html, of the canonical
// links in files of this form. Only links of pages to themselves count. Translations of the home page
// do not count: like the home page, they have a slash in any style. If the links have different
// endings, or if there are none, the value is NoEnding.
func (w *World) findCommonCanonicalEndings() {
	var mixed [256][len(fileForms)]bool // by part and form: some endings differ
	for _, f := range w.pages {
		part := &w.Parts[f.Part]
		file, _ := part.Below(f.File)
		form, several := fileForm(file)
		if !several || f.CanonicalEnding == mapping.NoEnding || !part.Hosting.HasOnlyWeakEvidence() {
			continue
		}
		if slices.ContainsFunc(f.Rare().Alternates, func(a sitemap.Alternate) bool { return a.Href == part.Base.String() }) {
			continue
		}
		switch common := &part.canonicalEndings[form]; {
		case mixed[f.Part][form]:
		case *common == mapping.NoEnding:
			*common = f.CanonicalEnding
		case *common != f.CanonicalEnding:
			*common, mixed[f.Part][form] = mapping.NoEnding, true
		}
	}
}

// indexInputSitemap sets w.fromIndex, which maps each URL in another tool's sitemap to the index of
// its first entry in Options.From.
func (w *World) indexInputSitemap() {
	if w.Options.From == nil {
		return
	}
	w.fromIndex = make(map[string]int, len(w.Options.From))
	for i, x := range w.Options.From {
		loc, err := w.entryURL(x)
		if _, again := w.fromIndex[loc]; err == nil && !again {
			w.fromIndex[loc] = i
		}
	}
}

// chooseAddress returns f if its address is already the one that the site uses. Otherwise it
// returns a copy of f with that address. src is the content file, or nil.
func (w *World) chooseAddress(f *facts.Page, src *ContentFile) *facts.Page {
	part := &w.Parts[f.Part]
	e, by := w.chooseEnding(f, src)
	if e == f.Ending {
		return f
	}
	file, _ := part.Below(f.File)
	urlPath, loc, err := part.Base.FileURL(e.Style(), file)
	switch {
	case by == byCanonicalSpelling:
		loc = part.Base.WithOwnScheme(f.Rare().Canonical)
		urlPath, _ = part.Base.Path(loc)
	case err != nil:
		return f
	}
	moved := *f
	moved.Path, moved.FileLoc, moved.Ending = urlPath, loc, e
	return &moved
}

// chooseEnding returns the ending of the URL that the site uses for a page, such as .html or a
// slash, and the evidence for it. With byCanonicalSpelling, the ending is NoEnding.
//
// To save memory, World does not store the evidence. HasArbitraryEnding and ExplainURL call
// chooseEnding again for single pages, with the same result.
func (w *World) chooseEnding(f *facts.Page, src *ContentFile) (mapping.Ending, evidence) {
	part := &w.Parts[f.Part]
	generated := w.Mapping.PageEnding(f.File)
	if src != nil {
		generated = src.ending
	}
	file, _ := part.Below(f.File)
	usual := part.Style.Ending(file)
	fits := func(e mapping.Ending) bool {
		return e != mapping.NoEnding && part.allowsEnding(file, usual, e) && w.isServedWithEnding(f, file, e, e == usual)
	}
	claims := [...]struct {
		by evidence
		e  mapping.Ending
	}{
		{bySitemap, w.endingInSitemap(part, file, fits)},
		{byCanonical, f.CanonicalEnding},
		{byOpenGraph, f.OGEnding},
		{byGenerator, generated},
		{byLinks, part.linkedEnding(file)},
	}
	for _, c := range claims {
		if fits(c.e) {
			return c.e, c.by
		}
		if c.by == byCanonical && w.hasUnusualCanonicalSpelling(f) {
			return mapping.NoEnding, byCanonicalSpelling
		}
	}
	if part.overrides.HTML || part.overrides.Slash {
		return usual, bySettings
	}
	if w.isServedWithEnding(f, file, usual, true) {
		return usual, byName
	}
	if e := w.unblockedEnding(f, file, usual); e != mapping.NoEnding {
		return e, byHost
	}
	return usual, byName
}

// unblockedEnding returns an ending other than usual with which a known host serves file. It
// returns NoEnding if there is none. chooseEnding calls it if the host or robots.txt blocks the
// address with the ending usual.
//
// /a/index.html replaces /a/ only if the host redirects /a/ to another spelling of /a/. Otherwise
// the page keeps the address /a/, so that hostRuleExclusion or another check leaves the page out.
// For a page at /a/index.html, these checks do not ask about /a/; see otherAddresses.
func (w *World) unblockedEnding(f *facts.Page, file string, usual mapping.Ending) mapping.Ending {
	part := &w.Parts[f.Part]
	if !part.Hosting.IsKnown() {
		return mapping.NoEnding
	}
	usualPath := usual.Style().URLPath(file)
	for e := mapping.FileName; e <= mapping.Slashed; e++ {
		if e == usual || !w.isServedWithEnding(f, file, e, false) {
			continue
		}
		if isIndexFile(file) && e == mapping.FileName && !part.redirectsToOtherSpelling(usualPath) {
			continue
		}
		return e
	}
	return mapping.NoEnding
}

// redirectsToOtherSpelling reports whether a rule of the host redirects urlPath to another spelling
// of urlPath, such as /a/ to /a.
func (part *Part) redirectsToOtherSpelling(urlPath string) bool {
	v, overridden := part.Hosting.OverridingRule(urlPath, part.Exists)
	return overridden && mapping.SpellingKey(v.To) == mapping.SpellingKey(urlPath)
}

// allowsEnding reports whether the settings urls.html and urls.slash allow the address of file with
// the ending e, such as .html. usual is the ending that follows from the settings.
func (part *Part) allowsEnding(file string, usual, e mapping.Ending) bool {
	switch {
	case e == usual:
		return true
	case isIndexFile(file):
		return !part.overrides.Slash && (usual != mapping.FileName || !part.overrides.HTML || file == "index.html")
	case part.overrides.HTML && (e == mapping.FileName) != (usual == mapping.FileName):
		return false
	}
	return !part.overrides.Slash || e == mapping.FileName || usual == mapping.FileName
}

// isServedWithEnding reports whether the host serves file at its address with the ending e, and
// crawlers may read it there. If isUsual is set, e is the usual ending: every host serves this
// address unless a rule of the host prevents that.
func (w *World) isServedWithEnding(f *facts.Page, file string, e mapping.Ending, isUsual bool) bool {
	part := &w.Parts[f.Part]
	urlPath := f.Path
	if e != f.Ending {
		urlPath = e.Style().URLPath(file)
	}
	_, effect := w.blockingRule(part, urlPath)
	return effect == "" && (isUsual || w.isServedAt(part, file, urlPath))
}

// blockingRule returns the rule of the host that keeps crawlers from reading urlPath, and what the
// rule does, such as "hides". effect is "" if there is no such rule. A rule of robots.txt counts
// only if Options.ObeyRobots is set. blockingRule does not check that there is a file.
func (w *World) blockingRule(part *Part, urlPath string) (rule hosting.Answer, effect string) {
	if v, overridden := part.Hosting.OverridingRule(urlPath, part.Exists); overridden {
		return v, "overrides"
	}
	if v, hidden := part.Hosting.NoIndexRule(urlPath); hidden {
		return v, "hides"
	}
	if v, disallowed := part.Hosting.DisallowRule(urlPath); disallowed && w.Options.ObeyRobots {
		return v, "disallows"
	}
	return hosting.Answer{}, ""
}

// describeRule returns text that names the host's rule in v: its position, such as "_redirects:3",
// or the name of the host if the position is unknown.
func (part *Part) describeRule(v hosting.Answer) string {
	if v.Pos.File == "" {
		return part.describeHost()
	}
	return v.Pos.String()
}

// isServedAt reports whether the host serves file at urlPath. For an unknown host, it returns true
// unless another file is more likely at urlPath; see likelyFile. A host guessed from .nojekyll
// counts as unknown if the canonical links of files of the same form end like urlPath; see
// canonicalEndings.
func (w *World) isServedAt(part *Part, file, urlPath string) bool {
	form, _ := fileForm(file)
	agreed := part.canonicalEndings[form] != mapping.NoEnding && mapping.EndingOf(file, urlPath) == part.canonicalEndings[form]
	if part.Hosting.IsKnown() && !agreed {
		served, ok := part.Hosting.ServedFile(urlPath, part.Exists)
		return ok && served == file
	}
	likely := part.likelyFile(urlPath)
	return likely == "" || likely == file
}

// hasUnusualCanonicalSpelling reports whether the page's canonical link spells the page's own
// address in a way that no Ending describes, for example in upper case. The host must serve the
// page at this address. The result is false if the user set urls.html or urls.slash.
func (w *World) hasUnusualCanonicalSpelling(f *facts.Page) bool {
	if f.CanonicalEnding != mapping.NoEnding || f.Rare().Canonical == "" {
		return false
	}
	part := &w.Parts[f.Part]
	file, _ := part.Below(f.File)
	urlPath, below := part.Base.Path(part.Base.WithOwnScheme(f.Rare().Canonical))
	if !below || mapping.SpellingKey(urlPath) != mapping.SpellingKey(f.Path) || !canServeAt(file, urlPath) || part.overrides.HTML || part.overrides.Slash {
		return false
	}
	_, effect := w.blockingRule(part, urlPath)
	return effect == "" && w.isServedAt(part, file, urlPath)
}

// canServeAt reports whether file may be served at urlPath, another spelling of its address. The
// result is false for a/index.html at /a.html and for a.html at /a/index.html, because these are
// the addresses of other files.
func canServeAt(file, urlPath string) bool {
	low := strings.ToLower(urlPath)
	if isIndexFile(file) {
		return !strings.HasSuffix(low, ".html") || isIndexFile(low[1:])
	}
	return !isIndexFile(low[1:])
}

// endingInSitemap returns the ending, such as .html, of the URL under which another tool's sitemap
// lists file. It ignores endings for which fits returns false. If there are several such URLs, the
// first in the sitemap is used. endingInSitemap returns NoEnding if there is none.
func (w *World) endingInSitemap(part *Part, file string, fits func(mapping.Ending) bool) (first mapping.Ending) {
	if w.fromIndex == nil {
		return mapping.NoEnding
	}
	best := math.MaxInt
	for e := mapping.FileName; e <= mapping.Slashed; e++ {
		loc, err := part.Base.Loc(e.Style().URLPath(file))
		if place, ok := w.fromIndex[loc]; ok && err == nil && place < best && fits(e) {
			first, best = e, place
		}
	}
	return first
}

// HasArbitraryEnding reports whether the ending of the page's URL is only a default: it follows
// from the file name and the usual style of the host. There is no other evidence for it, such as a
// setting, a canonical link or a link in another page.
func (w *World) HasArbitraryEnding(p *Page) bool {
	_, by := w.chooseEnding(p.Facts, p.Content)
	return by == byName
}

// linkedEnding returns the ending, such as .html, of most links in the part to files of the same
// form as file; see fileForms. It returns NoEnding if this ending is unknown.
func (part *Part) linkedEnding(file string) mapping.Ending {
	form, several := fileForm(file)
	if !several {
		return mapping.NoEnding
	}
	return part.linkStyles[form].Ending
}

// assignURLs sets the URL of each page. This is the URL that a rule sets, or else the URL that
// follows from the page's file. If the URL of a rule is invalid, assignURLs reports the rule and
// excludes the page. It also excludes a page whose URL is outside the base URL.
func (r *Result) assignURLs() {
	for i := range r.pages {
		p := &r.pages[i]
		p.Loc = p.Facts.FileLoc
		if !p.hasGivenURL() {
			continue
		}
		part := r.World.PartOf(p)
		loc, err := part.ResolveURL(p.Rules.URL.Loc)
		if err != nil {
			r.reportInvalidRuleURL(p, err)
			p.Exclusion = &Exclusion{Reason: page.InvalidURL, Pos: r.World.Pos(p)}
			continue
		}
		p.Loc = loc
		if _, ok := part.Base.Path(loc); !ok {
			p.Exclusion = &Exclusion{Reason: page.OutOfScope, Pos: r.World.Pos(p)}
		}
	}
}

// reportInvalidRuleURL reports that a rule sets an invalid URL for the page p. err tells what is
// wrong with the URL.
func (r *Result) reportInvalidRuleURL(p *Page, err error) {
	loc, pos := p.Rules.URL.Loc, diag.Pos{}
	for _, rule := range p.Rules.Matching { // the last rule with a URL wins
		if rule.Set.Loc != "" {
			pos = rule.Pos
		}
	}
	r.Findings.Add(diag.Errorf(pos, "invalid-url", "give the rule a path below the base URL", "url %q: %v", loc, err).About(loc))
}

// URLPath returns the path of the page's URL below the base URL of its part, such as "/a/", without
// a query. It returns "/" if the URL is outside the base URL, or if no file can have its path.
func (w *World) URLPath(p *Page) string {
	if !p.hasGivenURL() {
		return p.Facts.Path
	}
	loc, _, _ := strings.Cut(p.Loc, "?")
	urlPath, ok := w.PartOf(p).Base.Path(loc)
	if !ok {
		return "/"
	}
	return urlPath
}

// otherAddresses returns the other URL paths at which the host serves the page's file, such as /a
// for /a.html, and /a.html for /a. For a page at /a, it returns /a/ only if the style of the part
// prefers /a/, and the canonical link of the page does not name /a. For a page at /a/, it returns
// /a under the same conditions.
//
// otherAddresses returns nil if the page has no file, if a rule sets its URL, or if the host has no
// rules. It also returns nil if the host does not serve addresses with the ending of the page's
// URL.
func (w *World) otherAddresses(p *Page) (all []string) {
	part, f := w.PartOf(p), p.Facts
	if p.hasGivenURL() || !part.Hosting.HasRules() {
		return nil
	}
	file, _ := part.Below(f.File)
	form, several := fileForm(file)
	if !several || f.Ending == mapping.NoEnding || !slices.Contains(part.endings[form], f.Ending) {
		return nil
	}
	usual := part.Style.Ending(file)
	for _, e := range part.endings[form] {
		named := e == mapping.FileName && f.Ending == mapping.Bare || e == mapping.Bare && f.Ending == mapping.FileName
		slash := e == usual && e != mapping.FileName && f.Ending != mapping.FileName && f.CanonicalEnding != f.Ending
		if e != f.Ending && (named || slash) {
			all = append(all, e.Style().URLPath(file))
		}
	}
	return all
}

// ExplainURL explains to the user why the page has its URL, such as "ends as the page's canonical
// link does".
func (w *World) ExplainURL(p *Page) string {
	f, part := p.Facts, w.PartOf(p)
	file, _ := part.Below(f.File)
	form, _ := fileForm(file)
	_, by := w.chooseEnding(f, p.Content)
	if by == byHost {
		usual := part.Style.URLPath(file)
		rule, effect := w.blockingRule(part, usual)
		return "from the path " + f.File + "; " + part.describeRule(rule) + " " + effect + " " + strings.TrimSuffix(part.Base.Prefix(), "/") + usual
	}
	return [...]string{
		bySitemap:           "spelled as the sitemaps that --from names list it",
		byCanonical:         "ends as the page's canonical link does", // the percent-encoding may differ
		byCanonicalSpelling: "spelled as the page's canonical link does",
		byOpenGraph:         "spelled as the page's og:url does",
		byGenerator:         "spelled as the generator writes it for " + cmp.Or(w.ContentPos(p).File, f.File),
		byLinks:             "spelled as the site's own links are: " + part.linkStyles[form].String(),
		bySettings:          "from the path " + f.File + ", as urls in the configuration says",
		byName:              "from the path " + f.File + " as " + part.describeHost() + " serves it",
	}[by]
}

package site

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
)

// A host may serve one file at several addresses: /a.html and /a, /a/ and
// /a/index.html. Only one of them is listed, the one that the site itself uses.

// An evidence is the reason for an address, the strongest first.
type evidence uint8

const (
	bySettings evidence = iota
	bySitemap
	byCanonical
	byOpenGraph
	byGenerator
	byLinks
	byName
	byHost // another one is meant first, but the host leads away from it or hides it, or robots.txt disallows it
)

// spellPages gives every page the address that the site itself uses.
func (w *World) spellPages() {
	w.indexFrom()
	w.findAgreedEndings()
	pages := make([]*facts.Page, len(w.pages))
	files.ParallelEach(len(pages), func(i int) { pages[i] = w.spell(w.pages[i], w.pairs[i]) })
	w.pages = pages
}

// findAgreedEndings finds for parts whose host is only guessed the ending that all canonical links
// of the part's pages have.
func (w *World) findAgreedEndings() {
	var mixed [256][len(fileKinds)]bool
	for _, f := range w.pages {
		p := &w.Parts[f.Part]
		file, _ := p.Below(f.File)
		k, several := fileKind(file)
		if !several || f.Says == mapping.AnyEnding || !p.Host.IsGuessed() {
			continue
		}
		mixed[f.Part][k] = mixed[f.Part][k] || p.agreed[k] != mapping.AnyEnding && p.agreed[k] != f.Says
		p.agreed[k] = f.Says
		if mixed[f.Part][k] {
			p.agreed[k] = mapping.AnyEnding
		}
	}
}

// indexFrom records the URLs of Options.From, which are listed as they are written.
func (w *World) indexFrom() {
	if w.Options.From == nil {
		return
	}
	w.given = make(map[string]int, len(w.Options.From))
	for i, x := range w.Options.From {
		loc, err := w.entryURL(x)
		if _, again := w.given[loc]; err == nil && !again {
			w.given[loc] = i
		}
	}
}

// spell returns the page f of the content file src, which may be nil, at the address that the
// site uses. It returns f itself if f already has this address, and a copy otherwise.
func (w *World) spell(f *facts.Page, src *ContentFile) *facts.Page {
	p := &w.Parts[f.Part]
	e, _ := w.ending(f, src)
	if e == mapping.AnyEnding { // the canonical link has a spelling of its own
		loc := p.Base.OwnScheme(f.Rest.Canonical)
		urlPath, _ := p.Base.Path(loc)
		return f.Moved(urlPath, loc, e)
	}
	if e == f.Ending {
		return f
	}
	file, _ := p.Below(f.File)
	urlPath, loc, err := p.Base.Place(e.Style(), file)
	if err != nil {
		return f
	}
	return f.Moved(urlPath, loc, e)
}

// ending returns how the URL of a page ends, and the evidence for it. It returns AnyEnding if
// the page's canonical link has a spelling that no file can have.
func (w *World) ending(f *facts.Page, src *ContentFile) (mapping.Ending, evidence) {
	p := &w.Parts[f.Part]
	generated := mapping.AnyEnding
	if src != nil {
		generated = src.ending
	}
	file, _ := p.Below(f.File)
	usual := p.Style.Ending(file)
	fits := func(e mapping.Ending) bool {
		return e != mapping.AnyEnding && p.allows(file, usual, e) && w.answers(f, file, e, e == usual)
	}
	claims := [...]struct {
		by evidence
		e  mapping.Ending
	}{
		{bySitemap, w.entryEnding(p, file, fits)},
		{byCanonical, f.Says},
		{byOpenGraph, f.OG},
		{byGenerator, generated},
		{byLinks, p.linkedEnding(file)},
	}
	for _, c := range claims {
		if fits(c.e) {
			return c.e, c.by
		}
		if c.by == byCanonical && w.spelledOddly(f) {
			return mapping.AnyEnding, byCanonical
		}
	}
	by := byName
	if p.overrides.HTML || p.overrides.Slash {
		by = bySettings
	}
	if by == bySettings || w.answers(f, file, usual, true) {
		return usual, by
	}
	for e := mapping.FileName; e <= mapping.Slashed; e++ {
		if e != usual && p.Host.IsKnown() && w.answers(f, file, e, false) && w.stays(f, file, e) {
			return e, byHost
		}
	}
	return usual, byName
}

// stays reports whether a page whose usual address leads away or is hidden is still meant to
// be found at another one. The index.html of a folder is not, unless the folder leads to it.
func (w *World) stays(f *facts.Page, file string, e mapping.Ending) bool {
	p := &w.Parts[f.Part]
	if !isIndexFile(file) || e != mapping.FileName {
		return true
	}
	usual := p.Style.Ending(file).Style().URLPath(file)
	v, leads := p.Host.Redirect(usual, p.Exists)
	return leads && mapping.Spelling(v.To) == mapping.Spelling(usual)
}

// allows reports whether an ending is within what the configuration's urls say.
func (p *Part) allows(file string, usual, e mapping.Ending) bool {
	switch {
	case e == usual:
		return true
	case isIndexFile(file):
		return !p.overrides.Slash
	case p.overrides.HTML && (e == mapping.FileName) != (usual == mapping.FileName):
		return false
	}
	return !p.overrides.Slash || e == mapping.FileName || usual == mapping.FileName
}

// answers reports whether the host answers the address of a file that ends so
// with that file, for crawlers too. An unknown host is taken at the word of the
// site, unless another page is there, and every host serves a file as it shapes
// URLs, unless a rule says otherwise.
func (w *World) answers(f *facts.Page, file string, e mapping.Ending, usual bool) bool {
	p := &w.Parts[f.Part]
	urlPath := f.Path
	if e != f.Ending {
		urlPath = e.Style().URLPath(file)
	}
	return w.isOpen(p, urlPath) && (usual || w.serves(p, file, urlPath))
}

// isOpen reports whether nothing leads away from an address or hides it.
func (w *World) isOpen(p *Part, urlPath string) bool {
	_, leads := p.Host.Redirect(urlPath, p.Exists)
	_, hidden := p.Host.NoIndexRule(urlPath)
	_, disallowed := p.Host.DisallowRule(urlPath)
	return !leads && !hidden && !(disallowed && w.Options.ObeyRobots)
}

// whyClosed explains why an address is not open.
func (p *Part) whyClosed(urlPath string) string {
	at := strings.TrimSuffix(p.Base.Prefix(), "/") + urlPath
	if v, leads := p.Host.Redirect(urlPath, p.Exists); leads {
		return p.rule(v) + " leads away from " + at
	}
	if v, hidden := p.Host.NoIndexRule(urlPath); hidden {
		return p.rule(v) + " hides " + at
	}
	v, _ := p.Host.DisallowRule(urlPath)
	return p.rule(v) + " disallows " + at
}

// rule returns the place of a rule, or the name of the host that has it without one.
func (p *Part) rule(v hosting.Verdict) string {
	if v.Pos.File == "" {
		return p.hostName()
	}
	return v.Pos.String()
}

// serves reports whether urlPath is an address of file. If the host is only guessed, an address
// with the ending that all canonical links have is one.
func (w *World) serves(p *Part, file, urlPath string) bool {
	k, _ := fileKind(file)
	agreed := p.agreed[k] != mapping.AnyEnding && mapping.EndingOf(file, urlPath) == p.agreed[k]
	if p.Host.IsKnown() && !agreed {
		served, ok := p.Host.Serves(urlPath, p.Exists)
		return ok && served == file
	}
	for _, other := range []string{urlPath[1:], urlPath[1:] + "index.html", urlPath[1:] + ".html"} {
		if other != file && p.Exists(other) {
			return false
		}
	}
	return true
}

// spelledOddly reports whether the page's canonical link is the page's own
// address in another spelling than those that a file has: in other letters.
func (w *World) spelledOddly(f *facts.Page) bool {
	if f.Says != mapping.AnyEnding || f.Rest == nil || f.Rest.Canonical == "" {
		return false
	}
	p := &w.Parts[f.Part]
	file, _ := p.Below(f.File)
	urlPath, below := p.Base.Path(p.Base.OwnScheme(f.Rest.Canonical))
	return below && mapping.Spelling(urlPath) == mapping.Spelling(f.Path) && mayEnd(file, urlPath) && !p.overrides.HTML && !p.overrides.Slash &&
		w.isOpen(p, urlPath) && w.serves(p, file, urlPath)
}

// mayEnd reports whether a file can be served at an address that ends so: as what
// a/index.html is, /a.html would be another file.
func mayEnd(file, urlPath string) bool {
	low := strings.ToLower(urlPath)
	if isIndexFile(file) {
		return !strings.HasSuffix(low, ".html") || isIndexFile(low[1:])
	}
	return !isIndexFile(low[1:])
}

// entryEnding returns the ending with which another tool's sitemap lists a file first, of
// those that fit.
func (w *World) entryEnding(p *Part, file string, fits func(mapping.Ending) bool) (first mapping.Ending) {
	if w.given == nil {
		return mapping.AnyEnding
	}
	best := math.MaxInt
	for e := mapping.FileName; e <= mapping.Slashed; e++ {
		loc, err := p.Base.Loc(e.Style().URLPath(file))
		if place, ok := w.given[loc]; ok && err == nil && place < best && fits(e) {
			first, best = e, place
		}
	}
	return first
}

// Arbitrary reports whether neither the settings nor the site itself decides how the
// address of a page ends.
func (w *World) Arbitrary(r *Page) bool {
	_, by := w.ending(r.Facts, r.Content)
	return by == byName
}

// linkedEnding returns how the site's links end that lead to pages like a file.
func (p *Part) linkedEnding(file string) mapping.Ending {
	k, several := fileKind(file)
	if !several {
		return mapping.AnyEnding
	}
	return p.linkStyles[k].Ending
}

// How explains how the URL of a page came about.
func (w *World) How(r *Page) string {
	f, p := r.Facts, w.PartOf(r)
	file, _ := p.Below(f.File)
	k, _ := fileKind(file)
	_, by := w.ending(f, r.Content)
	if by == byHost {
		return "from the path " + f.File + "; " + p.whyClosed(p.Style.URLPath(file))
	}
	return [...]string{
		bySettings:  "from the path " + f.File + ", as urls in the configuration says",
		bySitemap:   "spelled as the sitemaps that --from names list it",
		byCanonical: "spelled as the page's canonical link does",
		byOpenGraph: "spelled as the page's og:url does",
		byGenerator: "spelled as the generator writes it for " + w.ContentPos(r).File,
		byLinks:     "spelled as the site's own links are: " + p.linkStyles[k].String(),
		byName:      "from the path " + f.File + " as " + p.hostName() + " serves it",
	}[by]
}

// A LinkStyle is what the links of a part's own pages say of its addresses: how most
// of those end that lead to pages a.html, or most to pages a/index.html.
type LinkStyle struct {
	Dir     string         // of the part
	Folders bool           // it is of pages a/index.html
	Named   bool           // an address may have .html, and not only a slash at its end
	Ending  mapping.Ending // AnyEnding where no link says
	Links   int            // that end so
	Of      int            // links to such pages
	Pages   int            // that were read for it
}

// Setting says it as a key of the configuration would.
func (l LinkStyle) Setting() (key, value string) {
	switch {
	case l.Ending == mapping.FileName:
		return "urls.html", "keep"
	case l.Ending == mapping.Bare && l.Named:
		return "urls.html", "strip"
	case l.Ending == mapping.Bare:
		return "urls.slash", "remove"
	}
	return "urls.slash", "add"
}

// String says it in words.
func (l LinkStyle) String() string {
	how := [...]string{mapping.FileName: "end in .html", mapping.Slashed: "end in a slash", mapping.Bare: "have no slash"}[l.Ending]
	if l.Ending == mapping.Bare && l.Named {
		how = "have no .html"
	}
	what := "links"
	if l.Folders {
		what = "links to folders"
	}
	return fmt.Sprintf("%d of %d %s in %d pages %s", l.Links, l.Of, what, l.Pages, how)
}

// maxSample is how many pages are read for their links, beside the home page.
const maxSample = 64

// inferLinkStyles reads the links of some pages to learn how the site spells its addresses,
// if the host leaves that open and not every page names its own address.
func (w *World) inferLinkStyles(ctx context.Context) error {
	for i := range w.Parts {
		p := &w.Parts[i]
		open := [...]bool{p.leavesOpen(0), p.leavesOpen(1)}
		var sample [][]string // the URL paths that each page links to
		for _, f := range w.sampleOf(uint8(i), open) {
			paths, err := w.Facts.LinkPaths(ctx, f)
			if err != nil {
				return err
			}
			sample = append(sample, paths)
		}
		for k := range open {
			if !open[k] || len(sample) == 0 {
				continue
			}
			if p.linkStyles[k] = p.count(sample, k); p.linkStyles[k].Ending != mapping.AnyEnding {
				w.linkStyles = append(w.linkStyles, p.linkStyles[k])
			}
		}
	}
	return nil
}

// leavesOpen reports whether the host answers more than one address of such a file
// that the configuration allows.
func (p *Part) leavesOpen(k int) bool {
	usual := p.Style.Ending(fileKinds[k])
	n := 0
	for _, e := range p.endings[k] {
		if p.allows(fileKinds[k], usual, e) {
			n++
		}
	}
	return n > 1
}

// sampleOf returns the home page of a part and up to maxSample more pages. It returns none if
// every page names its own address. The choice depends on the names of the pages alone, so
// that a new page changes at most one of them.
func (w *World) sampleOf(part uint8, open [2]bool) []*facts.Page {
	p := &w.Parts[part]
	isUndecided := func(i int) bool {
		f := w.pages[i]
		file, _ := p.Below(f.File)
		k, several := fileKind(file)
		return f.Part == part && f.Own == page.Listed && several && open[k] && f.Says == mapping.AnyEnding && f.OG == mapping.AnyEnding &&
			(w.pairs[i] == nil || w.pairs[i].ending == mapping.AnyEnding)
	}
	i := 0
	for i < len(w.pages) && !isUndecided(i) {
		i++
	}
	if i == len(w.pages) {
		return nil
	}
	type lot struct {
		page *facts.Page
		hash uint64
	}
	var lots []lot
	for _, f := range w.pages {
		switch file, _ := p.Below(f.File); {
		case f.Part != part || f.Own != page.Listed:
		case file == "index.html":
			lots = append(lots, lot{f, 0})
		default:
			lots = append(lots, lot{f, hashName(file)})
		}
	}
	slices.SortStableFunc(lots, func(a, b lot) int { return cmp.Compare(a.hash, b.hash) })
	var sample []*facts.Page
	for _, l := range lots[:min(len(lots), 1+maxSample)] {
		sample = append(sample, l.page)
	}
	return sample
}

// hashName returns a number for a name that has no order, but never 0.
func hashName(name string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, name)
	return h.Sum64() | 1
}

// count counts how the links of a sample end that lead to pages of a kind. The host's
// own ending stays where others are as many.
func (p *Part) count(sample [][]string, k int) LinkStyle {
	l := LinkStyle{Dir: p.Dir, Folders: k == 1, Named: slices.Contains(p.endings[k], mapping.FileName), Pages: len(sample)}
	var ends [mapping.Slashed + 1]int
	for _, paths := range sample {
		for _, urlPath := range paths {
			file := p.linkedFile(urlPath)
			if of, several := fileKind(file); several && of == k {
				ends[mapping.EndingOf(file, urlPath)]++
			}
		}
	}
	usual := p.Style.Ending(fileKinds[k])
	for _, e := range p.endings[k] {
		l.Of += ends[e]
		if n := ends[e]; n > l.Links || n > 0 && n == l.Links && e == usual {
			l.Ending, l.Links = e, n
		}
	}
	return l
}

// linkedFile returns the page that a link leads to without a redirect, "" for none. A
// host that is not known is taken at the word of the link, unless other files are
// there.
func (p *Part) linkedFile(urlPath string) string {
	file := urlPath[1:]
	if p.Host.IsKnown() {
		file, _ = p.Host.Serves(urlPath, p.Exists)
		return file
	}
	switch {
	case file == "" || p.Exists(file):
		return file
	case p.Exists(file+".html") && !p.Exists(file+"/index.html"):
		return file + ".html"
	}
	return ""
}

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

// A host may serve one file at several addresses: /a.html and /a, /a/ and /a/index.html. Only the
// address that the site itself uses is listed.

// An evidence is the reason for choosing an address, strongest first.
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
	files.ParallelEach(len(pages), func(i int) { pages[i] = w.chooseAddress(w.pages[i], w.pairs[i]) })
	w.pages = pages
}

// findAgreedEndings finds the ending that all canonical links of a part's pages share. It does so
// only for parts whose host is guessed.
func (w *World) findAgreedEndings() {
	var mixed [256][len(fileKinds)]bool
	for _, f := range w.pages {
		p := &w.Parts[f.Part]
		file, _ := p.Below(f.File)
		k, several := fileKind(file)
		if !several || f.CanonicalEnding == mapping.AnyEnding || !p.Host.IsGuessed() {
			continue
		}
		mixed[f.Part][k] = mixed[f.Part][k] || p.agreed[k] != mapping.AnyEnding && p.agreed[k] != f.CanonicalEnding
		p.agreed[k] = f.CanonicalEnding
		if mixed[f.Part][k] {
			p.agreed[k] = mapping.AnyEnding
		}
	}
}

// indexFrom records the URLs of Options.From, which are listed without changes.
func (w *World) indexFrom() {
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

// chooseAddress returns the page f at the address that the site uses: f itself if its address is right,
// otherwise a copy. src is the content file, or nil.
func (w *World) chooseAddress(f *facts.Page, src *ContentFile) *facts.Page {
	p := &w.Parts[f.Part]
	e, _ := w.ending(f, src)
	if e == mapping.AnyEnding { // the canonical link decides
		loc := p.Base.OwnScheme(f.Rest.Canonical)
		urlPath, _ := p.Base.Path(loc)
		return f.Moved(urlPath, loc, e)
	}
	if e == f.Ending {
		return f
	}
	file, _ := p.Below(f.File)
	urlPath, loc, err := p.Base.FileURL(e.Style(), file)
	if err != nil {
		return f
	}
	return f.Moved(urlPath, loc, e)
}

// ending returns the ending of a page's URL, and the evidence for the ending. It returns AnyEnding
// if the page's canonical link has a spelling that no file can have.
func (w *World) ending(f *facts.Page, src *ContentFile) (mapping.Ending, evidence) {
	p := &w.Parts[f.Part]
	generated := mapping.AnyEnding
	if src != nil {
		generated = src.ending
	}
	file, _ := p.Below(f.File)
	usual := p.Style.Ending(file)
	fits := func(e mapping.Ending) bool {
		return e != mapping.AnyEnding && p.allowsEnding(file, usual, e) && w.servesEnding(f, file, e, e == usual)
	}
	claims := [...]struct {
		by evidence
		e  mapping.Ending
	}{
		{bySitemap, w.entryEnding(p, file, fits)},
		{byCanonical, f.CanonicalEnding},
		{byOpenGraph, f.OGEnding},
		{byGenerator, generated},
		{byLinks, p.linkedEnding(file)},
	}
	for _, c := range claims {
		if fits(c.e) {
			return c.e, c.by
		}
		if c.by == byCanonical && w.hasOddCanonical(f) {
			return mapping.AnyEnding, byCanonical
		}
	}
	by := byName
	if p.overrides.HTML || p.overrides.Slash {
		by = bySettings
	}
	if by == bySettings || w.servesEnding(f, file, usual, true) {
		return usual, by
	}
	for e := mapping.FileName; e <= mapping.Slashed; e++ {
		if e != usual && p.Host.IsKnown() && w.servesEnding(f, file, e, false) && w.isMeantAddress(f, file, e) {
			return e, byHost
		}
	}
	return usual, byName
}

// isMeantAddress reports whether the ending e is the intended address of a page whose usual
// address redirects or is hidden. For the index.html of a folder, the folder itself must redirect
// to the file.
func (w *World) isMeantAddress(f *facts.Page, file string, e mapping.Ending) bool {
	p := &w.Parts[f.Part]
	if !isIndexFile(file) || e != mapping.FileName {
		return true
	}
	usual := p.Style.Ending(file).Style().URLPath(file)
	v, leads := p.Host.Redirect(usual, p.Exists)
	return leads && mapping.Spelling(v.To) == mapping.Spelling(usual)
}

// allowsEnding reports whether the urls settings allow an ending.
func (p *Part) allowsEnding(file string, usual, e mapping.Ending) bool {
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

// servesEnding reports whether the host answers the address with this ending with the file, and
// crawlers may read it. For an unknown host, servesEnding trusts the site, unless another page has
// the address. Every host serves a file at its usual address, unless a rule says otherwise.
func (w *World) servesEnding(f *facts.Page, file string, e mapping.Ending, usual bool) bool {
	p := &w.Parts[f.Part]
	urlPath := f.Path
	if e != f.Ending {
		urlPath = e.Style().URLPath(file)
	}
	return w.isOpen(p, urlPath) && (usual || w.serves(p, file, urlPath))
}

// isOpen reports whether an address neither redirects nor is hidden.
func (w *World) isOpen(p *Part, urlPath string) bool {
	_, leads := p.Host.Redirect(urlPath, p.Exists)
	_, hidden := p.Host.NoIndexRule(urlPath)
	_, disallowed := p.Host.DisallowRule(urlPath)
	return !leads && !hidden && !(disallowed && w.Options.ObeyRobots)
}

// whyUnreachable returns why an address is not open.
func (p *Part) whyUnreachable(urlPath string) string {
	at := strings.TrimSuffix(p.Base.Prefix(), "/") + urlPath
	if v, leads := p.Host.Redirect(urlPath, p.Exists); leads {
		return p.ruleName(v) + " leads away from " + at
	}
	if v, hidden := p.Host.NoIndexRule(urlPath); hidden {
		return p.ruleName(v) + " hides " + at
	}
	v, _ := p.Host.DisallowRule(urlPath)
	return p.ruleName(v) + " disallows " + at
}

// ruleName returns the position of a rule, or the name of the host if the position is unknown.
func (p *Part) ruleName(v hosting.Verdict) string {
	if v.Pos.File == "" {
		return p.hostName()
	}
	return v.Pos.String()
}

// serves reports whether urlPath is an address of file. If the host is only guessed, the address
// with the ending of all canonical links counts too.
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

// hasOddCanonical reports whether the page's canonical link is the page's own address in a
// spelling that no file can have, such as another case.
func (w *World) hasOddCanonical(f *facts.Page) bool {
	if f.CanonicalEnding != mapping.AnyEnding || f.Rest == nil || f.Rest.Canonical == "" {
		return false
	}
	p := &w.Parts[f.Part]
	file, _ := p.Below(f.File)
	urlPath, below := p.Base.Path(p.Base.OwnScheme(f.Rest.Canonical))
	return below && mapping.Spelling(urlPath) == mapping.Spelling(f.Path) && canServeAt(file, urlPath) && !p.overrides.HTML && !p.overrides.Slash &&
		w.isOpen(p, urlPath) && w.serves(p, file, urlPath)
}

// canServeAt reports whether a file can have the address urlPath. /a.html cannot be an address of
// a/index.html, because another file would have that address.
func canServeAt(file, urlPath string) bool {
	low := strings.ToLower(urlPath)
	if isIndexFile(file) {
		return !strings.HasSuffix(low, ".html") || isIndexFile(low[1:])
	}
	return !isIndexFile(low[1:])
}

// entryEnding returns the ending of the file's first URL in another tool's sitemap that fits.
func (w *World) entryEnding(p *Part, file string, fits func(mapping.Ending) bool) (first mapping.Ending) {
	if w.fromIndex == nil {
		return mapping.AnyEnding
	}
	best := math.MaxInt
	for e := mapping.FileName; e <= mapping.Slashed; e++ {
		loc, err := p.Base.Loc(e.Style().URLPath(file))
		if place, ok := w.fromIndex[loc]; ok && err == nil && place < best && fits(e) {
			first, best = e, place
		}
	}
	return first
}

// HasArbitraryEnding reports whether neither the settings nor the site decide the ending of the
// page's URL.
func (w *World) HasArbitraryEnding(r *Page) bool {
	_, by := w.ending(r.Facts, r.Content)
	return by == byName
}

// linkedEnding returns the ending of most of the site's links to pages of the same kind as file.
func (p *Part) linkedEnding(file string) mapping.Ending {
	k, several := fileKind(file)
	if !several {
		return mapping.AnyEnding
	}
	return p.linkStyles[k].Ending
}

// ExplainURL explains in words how the URL of a page was chosen.
func (w *World) ExplainURL(r *Page) string {
	f, p := r.Facts, w.PartOf(r)
	file, _ := p.Below(f.File)
	k, _ := fileKind(file)
	_, by := w.ending(f, r.Content)
	if by == byHost {
		return "from the path " + f.File + "; " + p.whyUnreachable(p.Style.URLPath(file))
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

// A LinkStyle is the ending that most links of a part use for pages a.html, or for pages
// a/index.html.
type LinkStyle struct {
	Dir     string         // of the part
	Folders bool           // it is of pages a/index.html
	Named   bool           // an address may have .html, and not only a slash at its end
	Ending  mapping.Ending // AnyEnding where no link says
	Links   int            // that end so
	Of      int            // links to such pages
	Pages   int            // that were read for it
}

// Setting returns the key and the value of the equivalent setting.
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

// String returns the style in words.
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

// maxSample is the maximum number of pages whose links are read, besides the home page.
const maxSample = 64

// inferLinkStyles reads the links of some pages to find the endings that the site uses. It does so
// only if the host leaves the ending open and not every page has a canonical link to itself.
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
			if p.linkStyles[k] = p.countEndings(sample, k); p.linkStyles[k].Ending != mapping.AnyEnding {
				w.linkStyles = append(w.linkStyles, p.linkStyles[k])
			}
		}
	}
	return nil
}

// leavesOpen reports whether the host answers more than one allowed address of a file of kind k.
func (p *Part) leavesOpen(k int) bool {
	usual := p.Style.Ending(fileKinds[k])
	n := 0
	for _, e := range p.endings[k] {
		if p.allowsEnding(fileKinds[k], usual, e) {
			n++
		}
	}
	return n > 1
}

// sampleOf returns the home page of a part and up to maxSample more pages. It returns none if
// every page has a canonical link to itself. The choice depends only on the page names, so a new
// page changes at most one of them.
func (w *World) sampleOf(part uint8, open [2]bool) []*facts.Page {
	p := &w.Parts[part]
	isUndecided := func(i int) bool {
		f := w.pages[i]
		file, _ := p.Below(f.File)
		k, several := fileKind(file)
		return f.Part == part && f.Own == page.Listed && several && open[k] && f.CanonicalEnding == mapping.AnyEnding && f.OGEnding == mapping.AnyEnding &&
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

// hashName returns a hash of a name, never 0.
func hashName(name string) uint64 {
	h := fnv.New64a()
	io.WriteString(h, name)
	return h.Sum64() | 1
}

// countEndings counts the endings of the links in a sample to pages of kind k. The host's own
// ending wins a tie.
func (p *Part) countEndings(sample [][]string, k int) LinkStyle {
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

// linkedFile returns the page that a link leads to without a redirect, or "". For an unknown host,
// linkedFile assumes that the link works, unless other files are there.
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

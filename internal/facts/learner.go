package facts

import (
	"context"
	"hash/maphash"
	"math"
	"path"
	"slices"
	"strings"
	"sync"
	"unique"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/walker"
)

// A learner reads the facts of pages. It must be used by one goroutine only.
type learner struct {
	s      *Set
	reader *page.Reader
	facts  page.Facts // facts of the current file
	body   []byte     // bytes of the last file that was read completely
	pool   *altPool

	alternates []sitemap.Alternate // buffer for the alternates of a page
}

func (s *Set) newLearner() *learner {
	l := &learner{s: s, pool: new(altPool)}
	o := s.o.Page
	o.CheckWhole = true
	l.reader = page.NewReader(o)
	return l
}

// learnPage returns the facts of the page file f. It returns nil for the HTML page that sitewalk
// itself wrote; see Options.SitewalkPage.
func (l *learner) learnPage(f *walker.File) *Page {
	p := new(Page)
	o := &l.s.o
	ds := l.readFile(p, f)
	if _, below := l.s.Parts.FindByFile(p.File); below == o.SitewalkPage && o.IsSitewalkPage(l.reader.FirstBytes()) {
		return nil
	}
	if o.Bodies != nil && p.OwnReason != page.InvalidURL && p.OwnReason != page.Unreadable {
		o.Bodies(Body{p.File, p.FileLoc, l.body})
	}
	switch ds = setDisplayNames(o.Pages, p.File, ds); {
	case len(ds) > 0 && o.Remember:
		p.ensureVeryRare().Diags = ds
	case len(ds) > 0:
		l.s.Findings.Add(ds...)
	}
	return p
}

// readFile sets *p to the facts of the page file f, and returns the findings about the file. If the
// file itself excludes the page, p.OwnReason is the reason. For example, the file cannot be read,
// or no valid URL follows from its name. For a file that is not a page of the site, such as an
// error page or a tool, readFile stores only the reason, and returns no findings.
func (l *learner) readFile(p *Page, f *walker.File) diag.List {
	p.File = f.Path
	if err := l.s.Parts.setLocationFromFile(p); err != nil {
		p.OwnReason = page.InvalidURL
		return newInvalidURLFinding(err)
	}
	mayBeTool := page.MayBeToolPage(f.Path)
	var err error
	if l.s.o.Bodies != nil || mayBeTool {
		l.body, err = l.reader.ReadWhole(f, &l.facts)
	} else {
		err = l.reader.ReadHTML(f, &l.facts)
	}
	if err != nil {
		p.OwnReason = page.Unreadable
		return newUnreadableFinding(err)
	}
	head := l.reader.FirstBytes()
	switch content := page.DescribeNonHTML(f.Path, head); {
	case page.IsErrorPage(f.Path, head), slices.Contains(l.s.o.ErrorPages, f.Path):
		p.OwnReason = page.ErrorPage
	case page.IsVerificationFile(f.Path, head):
		p.OwnReason = page.Verification
	case content != "":
		p.OwnReason = page.NotHTML
		l.facts.Skips.Add(page.NotHTML, diag.Pos{}, content)
	case mayBeTool && page.IsToolPage(f.Path, l.body):
		p.OwnReason = page.Tool
	case page.IsFragment(f.Path, head):
		p.OwnReason = page.Fragment
		p.ensureVeryRare().IsFragmentByName = true
	default:
		l.storeFacts(p)
		if o := l.s.o.MTimes; o == AllMTimes || o == MTimesOfUndated && p.LastMod.IsZero() {
			p.MTime = unixModTime(f)
		}
		return l.facts.Diags
	}
	return nil
}

// NewPage returns a Page with the facts that follow from the name of a file, such as the URL. It
// does not read the file. If no valid URL follows from the name, FileLoc is "", and OwnReason is
// page.InvalidURL.
func (ps Parts) NewPage(file string) (p Page) {
	p.File = file
	if ps.setLocationFromFile(&p) != nil {
		p.OwnReason = page.InvalidURL
	}
	return p
}

// setLocationFromFile sets the part, the URL, the URL path and the ending of the page p, which
// follow from p.File. It returns an error if no valid URL follows.
func (ps Parts) setLocationFromFile(p *Page) error {
	index, below := ps.FindByFile(p.File)
	part := &ps[index]
	urlPath, loc, err := part.Base.FileURL(part.Style, below)
	p.Part, p.Path, p.FileLoc, p.Ending = index, urlPath, loc, part.Style.Ending(below)
	return err
}

// storeFacts stores the facts of the current file in p. It resolves the addresses in these facts.
func (l *learner) storeFacts(p *Page) {
	f := &l.facts
	if !page.IsHTML(p.File) { // without the extension of a web page, so pages.include selects it
		f.Skips.Remove(page.Fragment)
	}
	if f.Skips.Has(page.Redirect) && l.refreshesItself(p) {
		f.Skips.Remove(page.Redirect)
	}
	first := f.Skips.First()
	p.OwnReason = first.Reason
	switch {
	case p.OwnReason == page.Broken:
		p.ensureVeryRare().Note = first.Note
	case len(f.Includes) > 0:
		p.ensureVeryRare().Includes = f.Includes
	case p.OwnReason == page.Listed && (p.File == "index.html" || page.IsInPreview(p.File)) && page.IsAppShell(l.reader.FirstBytes()):
		p.ensureVeryRare().Shell = true
	}
	p.Generated = f.Generated
	p.LastMod = f.URL.LastMod
	p.lastModKey = uint8(slices.Index(page.DateKeys, f.LastModBy) + 1)
	if f.OGURL != "" {
		p.OGEnding = l.endingIfOwnAddress(p, f.OGURL)
		if p.OGEnding == mapping.FileName && path.Base(p.File) == "index.html" { // themes of Hexo write index.html in og:url
			p.OGEnding = mapping.NoEnding
		}
	}
	if f.Canonical != "" {
		l.storeCanonical(p)
	}
	if len(f.URL.Alternates) > 0 {
		l.storeAlternates(p)
	}
	if len(f.URL.Images) > 0 {
		l.storeImages(p)
	}
	if l.s.o.Page.Titles { // otherwise titles were read only for the fingerprint
		l.storeTexts(p)
	}
	if f.Fingerprint != "" {
		p.Fingerprint = new([page.FingerprintSize]byte)
		copy(p.Fingerprint[:], f.Fingerprint)
	}
	if f.Dates != (page.Dates{}) {
		p.ensureVeryRare().Dates = f.Dates
	}
}

// storeTexts stores the title, the description, the first sentence and the language of the current
// file in p. If p is the home page of a part, it also stores the name of the site. It does nothing
// if the file has none of the four texts.
func (l *learner) storeTexts(p *Page) {
	f := &l.facts
	if f.Title == "" && f.Summary == "" && f.Lead == "" && f.Lang == "" {
		return
	}
	x := p.ensureVeryRare()
	x.Title, x.Summary, x.Lead, x.HTMLLang = f.Title, f.Summary, f.Lead, f.Lang
	if p.FileLoc == l.s.Parts[p.Part].Base.String() {
		x.Site = f.SiteName
	}
}

// refreshesItself reports whether the meta refresh or the script of the page p opens the page
// itself again, as on news pages. Such a refresh is not a redirect.
func (l *learner) refreshesItself(p *Page) bool {
	to, err := l.s.o.Base.Resolve(l.facts.Refresh, p.FileLoc, l.facts.Base)
	return err == nil && to == p.FileLoc
}

// storeCanonical stores the canonical link of the current file in p. For a URL of the page itself,
// it stores only the ending. If the scheme of this URL is not that of the base URL, it stores both
// the URL and the ending. It warns if the address is not valid.
func (l *learner) storeCanonical(p *Page) {
	f := &l.facts
	if f.Canonical == p.FileLoc && p.Ending != mapping.NoEnding {
		p.CanonicalEnding = p.Ending
		return
	}
	to, err := l.resolveAddress(p, f.Canonical)
	if err != nil {
		l.addWarning("bad-canonical", "give the page's own absolute address as its canonical link",
			"canonical %q is ignored: %v", f.Canonical, err)
		return
	}
	if p.CanonicalEnding = l.endingIfOwnURL(p, to); p.CanonicalEnding == mapping.NoEnding {
		p.ensureRare().Canonical = to
		p.CanonicalEnding = l.endingIfOwnURL(p, l.s.Parts[p.Part].Base.WithOwnScheme(to))
	}
}

// resolveAddress returns the absolute URL of ref, an address in the page p. If the URL names a
// local server, as in development builds, resolveAddress moves it below the base URL of the part,
// and stores the server in VeryRareFacts.Local. It does not move a URL on the host of a part.
func (l *learner) resolveAddress(p *Page, ref string) (string, error) {
	to, err := l.s.o.Base.Resolve(ref, p.FileLoc, l.facts.Base)
	if err != nil || strings.HasPrefix(to, l.s.o.Base.String()) || !mapping.IsLocalHost(to) {
		return to, err
	}
	if _, own := l.s.Parts.FindByHost(to); own {
		return to, nil
	}
	p.ensureVeryRare().Local = to[:len(to)-len(mapping.PathOf(to))]
	return l.s.Parts[p.Part].Base.MoveToBase(to), nil
}

// endingIfOwnAddress returns the ending of ref, such as .html or a slash, if ref is an address of
// the page p itself. Otherwise it returns NoEnding.
func (l *learner) endingIfOwnAddress(p *Page, ref string) mapping.Ending {
	if ref == p.FileLoc {
		return p.Ending
	}
	to, err := l.resolveAddress(p, ref)
	if err != nil {
		return mapping.NoEnding
	}
	return l.endingIfOwnURL(p, to)
}

// endingIfOwnURL returns the ending of loc, such as .html or a slash, if loc is a URL of the page p
// itself. Otherwise it returns NoEnding.
func (l *learner) endingIfOwnURL(p *Page, loc string) mapping.Ending {
	part := &l.s.Parts[p.Part]
	urlPath, ok := part.Base.Path(loc)
	if !ok {
		return mapping.NoEnding
	}
	below, _ := part.Below(p.File)
	return mapping.EndingOf(below, urlPath)
}

// storeImages stores the URLs of the images in the current file in p, without duplicates. It warns
// about invalid addresses.
func (l *learner) storeImages(p *Page) {
	f := &l.facts
	seen := map[string]bool{}
	for _, img := range f.URL.Images {
		src, err := l.resolveAddress(p, img.Loc)
		if err != nil {
			l.addWarning("bad-image", "fix the image's address", "image %q is ignored: %v", img.Loc, err)
			continue
		}
		if !seen[src] {
			seen[src] = true
			x := p.ensureRare()
			x.Images = append(x.Images, sitemap.Image{Loc: src})
		}
	}
}

// An altPool stores each list of alternates once, because all translations of a page have the same
// list. It is safe for concurrent use.
type altPool struct {
	mu    sync.Mutex
	lists map[uint64][]sitemap.Alternate // by hash; collisions are practically impossible
}

var altSeed = maphash.MakeSeed()

// internList returns the stored list that equals list. If there is none, it stores and returns a
// copy of list. Stored lists must not be modified.
func (pool *altPool) internList(list []sitemap.Alternate) []sitemap.Alternate {
	var h maphash.Hash
	h.SetSeed(altSeed)
	for _, a := range list {
		maphash.WriteComparable(&h, a)
	}
	pool.mu.Lock()
	defer pool.mu.Unlock()
	known, ok := pool.lists[h.Sum64()]
	if !ok {
		if pool.lists == nil {
			pool.lists = map[uint64][]sitemap.Alternate{}
		}
		known = slices.Clone(list)
		pool.lists[h.Sum64()] = known
	}
	return known
}

// SortUniqueAlternates sorts alts by language, with x-default at the end, and removes alternates
// that equal the one before them. Different alternates of the same language keep their order. It
// modifies alts and returns the result.
func SortUniqueAlternates(alts []sitemap.Alternate) []sitemap.Alternate {
	key := func(a sitemap.Alternate) string {
		if a.Lang == "x-default" {
			return "\xff" // after all languages
		}
		return a.Lang
	}
	slices.SortStableFunc(alts, func(a, b sitemap.Alternate) int { return strings.Compare(key(a), key(b)) })
	return slices.Compact(alts)
}

// storeAlternates stores the alternates of the current file in p. It resolves their addresses and
// sorts them. Pages with the same alternates share one list.
func (l *learner) storeAlternates(p *Page) {
	f := &l.facts
	x := p.ensureRare()
	x.Lang = f.Lang
	l.alternates = l.alternates[:0]
	for _, a := range f.URL.Alternates {
		href, err := l.resolveAddress(p, a.Href)
		if err != nil {
			l.addWarning("bad-alternate", "give the absolute address of the page in that language",
				"alternate %q for %s is ignored: %v", a.Href, a.Lang, err)
			continue
		}
		if href == p.FileLoc {
			href = p.FileLoc // the page itself; sharing the string saves memory
		}
		l.alternates = append(l.alternates, sitemap.Alternate{Lang: unique.Make(a.Lang).Value(), Href: href})
	}
	if len(l.alternates) > 0 {
		x.Alternates = l.pool.internList(SortUniqueAlternates(l.alternates))
	}
}

// addWarning adds a warning about the current file.
func (l *learner) addWarning(code, hint, format string, args ...any) {
	l.facts.Diags.Warnf(diag.Pos{}, code, hint, format, args...)
}

// A Reading contains all facts in the file of a page, and the findings about the file.
type Reading struct {
	Page
	Facts page.Facts // the facts as written in the file
	Diags diag.List
}

// ReadDetails reads the file of a page again, and returns more facts than Learn keeps, such as the
// line of a noindex. ok is false if the file no longer exists, or cannot be found because of
// another error.
func (s *Set) ReadDetails(ctx context.Context, file string) (r Reading, ok bool) {
	l := s.newLearner()
	ok, _, _ = s.o.Pages.VisitSelectedFile(ctx, file, func(f *walker.File) {
		r.Diags = setDisplayNames(s.o.Pages, file, l.readFile(&r.Page, f))
	})
	r.Facts = l.facts
	return r, ok
}

// unixModTime returns the modification time of f in Unix seconds. It returns 0 if the time is
// unknown or before 1970.
func unixModTime(f *walker.File) uint32 {
	info, err := f.Stat()
	if err != nil {
		return 0
	}
	return uint32(min(max(info.ModTime().Unix(), 0), math.MaxUint32))
}

// ModTime returns the modification time of a file in the tree, in Unix seconds, whether the filter
// selects the file or not. It returns 0 if the time is unknown or before 1970; see VisitFile.
func (t *Tree) ModTime(ctx context.Context, file string) (unix uint32) {
	t.VisitFile(ctx, file, func(f *walker.File) { unix = unixModTime(f) })
	return unix
}

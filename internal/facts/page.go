package facts

import (
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Page contains the facts of one page. A site may have a million pages, so rare facts are in
// Rest. A Page is immutable.
type Page struct {
	File            string // path in the pages tree; without a pages tree, the file that the generator would write
	FileLoc         string // URL of the file; "" if the file has no valid URL
	Path            string // decoded path of FileLoc relative to the base URL of the part, with a leading slash
	LastMod         sitemap.Date
	Rest            *Rest                       // nil if the page has no rare facts
	Fingerprint     *[page.FingerprintSize]byte // nil if unknown
	MTime           uint32                      // Unix seconds; 0 if not read
	Own             page.Reason                 // why the file itself excludes the page, or page.Listed
	Part            uint8                       // index in Set.Parts
	By              uint8                       // index in page.DateKeys of the key of LastMod, plus 1; 0 if there is none
	Ending          mapping.Ending              // ending of FileLoc; AnyEnding if the canonical link decides the spelling
	Generated       bool                        // a meta element names the generator of the page
	CanonicalEnding mapping.Ending              // ending of the canonical link, if the link is an address of the page itself
	OGEnding        mapping.Ending              // ending of og:url, likewise
}

// A Rest contains the facts that most pages lack. URL and Scarce are never nil.
type Rest struct {
	Canonical  string              // resolved URL; "" if Page.CanonicalEnding describes the canonical link
	Lang       string              // set only with Alternates
	Alternates []sitemap.Alternate // resolved; pages may share the slice
	URL        *sitemap.URL        // images and other fields, resolved
	*Scarce
}

// StatedURL returns the sitemap fields that the page states.
func (x *Rest) StatedURL() sitemap.URL {
	u := *x.URL
	if u.Alternates == nil {
		u.Alternates = x.Alternates
	}
	return u
}

// A Scarce contains the facts that very few pages have, or that only some options request.
type Scarce struct {
	Title    string
	Summary  string
	Lead     string // first sentence, if requested
	Site     string // name of the site; only on a home page
	HTMLLang string // language of the html element, if titles are requested
	page.Dates
	Includes []string // as in page.Facts
	Piece    bool     // the file is a piece of another page, such as a frame
	Shell    bool     // the home page, or a page of a preview, has no text without scripts
	Note     string   // mistake in a broken file
	Local    string   // scheme and host of a local server in the page's addresses
	Pos      diag.Pos // position of a URL in the configuration's extra
	Diags    diag.List
}

// At returns a Page with only the location of a file, without reading the file.
func (ps Parts) At(file string) (f Page) {
	f.File = file
	_ = ps.place(&f, "")
	return f
}

// place sets the URL of the page. The URL shares the memory of text if text ends in the path of
// the file. text may be "".
func (ps Parts) place(f *Page, text string) error {
	part, below := ps.Of(f.File)
	p := &ps[part]
	urlPath, loc, err := p.Base.FileURLIn(text, p.Style, below)
	f.Part, f.Path, f.FileLoc, f.Ending = part, urlPath, loc, p.Style.Ending(below)
	return err
}

// Nothing is an empty Rest. Do not modify it.
var Nothing = &Rest{URL: &noURL, Scarce: &noMore}

// Empty values for the pointers of a Rest.
var (
	noURL  sitemap.URL
	noMore Scarce
)

// Written returns the facts of a configured page. pos is the position in the configuration.
func Written(u *sitemap.URL, pos diag.Pos) *Rest { return &Rest{URL: u, Scarce: &Scarce{Pos: pos}} }

func (f *Page) more() *Rest {
	if f.Rest == nil {
		f.Rest = &Rest{URL: &noURL, Scarce: &noMore}
	}
	return f.Rest
}

func (f *Page) ensureScarce() *Scarce {
	x := f.more()
	if x.Scarce == &noMore {
		x.Scarce = new(Scarce)
	}
	return x.Scarce
}

// url returns the URL of the page's Rest for writing, and creates it if necessary.
func (f *Page) url() *sitemap.URL {
	x := f.more()
	if x.URL == &noURL {
		x.URL = new(sitemap.URL)
	}
	return x.URL
}

// Moved returns a copy of the page with another address.
func (f *Page) Moved(urlPath, loc string, e mapping.Ending) *Page {
	to := *f
	to.Path, to.FileLoc, to.Ending = urlPath, loc, e
	return &to
}

func pageFile(f *Page) string { return f.File }

func contentFile(c *Content) string { return c.File }

// byFile sorts a list by file name.
func byFile[T any](list []T, file func(T) string) {
	slices.SortFunc(list, func(a, b T) int { return strings.Compare(file(a), file(b)) })
}

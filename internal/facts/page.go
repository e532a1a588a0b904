package facts

import (
	"slices"
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Page is what one page's own file says. A site may have a million, so what few
// pages have lies in Rest. It is never changed.
type Page struct {
	File        string // in the pages tree; in a site without one, the file that the generator would write
	FileLoc     string // the URL of the file alone; "" when it has none
	Path        string // the URL path of that below the base of its part, decoded, with its leading slash
	LastMod     sitemap.Date
	Rest        *Rest                       // nil when there is none of it
	Fingerprint *[page.FingerprintSize]byte // nil when it is not known
	MTime       uint32                      // Unix seconds; 0 when it was not asked for
	Own         page.Reason                 // for which the file itself keeps the page out
	Part        uint8                       // the index in Set.Parts
	By          uint8                       // 1 + the index in page.DateKeys of the key that LastMod was read from
	Ending      mapping.Ending              // of FileLoc; AnyEnding where it is spelled as the canonical link does
	Generated   bool                        // a meta element names the generator that wrote the page
	Says        mapping.Ending              // that the page's canonical link has, if it is the page's own address
	OG          mapping.Ending              // that its og:url has
}

// A Rest is what most pages do not have. Its pointers are never nil.
type Rest struct {
	Canonical  string              // resolved; "" when Says tells it
	Lang       string              // where there are alternates
	Alternates []sitemap.Alternate // that the page names, resolved; pages may share them
	URL        *sitemap.URL        // images and other fields, resolved
	*Scarce
}

// Said returns all that the page says of what a sitemap may hold.
func (x *Rest) Said() sitemap.URL {
	u := *x.URL
	if u.Alternates == nil {
		u.Alternates = x.Alternates
	}
	return u
}

// A Scarce is what next to no page has, or all have where somebody asks for it.
type Scarce struct {
	Title    string
	Summary  string
	Lead     string // its first sentence, where that is asked for
	Site     string // the site's name, of a home page
	HTMLLang string // the language of the html element, where titles are asked for
	page.Dates
	Includes []string // as in page.Facts
	Piece    bool     // a piece of another page that has a layout, as a frame
	Shell    bool     // the home page has nothing to read but a script
	Note     string   // what is wrong with a file that is broken
	Local    string   // scheme and host of a local server that the page names
	Pos      diag.Pos // of a URL of the configuration's extra
	Diags    diag.List
}

// At returns the fact of a page that no file was read for: only where it is.
func (ps Parts) At(file string) (f Page) {
	f.File = file
	_ = ps.place(&f, "")
	return f
}

// place gives a page the address at which its part serves the file. The address shares the
// memory of text, which ends in the file's path, where it can; "" has none to share.
func (ps Parts) place(f *Page, text string) error {
	part, below := ps.Of(f.File)
	p := &ps[part]
	urlPath, loc, err := p.Base.PlaceIn(text, p.Style, below)
	f.Part, f.Path, f.FileLoc, f.Ending = part, urlPath, loc, p.Style.Ending(below)
	return err
}

// Nothing is a Rest of which there is nothing.
var Nothing = &Rest{URL: &noURL, Scarce: &noMore}

// What a Rest points to that has nothing of it.
var (
	noURL  sitemap.URL
	noMore Scarce
)

// Written returns what a configuration says of a page at pos.
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

// url returns what the page says of its own entry, to be written to.
func (f *Page) url() *sitemap.URL {
	x := f.more()
	if x.URL == &noURL {
		x.URL = new(sitemap.URL)
	}
	return x.URL
}

// Moved returns the page at another address.
func (f *Page) Moved(urlPath, loc string, e mapping.Ending) *Page {
	to := *f
	to.Path, to.FileLoc, to.Ending = urlPath, loc, e
	return &to
}

func pageFile(f *Page) string { return f.File }

func contentFile(c *Content) string { return c.File }

// byFile sorts by name of file.
func byFile[T any](list []T, file func(T) string) {
	slices.SortFunc(list, func(a, b T) int { return strings.Compare(file(a), file(b)) })
}

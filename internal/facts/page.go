package facts

import (
	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Page contains the facts of one page. It is immutable.
//
// A site may have a million pages. To save memory, Page itself contains only facts that most pages
// have. Rare returns the other facts.
type Page struct {
	File            string                      // path in the pages tree; without a pages tree, the page file that the generator would write
	FileLoc         string                      // URL that follows from File, "" if no valid URL does; or the address that package site has chosen
	Path            string                      // decoded path of FileLoc relative to the base URL of the part, with a leading slash
	LastMod         sitemap.Date                // date of the last change in the HTML
	rare            *RareFacts                  // nil if the page has no rare facts
	Fingerprint     *[page.FingerprintSize]byte // nil if unknown
	MTime           uint32                      // modification time in Unix seconds; 0 if not read
	OwnReason       page.Reason                 // why the file itself excludes the page, or page.Listed
	Part            uint8                       // index in Set.Parts
	lastModKey      uint8                       // index in page.DateKeys of the key of LastMod, plus 1; 0 if there is no LastMod
	Ending          mapping.Ending              // ending of FileLoc; NoEnding if FileLoc has the spelling of the canonical link, such as /A.html
	Generated       bool                        // a meta element names the generator of the page
	CanonicalEnding mapping.Ending              // ending of the canonical link if it is an address of the page itself, with http or https, or NoEnding
	OGEnding        mapping.Ending              // ending of og:url if it is an address of the page itself without index.html, or NoEnding
}

// LastModKeyName returns the name of the key from which LastMod was read, such as
// "article:modified_time". It returns "" if there is no LastMod.
func (p *Page) LastModKeyName() string {
	if p.lastModKey == 0 {
		return ""
	}
	return page.DateKeys[p.lastModKey-1]
}

// HasCanonical reports whether the page has a valid canonical link, to itself or to another URL.
func (p *Page) HasCanonical() bool {
	return p.CanonicalEnding != mapping.NoEnding || p.Rare().Canonical != ""
}

// Rare returns the rare facts of the page. It returns empty RareFacts, and not nil, if the page has
// none. The caller must not modify the result.
func (p *Page) Rare() *RareFacts {
	if p.rare == nil {
		return noRareFacts
	}
	return p.rare
}

// RareFacts contains the facts that most pages lack. The pointer VeryRareFacts is never nil. It
// saves memory, because few pages with RareFacts also have VeryRareFacts.
type RareFacts struct {
	Canonical  string              // canonical link, resolved; "" if it is an address of the page itself with the scheme of the base URL
	Lang       string              // language of the page; set only if the page links to alternates
	Alternates []sitemap.Alternate // resolved; pages may share the slice
	Images     []sitemap.Image     // with absolute URLs
	*VeryRareFacts
}

// EntryFields returns the fields of the sitemap entry that the HTML of the page sets.
func (r *RareFacts) EntryFields() sitemap.URL {
	return sitemap.URL{Alternates: r.Alternates, Images: r.Images}
}

// VeryRareFacts contains the facts that very few pages have, or that only some options request.
type VeryRareFacts struct {
	Title    string
	Summary  string
	Lead     string // first sentence of the page, if requested
	Site     string // name of the site, on a home page only
	HTMLLang string // language of the html element, if titles are requested
	page.Dates
	Includes         []string  // targets of server-side includes, as in page.Facts
	IsFragmentByName bool      // the name of the file or its first bytes show that it is a fragment
	Shell            bool      // the page is the home page or in a preview, and is an app shell; see page.IsAppShell
	Note             string    // the damage of a broken file, such as "the file is empty"
	Local            string    // scheme and host of a local server that an address in the page names, "http://localhost:1313"
	Diags            diag.List // findings about the file; only with Options.Remember
}

// All pages without rare or very rare facts share these empty values. Do not modify them.
var (
	noRareFacts     = &RareFacts{VeryRareFacts: noVeryRareFacts}
	noVeryRareFacts = &VeryRareFacts{}
)

// ensureRare returns the RareFacts of the page, for setting their fields. It creates them if the
// page has none.
func (p *Page) ensureRare() *RareFacts {
	if p.rare == nil {
		p.rare = &RareFacts{VeryRareFacts: noVeryRareFacts}
	}
	return p.rare
}

// ensureVeryRare returns the VeryRareFacts of the page, for setting their fields. It creates them
// if the page has none.
func (p *Page) ensureVeryRare() *VeryRareFacts {
	r := p.ensureRare()
	if r.VeryRareFacts == noVeryRareFacts {
		r.VeryRareFacts = new(VeryRareFacts)
	}
	return r.VeryRareFacts
}

package sitemap

import "cmp"

// A URL is one entry of a sitemap. Zero fields say nothing, so a partial URL is
// also what a rule, a front matter block and an HTML head hold. The key tags of
// this type and of what it holds are the names that people write the fields by.
type URL struct {
	Loc        string      // absolute, percent-encoded, not XML-escaped
	LastMod    Date        `key:"lastmod"`    // when the page's content last changed
	ChangeFreq ChangeFreq  `key:"changefreq"` // a hint
	Priority   Priority    `key:"priority"`   // relative within one site
	Alternates []Alternate `key:"alternates"`
	Images     []Image     `key:"images"`
	Videos     []Video     `key:"videos"`
	News       *News       `key:"news"`
}

// Extensions is the set of the protocol's extensions that a URL or a file uses.
type Extensions uint8

// The extensions.
const (
	Hreflang Extensions = 1 << iota
	ImageExt
	VideoExt
	NewsExt

	AllExtensions = Hreflang | ImageExt | VideoExt | NewsExt
)

// extensions are all extensions in the order of their constants, which is the
// order in which an entry holds them.
var extensions = [...]extension{&alternates, &images, &videos, news{}}

// Or returns u with each field that says nothing taken from v.
func (u URL) Or(v URL) URL {
	u.Fill(&v)
	return u
}

// Plain reports whether u says no more than where a page is and when it changed.
func (u *URL) Plain() bool {
	return u.ChangeFreq == 0 && u.Priority == 0 && u.Extensions() == 0
}

// Fill takes each field of u that says nothing from v.
func (u *URL) Fill(v *URL) {
	u.Loc = cmp.Or(u.Loc, v.Loc)
	if u.LastMod.IsZero() {
		u.LastMod = v.LastMod
	}
	u.ChangeFreq = cmp.Or(u.ChangeFreq, v.ChangeFreq)
	u.Priority = cmp.Or(u.Priority, v.Priority)
	u.News = cmp.Or(u.News, v.News)
	if len(u.Alternates) == 0 {
		u.Alternates = v.Alternates
	}
	if len(u.Images) == 0 {
		u.Images = v.Images
	}
	if len(u.Videos) == 0 {
		u.Videos = v.Videos
	}
}

// Extensions returns the extensions that u uses. Like Fill, it names each field
// itself, because it is asked of every page, and a call through the table would
// move each URL to the heap.
func (u *URL) Extensions() (e Extensions) {
	if len(u.Alternates) > 0 {
		e |= Hreflang
	}
	if len(u.Images) > 0 {
		e |= ImageExt
	}
	if len(u.Videos) > 0 {
		e |= VideoExt
	}
	if u.News != nil {
		e |= NewsExt
	}
	return e
}

// An Entry is one listed page: its URL, and what feeds and people read of it.
type Entry struct {
	URL
	Title, Summary string // plain text, not escaped
	Published      Date   // when the page first appeared
}

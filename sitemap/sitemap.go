// Package sitemap reads and writes sitemaps as sitemaps.org defines them. It supports sitemaps with
// Google's extensions (alternates in other languages, images, videos, news), sitemap indexes, text
// sitemaps, and the RSS and Atom feeds that search engines accept instead.
//
//   - A [Writer] writes one file, entry by entry, and returns [ErrFull] when the file is full.
//   - A [Reader] reads any of these files entry by entry, from UTF-8, UTF-16 or Latin-1. It keeps
//     only one entry in memory. It continues after mistakes that crawlers accept, and returns their
//     lines.
//   - A [Validator] reports the mistakes in a file, according to the protocol.
//   - A [Date] is a day, or a time with its zone. [ParseDate] parses the usual notations of dates.
//   - [CheckLoc] and [CheckLang] check one value. [URL.Check] removes the invalid values of an entry.
//
// The package opens no files, uses no network, and does not compress. It does not know which pages
// a site has.
//
// Promised to importers before version 1: exported names and their meanings do not change. If the
// protocol gets new elements, the types get new fields.
package sitemap

import (
	"cmp"
)

// The limits of the protocol (https://www.sitemaps.org/protocol.html), and of Google's extensions
// for images, videos and news. Sizes are in bytes before compression.
const (
	MaxURLs         = 50000    // maximum number of entries of one sitemap
	MaxChildren     = 50000    // maximum number of entries of one index
	MaxLoc          = 2047     // maximum number of characters of a URL: "less than 2,048"
	DefaultMaxBytes = 10485760 // maximum size of a file until November 2016, which every reader accepts
	MaxBytes        = 52428800 // maximum size of a file since November 2016
	MaxImages       = 1000     // maximum number of images of one URL
	MaxNews         = 1000     // maximum number of news articles of one sitemap
	MaxTags         = 32       // maximum number of tags of one video
	MaxAlternates   = 1000     // maximum number of alternates of one URL; not from the protocol
)

// The namespaces of the protocol, of its extensions and of Atom 1.0 (RFC 4287).
const (
	Namespace      = "http://www.sitemaps.org/schemas/sitemap/0.9"
	NamespaceXHTML = "http://www.w3.org/1999/xhtml"
	NamespaceImage = "http://www.google.com/schemas/sitemap-image/1.1"
	NamespaceVideo = "http://www.google.com/schemas/sitemap-video/1.1"
	NamespaceNews  = "http://www.google.com/schemas/sitemap-news/0.9"
	NamespaceAtom  = "http://www.w3.org/2005/Atom"
)

// A Format is the format of a file that lists URLs.
type Format uint8

// The formats that a [Reader] reads and a [Writer] writes.
const (
	FormatURLSet Format = 1 + iota
	FormatIndex         // index of sitemaps
	FormatRSS           // RSS 2.0
	FormatAtom          // Atom 1.0
	FormatText          // text with one URL per line
)

// String returns the name of the format for messages, such as "sitemap index". It returns "" for 0.
func (f Format) String() string {
	return [...]string{"", "sitemap", "sitemap index", "RSS feed", "Atom feed", "text sitemap"}[f]
}

// A URL contains the values of one entry of a sitemap. A field with its zero value is not set. The
// struct tag "key" is the name of the field in configuration files and in front matter.
type URL struct {
	Loc        string      // absolute, percent-encoded URL, without XML escapes
	LastMod    Date        `key:"lastmod"`    // when the page's content last changed
	ChangeFreq ChangeFreq  `key:"changefreq"` // how often the page usually changes
	Priority   Priority    `key:"priority"`   // importance relative to other pages of the site
	Alternates []Alternate `key:"alternates"`
	Images     []Image     `key:"images"`
	Videos     []Video     `key:"videos"`
	News       *News       `key:"news"`
}

// Extensions is a set of the protocol's extensions, with one bit for each extension.
type Extensions uint8

// The extensions.
const (
	Hreflang Extensions = 1 << iota // URL.Alternates
	ImageExt                        // URL.Images
	VideoExt                        // URL.Videos
	NewsExt                         // URL.News

	AllExtensions = Hreflang | ImageExt | VideoExt | NewsExt
)

// Or returns a copy of u. Each field that is not set in u has its value from v. The copy shares its
// slices and News with u and v.
func (u URL) Or(v URL) URL {
	u.Fill(&v)
	return u
}

// HasOnlyLocAndLastMod reports whether all fields of u other than Loc and LastMod are unset.
func (u *URL) HasOnlyLocAndLastMod() bool {
	return u.ChangeFreq == 0 && u.Priority == 0 && u.Extensions() == 0
}

// Fill sets each field that is not set in u to the value of the same field in v. u then shares
// these slices and News with v.
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

// Extensions returns the set of the extensions that u uses.
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

// An Entry is one entry of a sitemap or feed. Only feeds contain the title, the summary and the
// date of publication.
type Entry struct {
	URL
	Title, Summary string // plain text, not escaped
	Published      Date   // when the page was first published
}

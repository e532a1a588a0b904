// Package sitemap reads and writes sitemaps as sitemaps.org defines them: url sets
// with Google's extensions (alternates in other languages, images, videos, news),
// indexes, text sitemaps, and the RSS and Atom feeds that search engines accept
// in their place.
//
//   - A [Writer] writes one file, entry by entry, and reports when the file is full.
//   - A [Reader] reads any of these files entry by entry, from UTF-8, UTF-16 or
//     Latin-1, in bounded memory. It continues after mistakes that crawlers accept, and reports
//     their positions. A [Validator] reports every departure from the protocol.
//   - A [Date] is a W3C Datetime: a day stays a day, a zone stays that zone.
//     [ParseDate] reads almost every notation that names one moment.
//   - [CheckLoc], [CheckLang] and [URL.Check] say what may not stand in a sitemap.
//
// The package touches no files and no network, compresses nothing, and does not know
// which pages a site has.
//
// Promised to importers before version 1: names and meanings stay; types gain fields as the protocol does.
package sitemap

// The limits of the protocol and of its extensions. Sizes are bytes before
// compression.
const (
	MaxURLs         = 50000    // entries of one sitemap
	MaxChildren     = 50000    // entries of one index
	MaxLoc          = 2047     // characters of a loc: "less than 2,048"
	DefaultMaxBytes = 10485760 // the limit until November 2016; valid under both
	MaxBytes        = 52428800 // the limit since
	MaxImages       = 1000     // images of one URL
	MaxNews         = 1000     // news entries of one sitemap
	MaxTags         = 32       // tags of one video
	MaxAlternates   = 1000     // ours: no page exists in more languages
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

// A Format is a kind of file that lists URLs.
type Format uint8

// The formats that a [Reader] reads and a [Writer] writes.
const (
	FormatURLSet Format = 1 + iota
	FormatIndex         // of sitemaps
	FormatRSS           // 2.0
	FormatAtom          // 1.0
	FormatText          // a URL a line
)

// String returns the format's name for people.
func (f Format) String() string {
	return [...]string{"", "sitemap", "sitemap index", "RSS feed", "Atom feed", "text sitemap"}[f]
}

// Package page reads the facts of one page from HTML.
//
// It does not decide whether a page is listed, because that depends on the whole site.
//
// Promised to importers before version 1: nothing. The package may change with any version; only
// package sitemap promises an API.
package page

import (
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Facts are the facts of one page from one source: an HTML file, or the front matter of a
// content file. A zero field is not set.
type Facts struct {
	// URL has the fields for the sitemap. Loc and the addresses of Alternates and
	// Images are as written and may be relative.
	URL sitemap.URL
	// LastModBy is the key of URL.LastMod: "dateModified", "article:modified_time", "lastmod".
	// Without a LastMod, it is the front matter key whose value is not a date.
	LastModBy string
	Date      sitemap.Date // front matter date: when the page was written
	DateBy    string       // the key that Date was read from; ":filename" for a date in the file name
	Dates

	Title, Summary string // plain text
	SiteName       string // og:site_name, plain text
	Lang           string // html lang, or the front matter's
	Canonical      string // as written; "" if there is none, or if two differ
	OGURL          string // og:url as written
	Base           string // the first base element's href, as written
	Refresh        string // target of a meta refresh that counts as a redirect, as written
	TranslationKey string

	Generated bool // a meta element names a generator that is not an editor

	Permalink, Slug string    // front matter url or permalink, and slug
	ID              string    // front matter id, if the generator uses it in the address
	Aliases         []string  // other addresses that redirect to the page, as written
	Categories      []string  // Jekyll's category and categories, in order, as written
	Cascades        []Cascade // values that the file of a section passes down
	CascadeKeys     []string  // the file itself sets these keys, so a Cascade with one of them does not apply
	EditLinks       []string  // candidate "edit this page" addresses, as written
	Includes        []string  // targets of server-side includes, as written; "file:" precedes the name of a file
	Lead            string    // the first sentence of the first paragraph; "" if not requested
	// Fingerprint is the fingerprint of the visible content, the title and the description,
	// and does not depend on the page's own address; "" if not requested.
	Fingerprint string

	Skips Skips // the reasons for leaving the page out

	CanonicalPos diag.Pos // position of Canonical; zero with Options.NoNotes

	Diags diag.List
}

// A Cascade contains values that Hugo passes from a section to its pages.
// https://gohugo.io/content-management/front-matter/#cascade
type Cascade struct {
	Path, Kind, Lang, Environment string // globs of the target, "" for any
	Key                           string // "build" or "sitemap"
	Skip                          Reason // Listed if the key leaves no page out
	Pos                           diag.Pos
	Note                          string
}

// Dates contains the dates of a page other than URL.LastMod and Date.
type Dates struct {
	Publish   sitemap.Date // not to be listed before
	Expiry    sitemap.Date // not to be listed from then on
	Published sitemap.Date // article:published_time, if titles are requested
}

// Options request additional facts. With the zero Options, a Reader reads only the head, and only
// the facts that decide whether a page is listed and when it changed.
type Options struct {
	Zone        *time.Location     // of dates without one; nil is UTC
	Titles      bool               // Facts.Title, Facts.Summary and Facts.Published
	Whole       bool               // Facts.Skips has Broken or Fragment for a file that is not a whole page
	Alternates  bool               // Facts.URL.Alternates
	Body        bool               // Facts.Fingerprint; reads the body
	Lead        bool               // Facts.Lead; reads the body
	Images      bool               // Facts.URL.Images; reads the body
	EditLinks   bool               // Facts.EditLinks; reads the body
	Fingerprint FingerprintOptions // what counts as content
	NoNotes     bool               // leave out the notes of tags in Facts.Skips, and Facts.CanonicalPos
}

// A Reason is the reason why a page is not in the sitemap. The zero Reason is Listed.
type Reason uint8

// The reasons by priority: if a file gives several, the first one counts. A redirect precedes a
// noindex, because redirect pages often have both.
const (
	Listed       Reason = iota
	Excluded            // pages.exclude or an include that does not match
	Unlisted            // not in the sitemaps that --from names
	Unreadable          // the file could not be read
	Broken              // the file is empty or cut off
	NotHTML             // the file has the name of a page and other content
	Fragment            // the file is a part of pages
	InvalidURL          // no valid URL can be made of the path
	OutOfScope          // the URL lies outside the base URL
	ErrorPage           // 404.html and its like
	Verification        // a search engine's ownership file
	Tool                // a search or index page that the generator adds
	ByRule              // a rule with exclude: true
	OptedOut            // front matter: sitemap: false, sitemap.disable
	Draft               // front matter: draft, published: false, _drafts
	Scheduled           // publish date in the future
	Expired             // expiry date in the past
	NotRendered         // a content file that its generator makes no page of
	Version             // another version is listed instead
	Redirect            // meta refresh, or a rule of the host
	NoIndex             // robots meta or X-Robots-Tag
	NotServed           // a rule of the host answers with an error, or the file is not deployed
	Robots              // disallowed by robots.txt
	Canonical           // another page is its canonical
	Duplicate           // another file has the same URL
)

// Reasons describes each reason: its name, as printed and configured, and an explanation. Meant is
// set if the user or the author keeps the page out of the sitemap, but not out of search engines.
var Reasons = [...]struct {
	Name, Text string
	Meant      bool
}{
	Listed:       {"listed", "the page is in the sitemap", false},
	Excluded:     {"excluded", "a glob of include or exclude leaves the file out", true},
	Unlisted:     {"unlisted", "the sitemaps that --from names do not list the page", true},
	Unreadable:   {"unreadable", "the file could not be read", false},
	Broken:       {"broken", "the file is empty or cut off, and has nothing to index", false},
	NotHTML:      {"not-html", "the file holds something else than a web page", false},
	Fragment:     {"fragment", "the file is a part of pages: it has no html, head, body or title, a page includes it, or it is a frame or a template", false},
	InvalidURL:   {"invalid-url", "no valid URL of less than 2,048 characters can be made of the path", false},
	OutOfScope:   {"out-of-scope", "the URL lies outside the base URL, where a sitemap may not list it", false},
	ErrorPage:    {"error-page", "the host serves the file for addresses that do not exist", false},
	Verification: {"verification", "the file proves to a search engine who owns the site", false},
	Tool:         {"tool", "the generator adds the page as a tool: its search, or an index of all terms", false},
	ByRule:       {"rule", "a rule with exclude: true matches", true},
	OptedOut:     {"opted-out", "the front matter keeps the page out of the sitemap", true},
	Draft:        {"draft", "the author marks the content file as a draft", false},
	Scheduled:    {"scheduled", "the publish date lies in the future", false},
	Expired:      {"expired", "the expiry date has passed", false},
	NotRendered:  {"not-rendered", "the generator makes no page of the content file", false},
	Version:      {"version", "another version, or another name of the version, stands for the page", false},
	Redirect:     {"redirect", "the address leads to another one", false},
	NoIndex:      {"noindex", "robots directives forbid indexing the page", false},
	NotServed:    {"not-served", "the host answers the address with an error, or does not get the file", false},
	Robots:       {"robots", "robots.txt disallows the address", false},
	Canonical:    {"canonical", "the page names another address as its canonical one", false},
	Duplicate:    {"duplicate", "another file has the same URL, or is a.html beside an a/index.html with the same bytes, and is listed for it", false},
}

// ReasonNames returns the names of the reasons, without listed.
func ReasonNames() []string {
	names := make([]string, 0, len(Reasons)-1)
	for _, r := range Reasons[Listed+1:] {
		names = append(names, r.Name)
	}
	return names
}

// String returns the reason's name.
func (r Reason) String() string { return Reasons[r].Name }

// MarshalText returns the reason's name for JSON.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

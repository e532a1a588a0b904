// Package page reads the facts of one page from HTML, such as its title, dates and canonical link.
// It does not decide whether a page is listed, because that depends on the whole site.
//
// The API of this package is not stable; only package sitemap promises a stable API.
package page

import (
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Facts contains the facts about one page from one source: an HTML file, or the front matter of a
// content file. A field is zero if the source does not contain the fact, or if the options do not
// request it.
type Facts struct {
	// URL contains the fields of the sitemap entry. Loc and the addresses of alternates and images
	// may be relative, because they are copied from the source.
	URL sitemap.URL
	// LastModBy is the name of the key that URL.LastMod was read from, such as "dateModified",
	// "article:modified_time" or "lastmod". If URL.LastMod is zero, LastModBy is the first front
	// matter key with an invalid date, or "" if there is none.
	LastModBy string
	Date      sitemap.Date // date in front matter, when the page was written
	DateBy    string       // the front matter key of Date; ":filename" for a date in the path of the file
	Dates

	Title, Summary string // plain text
	SiteName       string // og:site_name, plain text
	Lang           string // lang attribute of the html element, or language in front matter
	Canonical      string // address of the canonical link, perhaps relative; "" without a link, or if two links differ
	OGURL          string // og:url as written
	Base           string // address of the first base element that has an address, as written
	Refresh        string // target of the meta refresh or script that redirects, as written
	TranslationKey string // front matter key that translations share

	Generated bool // a meta element names a generator that is not an editor

	Permalink, Slug string    // url or permalink, and slug, in front matter
	ID              string    // id in front matter, if the generator uses it in addresses
	Aliases         []string  // other addresses that redirect to the page, as written
	Categories      []string  // category and categories of Jekyll, in order, as written
	Cascades        []Cascade // values that the file of a section passes to the pages below
	CascadeKeys     []string  // keys that the file itself sets; a Cascade with one of these keys does not apply to the file
	EditLinks       []string  // addresses that may be "edit this page" links, as written
	Includes        []string  // targets of server-side includes, "/nav.html" or "file:nav.html"; see Options.CheckWhole
	Lead            string    // first sentence of the first paragraph that has at least four words
	// Fingerprint is a hash of the content, the title and the description. The page's own address
	// is not hashed, and links to the host of its canonical link are hashed without the host.
	Fingerprint string

	Skips Skips // reasons of this source to leave the page out

	CanonicalPos diag.Pos // position of the first canonical link

	Diags diag.List
}

// A Cascade contains a value that Hugo passes from a section to its pages.
// See https://gohugo.io/content-management/front-matter/#cascade
type Cascade struct {
	Path, Kind, Lang, Environment string // globs that select the pages; "" selects all
	Key                           string // "build" or "sitemap"
	Skip                          Reason // reason to leave the pages out, or Listed
	Pos                           diag.Pos
	Note                          string
}

// Dates contains further dates of a page, in addition to URL.LastMod and Facts.Date.
type Dates struct {
	Publish   sitemap.Date // the page is not listed before this date
	Expiry    sitemap.Date // the page is not listed from this date on
	Published sitemap.Date // article:published_time, if titles are requested
}

// Options request additional facts. With the zero Options, a Reader reads only the head of a page,
// and leaves out facts such as the title, alternates and images. A Reader never reads the body of a
// page with NoIndex or Broken in its Skips, so facts from the body are then missing.
type Options struct {
	Zone        *time.Location     // time zone of dates without a zone; nil means UTC
	Titles      bool               // read Title, Summary, SiteName and Published
	CheckWhole  bool               // add Broken or Fragment to Skips for a file that is not a whole page; read Includes
	Alternates  bool               // read URL.Alternates
	ContentHash bool               // compute Fingerprint, from the body; also read Title, Summary and SiteName
	Lead        bool               // read Lead, from the body
	Images      bool               // read URL.Images, from the body and from og:image
	EditLinks   bool               // read EditLinks, from the body
	Fingerprint FingerprintOptions // elements that are content
}

// HeadOnly returns a copy of o in which the options that need the body of a page are off.
func (o Options) HeadOnly() Options {
	for _, option := range o.bodyOptions() {
		*option = false
	}
	return o
}

// needsBody reports whether an option needs the body of a page.
func (o Options) needsBody() bool {
	return slices.ContainsFunc(o.bodyOptions(), func(option *bool) bool { return *option })
}

// bodyOptions returns pointers to the fields of o that make a Reader read the body of a page.
func (o *Options) bodyOptions() []*bool {
	return []*bool{&o.ContentHash, &o.Lead, &o.Images, &o.EditLinks}
}

// A Reason is the reason why a page is not in the sitemap. The zero Reason is Listed.
type Reason uint8

// The reasons. If one source, such as the HTML file, gives several reasons, the reason with the
// lowest value counts; see Skips.First. Redirect comes before NoIndex, because redirect pages often
// have both. If several sources give reasons, such as a page and its content file, exclusionChecks
// of internal/site decides which reason counts.
const (
	Listed       Reason = iota
	Excluded            // pages.exclude matches, or pages.include does not
	Unlisted            // the sitemaps of --from do not list the page
	Unreadable          // the file could not be read
	Broken              // the file is empty or cut off
	NotHTML             // the file has the name of a web page, but other content
	Fragment            // the file is only a part of other pages
	InvalidURL          // no valid URL follows from the path of the file
	OutOfScope          // the URL lies outside the base URL
	ErrorPage           // an error page, such as 404.html
	Verification        // the file proves to a search engine who owns the site
	Tool                // the generator adds the page as a tool, such as a search
	ByRule              // a rule with exclude: true matches
	OptedOut            // front matter has sitemap: false or the like
	Draft               // draft or published: false in front matter, or in _drafts
	Scheduled           // the publish date is in the future
	Expired             // the expiry date has passed
	NotRendered         // the generator makes no page from the content file
	Version             // another version of the page is listed instead
	Redirect            // a meta refresh, a script or a rule of the host redirects
	NoIndex             // a robots meta element or an X-Robots-Tag header forbids indexing
	NotServed           // a rule of the host answers with an error, or keeps the file from being deployed
	Robots              // robots.txt disallows the address
	Canonical           // the canonical link names another page
	Duplicate           // another file has the same URL, or is a/index.html with the bytes of a.html, and is listed instead
)

// A Trait is a property that several reasons share. For example, Draft and Expired are both
// Unbuilt.
type Trait uint8

// The traits of reasons.
const (
	// Deliberate: somebody keeps the page out of the sitemap on purpose, but not out of search
	// engines. Alternates and llms.txt may therefore name the page.
	Deliberate Trait = 1 << iota
	// Unbuilt: the generator usually builds no page. A built page is then from an earlier build.
	Unbuilt
	// Withheld: search engines should not get the content under another address either. check
	// reports a Markdown copy of the page.
	Withheld
	// ShownLive: a response of the live site shows the reason. check --live requests the page.
	ShownLive
)

// Reasons describes each Reason: its name, as printed and configured, an explanation, and its
// traits.
var Reasons = [...]struct {
	Name, Text string
	Traits     Trait
}{
	Listed:       {"listed", "the page is in the sitemap", 0},
	Excluded:     {"excluded", "a glob of include or exclude leaves the file out", Deliberate},
	Unlisted:     {"unlisted", "the sitemaps that --from names do not list the page", Deliberate},
	Unreadable:   {"unreadable", "the file could not be read", 0},
	Broken:       {"broken", "the file is empty or cut off, and has nothing to index", 0},
	NotHTML:      {"not-html", "the file is not a web page", 0},
	Fragment:     {"fragment", "the file is a part of other pages: it has no html, head, body or title, a page includes it, or it is a frame or a template", 0},
	InvalidURL:   {"invalid-url", "no valid URL of less than 2,048 characters can be made of the path", 0},
	OutOfScope:   {"out-of-scope", "the URL lies outside the base URL, where a sitemap may not list it", 0},
	ErrorPage:    {"error-page", "the host serves the file for addresses that do not exist", 0},
	Verification: {"verification", "the file proves to a search engine who owns the site", 0},
	Tool:         {"tool", "the generator adds the page as a tool: its search, an index of all terms, or a docset", 0},
	ByRule:       {"rule", "a rule with exclude: true matches", Deliberate},
	OptedOut:     {"opted-out", "the front matter keeps the page out of the sitemap", Deliberate},
	Draft:        {"draft", "the author marks the content file as a draft", Unbuilt | Withheld},
	Scheduled:    {"scheduled", "the publish date lies in the future", Unbuilt | Withheld},
	Expired:      {"expired", "the expiry date has passed", Unbuilt | Withheld},
	NotRendered:  {"not-rendered", "the generator makes no page of the content file", Unbuilt},
	Version:      {"version", "another version, or another name of the version, is listed instead", 0},
	Redirect:     {"redirect", "the address redirects to another address", Withheld | ShownLive},
	NoIndex:      {"noindex", "robots directives forbid indexing the page", Withheld | ShownLive},
	NotServed:    {"not-served", "the host answers the address with an error, or does not get the file", Withheld | ShownLive},
	Robots:       {"robots", "robots.txt disallows the address", Withheld},
	Canonical:    {"canonical", "the page names another address as its canonical address", 0},
	Duplicate:    {"duplicate", "another file has the same URL, or a.html and a/index.html have the same bytes; the one that most links name is listed", 0},
}

// Has reports whether the reason has a trait.
func (r Reason) Has(t Trait) bool { return Reasons[r].Traits&t != 0 }

// ReasonNames returns the names of all reasons except "listed", in the order of the constants.
func ReasonNames() []string {
	names := make([]string, 0, len(Reasons)-1)
	for _, r := range Reasons[Listed+1:] {
		names = append(names, r.Name)
	}
	return names
}

func (r Reason) String() string { return Reasons[r].Name }

// MarshalText returns the name of the reason, so that JSON contains the name.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

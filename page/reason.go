package page

// A Reason says why a page is not in the sitemap. The zero Reason, Listed, is
// none.
type Reason uint8

// The reasons, in the order in which they win when several hold.
const (
	Listed       Reason = iota
	Excluded            // pages.exclude or an include that does not match
	Unlisted            // not in the sitemaps that --from names
	Unreadable          // the file could not be read
	Broken              // the file is empty, cut off or a fragment
	InvalidURL          // no valid URL can be made of the path
	OutOfScope          // the URL lies outside the base URL
	ErrorPage           // 404.html and its like
	Verification        // a search engine's ownership file
	ByRule              // a rule with exclude: true
	OptedOut            // front matter: sitemap: false, sitemap.disable
	Draft               // front matter: draft, published: false, _drafts
	Scheduled           // publish date in the future
	Expired             // expiry date in the past
	NotRendered         // a content file that its generator makes no page of
	NoIndex             // robots meta or X-Robots-Tag
	Redirect            // meta refresh, or a rule of the host
	NotServed           // a rule of the host answers with an error, or the file is not deployed
	Robots              // disallowed by robots.txt
	Canonical           // another page is its canonical
	Duplicate           // another file has the same URL
)

// Reasons holds each reason's name, as printed and configured, and the
// sentence that explains it, in the order of the constants.
var Reasons = [...]struct{ Name, Text string }{
	Listed:       {"listed", "the page is in the sitemap"},
	Excluded:     {"excluded", "a glob of include or exclude leaves the file out"},
	Unlisted:     {"unlisted", "the sitemaps that --from names do not list the page"},
	Unreadable:   {"unreadable", "the file could not be read"},
	Broken:       {"broken", "the file is empty, cut off or a part of a page, and has nothing to index"},
	InvalidURL:   {"invalid-url", "no valid URL of less than 2,048 characters can be made of the path"},
	OutOfScope:   {"out-of-scope", "the URL lies outside the base URL, where a sitemap may not list it"},
	ErrorPage:    {"error-page", "the host serves the file for addresses that do not exist"},
	Verification: {"verification", "the file proves to a search engine who owns the site"},
	ByRule:       {"rule", "a rule with exclude: true matches"},
	OptedOut:     {"opted-out", "the front matter says sitemap: false or sitemap.disable"},
	Draft:        {"draft", "the front matter says draft: true or published: false, or the file lies in _drafts"},
	Scheduled:    {"scheduled", "the publish date lies in the future"},
	Expired:      {"expired", "the expiry date has passed"},
	NotRendered:  {"not-rendered", "the generator makes no page of the content file"},
	NoIndex:      {"noindex", "robots directives forbid indexing the page"},
	Redirect:     {"redirect", "the address leads to another one"},
	NotServed:    {"not-served", "the host answers the address with an error, or does not get the file"},
	Robots:       {"robots", "robots.txt disallows the address"},
	Canonical:    {"canonical", "the page names another address as its canonical one"},
	Duplicate:    {"duplicate", "another file has the same URL and is listed for it"},
}

// ReasonNames returns the names of the reasons for which a page is out.
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

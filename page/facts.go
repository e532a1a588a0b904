package page

import (
	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Facts is what one source, an HTML file or a content file's front matter, says
// of one page. It depends on that one file only. Zero fields say nothing.
type Facts struct {
	// URL holds what the source says for the sitemap. Loc, and the addresses of
	// Alternates and Images, stand as they were written and may be relative.
	URL sitemap.URL
	// LastModBy is the key that URL.LastMod was read from: "dateModified",
	// "article:modified_time", "lastmod"; without a LastMod, the key of the front
	// matter that should hold one and holds no date.
	LastModBy string
	Date      sitemap.Date // front matter date: when the page was written
	DateBy    string       // the key that Date was read from; ":filename" when the file's name says it
	Publish   sitemap.Date // not to be listed before
	Expiry    sitemap.Date // not to be listed from then on

	Title, Summary string       // plain text
	SiteName       string       // og:site_name, plain text
	Published      sitemap.Date // article:published_time
	Lang           string       // html lang, or the front matter's
	Canonical      string       // as written; "" when there is none or when it is contradicted
	OGURL          string       // og:url as written; "" when there is none
	Base           string       // the first base element's href, as written
	Refresh        string       // target of a meta refresh that counts as a redirect, as written
	TranslationKey string

	Permalink, Slug string   // front matter url or permalink, and slug
	ID              string   // front matter id, where it is part of the page's address
	Aliases         []string // further addresses that lead here, as written
	Categories      []string // Jekyll's category and categories, in order, as written
	EditLinks       []string // candidate "edit this page" addresses, as written
	Links           []string // where the page's links lead, each once, as written
	// Fingerprint is that of the visible content, the title and the description,
	// and does not depend on the page's own address; "" when not asked for.
	Fingerprint string

	// Skip is the reason that this source gives to leave the page out, or Listed.
	Skip Reason
	// SkipPos is the place that says so and SkipNote the text that stands there.
	SkipPos  diag.Pos
	SkipNote string

	Diags diag.List
	// Muted are the codes of further warnings that were not worth their making;
	// see Options.Muted. The next page overwrites it.
	Muted []string
}

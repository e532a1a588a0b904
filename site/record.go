package site

import (
	"cmp"
	"slices"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A fact is what one page's own file says, and nothing else: it is never
// changed. A site may have a million, so what few pages have lives in rest.
type fact struct {
	file        string // in the pages tree; in a site without one, the file that the generator would write
	loc         string // the URL of the file alone; "" when it has none
	lastmod     sitemap.Date
	rest        *rest
	fingerprint *[page.FingerprintSize]byte // nil when it is not known
	mtime       uint32                      // Unix seconds; 0 when nobody asked
	tail        uint8                       // where the path begins in loc; 0 when it stands in rest
	own         page.Reason                 // what the file itself says
	part        uint8
	by          uint8          // 1 + the index in page.DateKeys of the key that lastmod was read from
	ending      mapping.Ending // of loc; AnyEnding where it is spelled as the canonical link does
	says        mapping.Ending // that the page's canonical link has, if it is the page's own address
	og          mapping.Ending // that its og:url has
}

// A rest is what most pages do not have.
type rest struct {
	path      string // where loc does not end in it
	canonical string // resolved; "" when says tells it
	lang      string
	title     string
	summary   string
	site      string       // the site's name, of a home page
	html      string       // the language of the html element, where titles are asked for
	published sitemap.Date // when the page first appeared
	url       sitemap.URL  // alternates, images and other fields, resolved
	expiry    sitemap.Date
	local     string   // scheme and host of a local server that the page names
	pos       diag.Pos // of a URL of the configuration's extra
	diags     diag.List
}

func (f *fact) more() *rest {
	if f.rest == nil {
		f.rest = new(rest)
	}
	return f.rest
}

// put gives the fact of a file its address: its URL path below the base,
// decoded, with its leading slash, and its URL, of which there may be none.
func (f *fact) put(part uint8, urlPath, loc string) {
	f.part, f.loc = part, loc
	if at := len(loc) - len(urlPath); at > 0 && at < 1<<8 && loc[at:] == urlPath {
		f.tail = uint8(at)
		return
	}
	f.more().path = urlPath
}

// path returns the URL path of the file.
func (f *fact) path() string {
	switch {
	case f.tail > 0:
		return f.loc[f.tail:]
	case f.rest != nil:
		return f.rest.path
	}
	return ""
}

// moved returns the page at another address.
func (f *fact) moved(urlPath, loc string, e mapping.Ending) *fact {
	to := *f
	if f.rest != nil {
		own := *f.rest
		to.rest = &own
	}
	to.tail, to.ending = 0, e
	to.put(f.part, urlPath, loc)
	return &to
}

// A record is what a fold makes of one page.
type record struct {
	*fact
	src    *source
	set    *ruleSet
	loc    string // the page's URL; "" when it is out before it has one
	date   sitemap.Date
	from   uint32 // 1 + the index in Options.From of what another tool's sitemap says of it
	reason page.Reason
	dater  uint8 // 1 + the index of the source that gave date, among those that are asked; 0 without a date
	moved  bool  // loc is not the URL of the file alone
}

// lang returns the language that the page's html element names, else its front
// matter, else "".
func (r *record) lang() string { return langOf(r.fact, r.src) }

func langOf(f *fact, src *source) string {
	if f.rest != nil && isLang(f.rest.lang) {
		return f.rest.lang
	}
	if src != nil && src.facts != nil && isLang(src.facts.Lang) {
		return src.facts.Lang
	}
	return ""
}

// htmlLang returns the language of the page's html element, "" where titles are
// not asked for.
func (f *fact) htmlLang() string {
	if f.rest == nil {
		return ""
	}
	return f.rest.html
}

// content returns the path of the page's content file, "" when none is known.
func (r *record) content() string {
	if r.src == nil {
		return ""
	}
	return r.src.file
}

// title returns the page's title: its own, else its source's.
func (r *record) title() string {
	if r.rest != nil && r.rest.title != "" {
		return r.rest.title
	}
	if r.src != nil {
		return r.src.title
	}
	return ""
}

// published returns when the page first appeared, as its content file or the page
// itself says.
func (r *record) published() sitemap.Date {
	if d := r.written(); !d.IsZero() {
		return d
	}
	if r.rest != nil {
		return r.rest.published
	}
	return sitemap.Date{}
}

func (r *record) summary() string {
	if r.rest != nil && r.rest.summary != "" {
		return r.rest.summary
	}
	if r.src != nil && r.src.facts != nil {
		return r.src.facts.Summary
	}
	return ""
}

func sortFacts(fs []*fact) {
	sortAll(fs, func(a, b *fact) int { return cmp.Compare(a.file, b.file) })
}

func sortContents(cs []*content) {
	sortAll(cs, func(a, b *content) int { return cmp.Compare(a.file, b.file) })
}

func findFact(fs []*fact, file string) (int, bool) {
	return slices.BinarySearchFunc(fs, file, func(f *fact, name string) int { return cmp.Compare(f.file, name) })
}

func findSource(ss []*source, file string) (int, bool) {
	return slices.BinarySearchFunc(ss, file, func(s *source, name string) int { return cmp.Compare(s.file, name) })
}

package site

import (
	"cmp"
	"slices"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A record is one page: what its own file says, and what the last fold made of
// it. A site may have a million, so what few pages have lives in rest.
type record struct {
	file    string // in the pages tree; in a site without one, the file that the generator would write
	path    string // URL path below the base, decoded, with its leading slash
	loc     string // the page's URL; before the first fold, and unless moved says otherwise, that of path
	lastmod sitemap.Date
	mtime   int64 // Unix seconds; 0 when nobody asked
	rest    *rest

	fingerprint *[page.FingerprintSize]byte // nil when it is not known

	src    *source
	set    *ruleSet
	from   *Listed // what another tool's sitemap says of it
	date   sitemap.Date
	own    page.Reason // what the file itself says
	reason page.Reason
	part   uint8
	by     uint8 // 1 + the index in page.DateKeys of the key that lastmod was read from
	dater  uint8 // 1 + the index of the source that gave date, among those that are asked; 0 without a date
	moved  bool  // loc is not the URL of path

	ending mapping.Ending // of path; AnyEnding where it is spelled as the canonical link does
	says   mapping.Ending // that the page's canonical link has, if it is the page's own address
	og     mapping.Ending // that its og:url has
}

// A rest is what most pages do not have.
type rest struct {
	canonical string // resolved; "" when says tells it
	lang      string
	title     string
	summary   string
	url       sitemap.URL // alternates, images and other fields, resolved
	expiry    sitemap.Date
	local     string // scheme and host of a local server that the page names
	edits     []string
	links     []string // URL paths that the page links to, if it is one of the sample
	edited    string   // source file that the page's edit link names, for git
	pos       diag.Pos // of a URL of the configuration's extra
	diags     diag.List
}

func (r *record) more() *rest {
	if r.rest == nil {
		r.rest = new(rest)
	}
	return r.rest
}

// edited returns the source file that the page's edit link names, "" without one.
func (r *record) edited() string {
	if r.rest == nil {
		return ""
	}
	return r.rest.edited
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

func (r *record) summary() string {
	if r.rest != nil && r.rest.summary != "" {
		return r.rest.summary
	}
	if r.src != nil && r.src.facts != nil {
		return r.src.facts.Summary
	}
	return ""
}

func sortRecords(rs []*record) {
	sortAll(rs, func(a, b *record) int { return cmp.Compare(a.file, b.file) })
}

func sortSources(ss []*source) {
	sortAll(ss, func(a, b *source) int { return cmp.Compare(a.file, b.file) })
}

func findRecord(rs []*record, file string) (int, bool) {
	return slices.BinarySearchFunc(rs, file, func(r *record, f string) int { return cmp.Compare(r.file, f) })
}

func findSource(ss []*source, file string) (int, bool) {
	return slices.BinarySearchFunc(ss, file, func(s *source, f string) int { return cmp.Compare(s.file, f) })
}

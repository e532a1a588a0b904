package site

import (
	"cmp"
	"iter"
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Result is the outcome of a fold. It does not change and is safe for concurrent use.
type Result struct {
	List         List                   // the listed pages
	ReasonCounts [len(page.Reasons)]int // number of pages by reason; ReasonCounts[page.Listed] is the number of listed pages
	Paired       int                    // listed pages that have a content file, or name their source by an edit link
	Unpaired     int                    // listed pages that have a file but no such source
	Dated        int                    // listed pages with a date
	Dates        map[string]int         // number of dates by source
	Findings     *diag.Report           // findings about single files and pages; Lint adds those about the site
	Ledger       *ledger.Ledger         // the ledger after this build, or nil
	Next         time.Time              // the next moment at which a fold of the same files gives another result, or zero
	Canonicals   Canonicals             // canonical links to other addresses
	Gaps         Gaps                   // alternates that do not count
	LinkStyles   []LinkStyle            // the spelling of links, for each part whose links decide
	Hits         []int                  // number of matched pages by rule

	Unmatched []*Page // URLs without a file that are left out
	World     *World  // the input of the fold

	now    time.Time
	common sitemap.Date // the day that nearly all pages have
	pages  []Page       // of the files, sorted by file
}

// count counts what the passes decided.
func (r *Result) count() {
	for _, p := range r.Unmatched {
		r.ReasonCounts[p.Reason()]++
	}
	for p := range r.FilePages() {
		if !p.Listed() {
			r.ReasonCounts[p.Reason()]++
		}
	}
	r.ReasonCounts[page.Listed] = len(r.List)
	for _, p := range r.List {
		switch {
		case p.Content != nil || r.World.Edited[p.Facts.File] != "":
			r.Paired++
		case p.Facts.File != "":
			r.Unpaired++
		}
		if !p.Entry.LastMod.IsZero() {
			r.Dated++
		}
	}
}

// Pages yields all pages of the site, listed or not, sorted by URL.
func (r *Result) Pages() iter.Seq[*Page] {
	all := slices.Clone(r.Unmatched)
	for p := range r.FilePages() {
		if !p.Listed() {
			all = append(all, p)
		}
	}
	all = append(all, r.List...)
	slices.SortStableFunc(all, func(a, b *Page) int {
		return cmp.Or(cmp.Compare(r.World.PageURL(a), r.World.PageURL(b)), cmp.Compare(a.Facts.File, b.Facts.File))
	})
	return slices.Values(all)
}

// FilePages yields the pages that have a file, listed or not, sorted by file.
func (r *Result) FilePages() iter.Seq[*Page] {
	return func(yield func(*Page) bool) {
		for i := range r.pages {
			if !yield(&r.pages[i]) {
				return
			}
		}
	}
}

// PageURL returns the URL of a page. For a page that is left out, it returns the URL that the page
// would have, or "".
func (w *World) PageURL(r *Page) string {
	if r.Entry.Loc != "" {
		return r.Entry.Loc
	}
	loc, _ := w.FileURL(r)
	return loc
}

// Fingerprint returns the version of fingerprints and the fingerprint of a page's content, or "".
func (r *Result) Fingerprint(p *Page) string {
	if p.Facts.Fingerprint == nil {
		return ""
	}
	return r.World.Options.Page.Fingerprint.Version() + ":" + string(p.Facts.Fingerprint[:])
}

// Page returns the page of a file of the pages tree, or nil.
func (r *Result) Page(file string) *Page {
	i, ok := slices.BinarySearchFunc(r.pages, file, func(p Page, name string) int { return cmp.Compare(p.Facts.File, name) })
	if !ok {
		return nil
	}
	return &r.pages[i]
}

// Future reports whether a date has not come yet, anywhere on earth.
func (r *Result) Future(d sitemap.Date) bool { return (&clock{now: r.now}).isFuture(d) }

// Key returns the key of a URL in the ledger: its path below the base URL, after the folder of its
// part.
func (r *Result) Key(loc string) (string, bool) {
	p, urlPath, ok := r.World.FindPart(loc)
	if !ok {
		return "", false
	}
	return keyOf(p, urlPath), true
}

// Part returns the pages of one part: 0 is the site itself, i the Options'
// Sites[i-1].
func (r *Result) Part(i int) (l List) {
	if len(r.World.Parts) == 1 {
		return r.List
	}
	for _, p := range r.List {
		if int(p.Facts.Part) == i {
			l = append(l, p)
		}
	}
	return l
}

// A Name is the title and the language of a site by its home page. Either may be "".
type Name struct{ Title, Lang string }

// Name returns the name of part i, 0 for the site itself, if page.Options includes titles.
func (r *Result) Name(i int) Name {
	at, ok := r.List.Find(r.World.Parts[i].Base.String())
	if !ok {
		return Name{}
	}
	home := r.List[at]
	return Name{cmp.Or(home.rest().Site, siteName(home.Title())), home.rest().HTMLLang}
}

// siteName returns the title of a home page, or "" if it names only the page.
func siteName(title string) string {
	switch strings.ToLower(strings.TrimSpace(title)) {
	case "home", "homepage", "home page", "index", "welcome":
		return ""
	}
	return title
}

// A List is the pages of a sitemap, sorted by URL, each URL once. It is read only.
type List []*Page

// Entries gives access to the sitemap entries of a list. It is safe for concurrent use.
type Entries struct {
	of    *World
	pages List
}

// Entries returns the entries of a list.
func (w *World) Entries(l List) Entries { return Entries{w, l} }

// Len returns the number of entries.
func (es Entries) Len() int { return len(es.pages) }

// Entry sets *e to the entry of page i.
func (es Entries) Entry(i int, e *sitemap.Entry) {
	r := es.pages[i]
	*e = sitemap.Entry{URL: r.Entry}
	if es.of.Options.Page.Titles {
		e.Title, e.Summary, e.Published = r.Title(), r.summary(), r.published()
		e.Check(func(_, _, _ string) {}) // a pass has reported the findings
	}
}

// Find returns the index of the page with a URL. If there is none, i is the index at which the
// page would be.
func (l List) Find(loc string) (i int, ok bool) {
	return slices.BinarySearchFunc(l, loc, func(r *Page, loc string) int { return cmp.Compare(r.Entry.Loc, loc) })
}

// FindNear is Find for callers that look up URLs mostly in order. near is the index at which the page
// is expected.
func (l List) FindNear(loc string, near int) (i int, ok bool) {
	if near < len(l) && l[near].Entry.Loc == loc {
		return near, true
	}
	return l.Find(loc)
}

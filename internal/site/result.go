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

// A Result is the outcome of ListPages. It is immutable and safe for concurrent use.
type Result struct {
	List              List                   // the listed pages
	ReasonCounts      [len(page.Reasons)]int // number of pages by reason, including page.Listed
	Paired            int                    // number of listed pages that have a content file, or an edit link to their source file
	Unpaired          int                    // number of listed pages that have a page file but no source file
	Dated             int                    // number of listed pages with a date
	Dates             map[string]int         // number of listed pages by the source of their dates, such as "git"
	Findings          *diag.Report           // findings about single files and pages; Lint adds those about the site
	Ledger            *ledger.Ledger         // the ledger after this build, or nil
	Next              time.Time              // the next time at which ListPages may give another result for the same files, or zero
	Canonicals        Canonicals             // canonical links to other URLs
	AlternateProblems LinkProblems           // alternates that have a problem; most are not listed
	LinkStyles        []LinkStyle            // how links end, for each part and form of file for which links were counted
	Hits              []int                  // number of matched pages, by the index of the rule

	Unmatched []*Page // URLs without a file that are left out
	World     *World  // the argument of ListPages

	now       time.Time
	commonDay sitemap.Date // the day that nearly all pages have, or zero
	pages     []Page       // pages with a file, sorted by file
}

// A List contains the listed pages of a sitemap, sorted by URL, with each URL once. Do not modify
// it.
type List []*Page

// Find returns the index of the page with the URL loc. If there is none, ok is false, and i is the
// index at which the page would be inserted.
func (l List) Find(loc string) (i int, ok bool) {
	return slices.BinarySearchFunc(l, loc, func(p *Page, loc string) int { return cmp.Compare(p.Loc, loc) })
}

// countPages sets the counts of the result: ReasonCounts, Paired, Unpaired and Dated.
func (r *Result) countPages() {
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
		if !p.LastMod.IsZero() {
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
		return cmp.Or(cmp.Compare(a.Loc, b.Loc), cmp.Compare(a.Facts.File, b.Facts.File))
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

// Fingerprint returns the fingerprint of a page's content in the form "version:hash", with the
// version of the fingerprint format. It returns "" if the fingerprint is unknown.
func (r *Result) Fingerprint(p *Page) string {
	if p.Facts.Fingerprint == nil {
		return ""
	}
	return r.World.Options.Page.Fingerprint.Version() + ":" + string(p.Facts.Fingerprint[:])
}

// Page returns the page whose path in the pages tree is file, or nil.
func (r *Result) Page(file string) *Page {
	i, ok := findPageFacts(r.World.pages, file)
	if !ok {
		return nil
	}
	return &r.pages[i]
}

// findListedFirst returns the page in r.List whose URL is loc. If there is none, it returns the
// result of findByURL with withHidden set.
func (r *Result) findListedFirst(loc string) *Page {
	if i, ok := r.List.Find(loc); ok {
		return r.List[i]
	}
	return r.findByURL(loc, true)
}

// findByURL returns the page whose file the host serves at loc or at another spelling of loc. The
// page may be listed or not. If withHidden is set, findByURL also finds a page that a rule of the
// host hides, for example by a redirect. It returns nil if there is no such page.
func (r *Result) findByURL(loc string, withHidden bool) *Page {
	part, urlPath, ok := r.World.FindPart(loc)
	if !ok {
		return nil
	}
	file := part.FileAt(urlPath, withHidden)
	if file == "" {
		return nil
	}
	return r.Page(part.pathInSite(file))
}

// IsFuture reports whether d is in the future. A day without a time is in the future only if it has
// not begun in any time zone. A time must be more than five minutes ahead.
func (r *Result) IsFuture(d sitemap.Date) bool { return (&clock{now: r.now}).isFuture(d) }

// ListedPagesOf returns the listed pages of World.Parts[part]. Part 0 is the site itself.
func (r *Result) ListedPagesOf(part int) (l List) {
	if len(r.World.Parts) == 1 {
		return r.List
	}
	for _, p := range r.List {
		if int(p.Facts.Part) == part {
			l = append(l, p)
		}
	}
	return l
}

// A Name contains the title and the language of a site, as its home page gives them. Either may be
// "".
type Name struct{ Title, Lang string }

// NameOf returns the title and the language of the site World.Parts[part], as its home page gives
// them. It returns the zero Name if the home page is not listed. It returns the title and the
// language from the HTML only if page.Options.Titles is set.
func (r *Result) NameOf(part int) Name {
	at, ok := r.List.Find(r.World.Parts[part].Base.String())
	if !ok {
		return Name{}
	}
	home := r.List[at]
	return Name{cmp.Or(home.Facts.Rare().Site, nameFromTitle(home.Title())), home.Facts.Rare().HTMLLang}
}

// nameFromTitle returns title, the title of a home page, or "" if it does not name the site, such
// as "Home".
func nameFromTitle(title string) string {
	switch strings.ToLower(strings.TrimSpace(title)) {
	case "home", "homepage", "home page", "index", "welcome":
		return ""
	}
	return title
}

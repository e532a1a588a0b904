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

// A Result is what a fold makes of a site. It is never changed: questions may be
// asked at once.
type Result struct {
	List         List                   // the pages that are in
	ReasonCounts [len(page.Reasons)]int // how many pages each reason leaves out; ReasonCounts[page.Listed] is how many are in
	Paired       int                    // listed pages that have a content file, or name their source by an edit link
	Unpaired     int                    // listed pages that have a file but no such source
	Dated        int                    // listed pages with a date
	Dates        map[string]int         // how many of them each source of dates gave
	Findings     *diag.Report           // what is wrong with single files and pages; Lint finds the rest
	Ledger       *ledger.Ledger         // what to remember of this build; nil without a ledger
	Next         time.Time              // the next moment at which a fold of the same files gives another result; zero: never
	Canonicals   Canonicals             // which page names which in place of itself
	Gaps         Gaps                   // alternates that do not count
	LinkStyles   []LinkStyle            // how the links of each part spell addresses, where they decide
	Hits         []int                  // of each rule: the pages that it matches; nil without rules

	Unmatched []*Page // URLs that no file stands for and that are out
	World     *World  // of which it was made

	now    time.Time
	common sitemap.Date // the day that nearly all pages have
	pages  []Page       // of the files, sorted by file
}

// count counts what the passes decided.
func (r *Result) count() {
	for _, p := range r.Unmatched {
		r.ReasonCounts[p.Reason()]++
	}
	for p := range r.Files() {
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

// Pages yields every page of the site, listed or not, sorted by URL.
func (r *Result) Pages() iter.Seq[*Page] {
	all := slices.Clone(r.Unmatched)
	for p := range r.Files() {
		if !p.Listed() {
			all = append(all, p)
		}
	}
	all = append(all, r.List...)
	slices.SortStableFunc(all, func(a, b *Page) int {
		return cmp.Or(cmp.Compare(r.World.Where(a), r.World.Where(b)), cmp.Compare(a.Facts.File, b.Facts.File))
	})
	return slices.Values(all)
}

// Files yields the pages that a file stands for, listed or not, sorted by file.
func (r *Result) Files() iter.Seq[*Page] {
	return func(yield func(*Page) bool) {
		for i := range r.pages {
			if !yield(&r.pages[i]) {
				return
			}
		}
	}
}

// Where returns the URL of a page, of one that is out the one that it would
// have; "" where it can have none.
func (w *World) Where(r *Page) string {
	if r.Entry.Loc != "" {
		return r.Entry.Loc
	}
	loc, _ := w.Mapped(r)
	return loc
}

// Fingerprint returns that of the content of a page behind the version of
// fingerprints, "" when it is not known.
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
func (r *Result) Future(d sitemap.Date) bool { return (&clock{now: r.now}).future(d) }

// Key returns the path of a URL below the base URLs of all parts together, under
// which the ledger remembers its page.
func (r *Result) Key(loc string) (string, bool) {
	p, urlPath, ok := r.World.Below(loc)
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

// A Name is what a site says of itself on its home page: what it is called and in
// which language; "" for what it does not say.
type Name struct{ Title, Lang string }

// Name returns that of part i, 0 for the site itself, where titles are asked for.
func (r *Result) Name(i int) Name {
	at, ok := r.List.Find(r.World.Parts[i].Base.String())
	if !ok {
		return Name{}
	}
	home := r.List[at]
	return Name{cmp.Or(home.rest().Site, siteName(home.Title())), home.rest().HTMLLang}
}

// siteName returns the title of a home page where it names the site, and not only
// the page.
func siteName(title string) string {
	switch strings.ToLower(strings.TrimSpace(title)) {
	case "home", "homepage", "home page", "index", "welcome":
		return ""
	}
	return title
}

// A List is the pages of a sitemap, sorted by URL, each URL once, which must not be
// changed.
type List []*Page

// Entries are the entries of the pages of a list. They are safe for concurrent use.
type Entries struct {
	of    *World
	pages List
}

// Entries returns the entries of a list.
func (w *World) Entries(l List) Entries { return Entries{w, l} }

// Len returns how many there are.
func (es Entries) Len() int { return len(es.pages) }

// Entry fills *e with that of page i.
func (es Entries) Entry(i int, e *sitemap.Entry) {
	r := es.pages[i]
	*e = sitemap.Entry{URL: r.Entry}
	if es.of.Options.Page.Titles {
		e.Title, e.Summary, e.Published = r.Title(), r.summary(), r.published()
		e.Check(func(_, _, _ string) {}) // reported by the pass that checks
	}
}

// Find returns the page with a URL, or where it would be.
func (l List) Find(loc string) (i int, ok bool) {
	return slices.BinarySearchFunc(l, loc, func(r *Page, loc string) int { return cmp.Compare(r.Entry.Loc, loc) })
}

// FindNear is Find for who looks for URLs mostly in their order: near is the number
// of the page that it expects, any number if it has no idea. Where there is no
// such page, i is where it would be.
func (l List) FindNear(loc string, near int) (i int, ok bool) {
	if near < len(l) && l[near].Entry.Loc == loc {
		return near, true
	}
	return l.Find(loc)
}

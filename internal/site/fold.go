package site

import (
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
)

// A fold is a result under construction.
type fold struct {
	*Result
	clock *clock
	index *index // see files
	taken []bool // for each URL of Options.From, whether a file serves it
}

// A pass decides one thing for all pages.
type pass struct {
	name string
	run  func(f *fold)
}

// passes lists all passes of a fold in order.
var passes = []pass{
	{"repeat", func(f *fold) { repeatFindings(f.World, f.Findings) }},
	{"pair", func(f *fold) { f.pages = newPages(f.World) }},
	{"given", func(f *fold) { f.taken = joinGiven(f.World, f.pages, f.files(), f.Findings) }},
	{"rules", func(f *fold) { f.Hits = matchRules(f.World, f.pages) }},
	{"judge", func(f *fold) { judge(f.World, f.pages, f.clock) }},
	{"address", func(f *fold) { f.List = address(f.World, f.pages, f.Findings) }},
	{"extra", addExtra},
	{"dedupe", func(f *fold) { dedupe(f.World, f.List, f.Findings) }},
	{"canonical", func(f *fold) {
		f.Canonicals = findCanonicals(f.World, f.files(), f.List, f.Findings)
		f.List = slices.DeleteFunc(f.List, func(r *Page) bool { return !r.Listed() })
	}},
	{"fields", func(f *fold) { fillEntries(f.World, f.List, f.clock) }},
	{"translate", func(f *fold) { f.Gaps = translate(f.World, f.files(), f.List) }},
	{"group", func(f *fold) { groupTranslations(f.World, f.List) }},
	{"remember", func(f *fold) { f.Ledger = remember(f.World, f.List, f.clock) }},
	{"date", func(f *fold) { f.common, f.Dates = datePages(f.World, f.List, f.Ledger, f.clock, f.Findings) }},
	{"check", func(f *fold) { checkEntries(f.World, f.List, f.Findings) }},
}

// Fold decides at a point in time which pages are listed, and fills their entries. It does
// not change the world, so two folds may run at once, and an earlier result stays valid.
func Fold(w *World, now time.Time) *Result {
	f := newFold(w, now)
	for _, p := range passes {
		p.run(f)
	}
	f.count()
	f.Next = f.clock.next
	return f.Result
}

func newFold(w *World, now time.Time) *fold {
	return &fold{
		Result: &Result{World: w, now: now, LinkStyles: w.linkStyles, Findings: &diag.Report{Keep: w.Options.Findings}},
		clock:  &clock{now: now},
	}
}

// files returns the index of the pages that have a file.
func (f *fold) files() *index {
	if f.index == nil {
		f.index = &index{world: f.World, pages: f.pages}
	}
	return f.index
}

// newPages returns a row for each page, before any decision.
func newPages(w *World) []Page {
	pages := make([]Page, len(w.pages))
	for i, p := range w.pages {
		pages[i].Facts, pages[i].Content = p, w.pairs[i]
	}
	return pages
}

// repeatFindings adds the findings of reading and relating the site.
func repeatFindings(w *World, report *diag.Report) {
	report.Merge(w.Facts.Findings)
	report.Add(w.Facts.ContentListing...)
	report.Add(w.Facts.PageListing...)
	report.Add(w.trouble...)
	report.Add(w.Git.Trouble...)
	for _, p := range w.pages {
		if p.Rest != nil {
			report.Add(p.Rest.Diags...)
		}
	}
	for _, src := range w.ContentFiles {
		if src.Facts != nil {
			report.Add(src.Facts.Diags...)
		}
	}
}

package site

import (
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/mapping"
)

// A fold is a result that is being made.
type fold struct {
	*Result
	clock *clock
	index *index // as files returns it; nil before
	taken []bool // of each URL of Options.From: a file stands for it
}

// A pass does one thing for all pages. Where it is not wanted it would do nothing, and is not
// run. Reads and writes name the fields of Page, of its Entry, of Result and of fold that
// it uses, but for World, which all may read, and the findings and the clock, to which
// all may add; TestPasses compares all of this with what a pass does.
type pass struct {
	name          string
	wanted        func(f *fold) bool // nil: always
	reads, writes []string
	run           func(f *fold)
}

// passes are all of a fold, in order.
var passes = []pass{
	{"repeat", nil, nil, nil, func(f *fold) { repeatFindings(f.World, f.Findings) }},
	{"pair", nil, nil, []string{"pages", "Said", "Content"}, func(f *fold) {
		f.pages = pairPages(f.World)
	}},
	{"given", func(f *fold) bool { return len(f.World.Options.From) > 0 }, []string{"pages", "Said"}, []string{"taken", "Given"}, func(f *fold) {
		f.taken = joinGiven(f.World, f.pages, f.files().byLoc(), f.Findings)
	}},
	{"rules", func(f *fold) bool { return f.World.Options.Rules.Len() > 0 }, []string{"pages", "Said", "Content"}, []string{"Hits", "Rules"}, func(f *fold) {
		f.Hits = matchRules(f.World, f.pages)
	}},
	{"judge", nil, []string{"pages", "Said", "Content", "Given", "Rules"}, []string{"Out"}, func(f *fold) {
		judge(f.World, f.pages, f.clock)
	}},
	{"address", nil, []string{"pages", "Said", "Content", "Rules", "Out"}, []string{"Out", "Loc", "List"}, func(f *fold) {
		f.List = address(f.World, f.pages, f.Findings)
	}},
	{"extra", func(f *fold) bool { return len(f.World.Options.Extra)+len(f.World.Options.From) > 0 }, []string{"List", "taken", "Hits"}, []string{"Strays", "List", "Hits"}, addExtra},
	{"dedupe", nil, []string{"List", "Said", "Content", "Given", "Rules", "Loc"}, []string{"List", "Out"}, func(f *fold) { dedupe(f.World, f.List, f.Findings) }},
	{"canonical", func(f *fold) bool {
		return slices.ContainsFunc(f.List, func(r *Page) bool {
			return !r.Listed() || r.Said.Rest != nil && r.Said.Rest.Canonical != "" || r.Said.Says != mapping.AnyEnding
		})
	}, []string{"pages", "List", "Said", "Out", "Loc", "Rules"}, []string{"Canonicals", "Out", "List"}, func(f *fold) {
		f.Canonicals = findCanonicals(f.World, f.files(), f.List, f.Findings)
		f.List = slices.DeleteFunc(f.List, func(r *Page) bool { return !r.Listed() })
	}},
	{"fields", nil, []string{"List", "Said", "Content", "Given", "Rules", "Loc"}, []string{"ChangeFreq", "Priority", "Alternates", "Images", "Videos", "News"}, func(f *fold) {
		fillEntries(f.World, f.List, f.clock)
	}},
	{"translate", func(f *fold) bool {
		return slices.ContainsFunc(f.List, func(r *Page) bool { return len(r.Entry.Alternates) > 0 })
	}, []string{"pages", "List", "Said", "Content", "Given", "Rules", "Out", "Loc", "Alternates"}, []string{"Alternates", "Gaps"}, func(f *fold) {
		f.Gaps = translate(f.World, f.files(), f.List)
	}},
	{"group", func(f *fold) bool {
		return len(f.World.Options.Languages)+len(f.World.Options.Mapping.Languages)+len(f.World.ContentFiles) > 0
	}, []string{"List", "Said", "Content", "Loc", "Alternates"}, []string{"Alternates"}, func(f *fold) {
		groupTranslations(f.World, f.List)
	}},
	{"remember", func(f *fold) bool { return f.World.Options.Ledger != nil }, []string{"List", "Said", "Rules", "Loc"}, []string{"Ledger"}, func(f *fold) {
		f.Ledger = remember(f.World, f.List, f.clock)
	}},
	{"date", func(f *fold) bool { return len(f.World.heard(f.World.Options.LastMod)) > 0 }, []string{"List", "Said", "Content", "Given", "Rules", "Loc", "Ledger"}, []string{"LastMod", "DateBy", "days", "Dates"}, func(f *fold) {
		f.days, f.Dates = datePages(f.World, f.List, f.Ledger, f.clock, f.Findings)
	}},
	{"check", func(f *fold) bool {
		return f.World.Options.Page.Titles || slices.ContainsFunc(f.List, func(r *Page) bool { return r.Entry.Extensions() != 0 })
	}, []string{"List", "Said", "Content", "Given", "ChangeFreq", "Priority", "Alternates", "Images", "Videos", "News", "Loc"}, []string{"Alternates", "Images", "Videos", "News"}, func(f *fold) {
		checkEntries(f.World, f.List, f.Findings)
	}},
}

// Fold decides who is in and what is said of each at a time. It writes to nothing
// that it is given, so two may run at once, and a result stays as it is.
func Fold(w *World, now time.Time) *Result {
	f := newFold(w, now)
	for _, p := range passes {
		if p.wanted == nil || p.wanted(f) {
			p.run(f)
		}
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

// files returns the index of the pages that files stand for.
func (f *fold) files() *index {
	if f.index == nil {
		f.index = newIndex(f.World, f.pages)
	}
	return f.index
}

// pairPages makes a row of each page, of which nothing is decided yet.
func pairPages(w *World) []Page {
	pages := make([]Page, len(w.pages))
	for i, p := range w.pages { // a whole row at once would be written twice
		pages[i].Said, pages[i].Content = p, w.pairs[i]
	}
	return pages
}

// repeatFindings reports what was found while the site was read and related.
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

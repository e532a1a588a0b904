package site

import (
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/mapping"
)

// A fold is what the passes know of a site so far.
type fold struct {
	world  *World
	now    time.Time
	report *diag.Report

	pages  []Page  // of the files, sorted by file
	index  *index  // of these
	strays []*Page // URLs that no file stands for and that are out
	listed []*Page // those that are in, sorted by URL from dedupe on

	taken      []bool     // of each URL of Options.From: a file stands for it
	hits       []int      // of each rule: the pages that it matches
	canonicals Canonicals // which page names which in place of itself
	gaps       Gaps       // alternates that do not count
	ledger     *ledger.Ledger
	days       days
	dates      map[string]int // how many listed pages each source dated
	next       time.Time      // at which an answer becomes another one; zero: never
}

// A pass is one step of a fold. Where it is not wanted it would do nothing, and is not
// run. Reads and writes name the fields of Page, of its Entry and of fold that it uses,
// but for world, now and report, which all may read, and the report, which all may add
// to; TestPasses holds all of this against what a pass does.
type pass struct {
	name          string
	wanted        func(f *fold) bool // nil: always
	reads, writes []string
	run           func(f *fold)
}

// passes are all steps of a fold, in order.
var passes = []pass{
	{"repeat", nil, nil, nil, func(f *fold) { repeatFindings(f.world, f.report) }},
	{"pair", nil, nil, []string{"pages", "Said", "Content"}, func(f *fold) {
		f.pages = pairPages(f.world)
		f.index = newIndex(f.world, f.pages)
	}},
	{"given", func(f *fold) bool { return len(f.world.Options.From) > 0 }, []string{"pages", "Said"}, []string{"taken", "Given"}, func(f *fold) {
		f.taken = joinGiven(f.world, f.index, f.report)
	}},
	{"rules", func(f *fold) bool { return f.world.Options.Rules.Len() > 0 }, []string{"pages", "Said", "Content"}, []string{"hits", "Rules"}, func(f *fold) {
		f.hits = matchRules(f.world, f.pages)
	}},
	{"judge", nil, []string{"pages", "Said", "Content", "Given", "Rules"}, []string{"Out", "next"}, func(f *fold) {
		f.next = judge(f.world, f.pages, f.now)
	}},
	{"address", nil, []string{"pages", "Said", "Content", "Rules", "Out"}, []string{"Out", "Loc", "listed"}, func(f *fold) {
		f.listed = address(f.world, f.pages, f.report)
	}},
	{"extra", func(f *fold) bool { return len(f.world.Options.Extra)+len(f.world.Options.From) > 0 }, []string{"listed", "taken", "hits"}, []string{"strays", "listed", "hits"}, addExtra},
	{"dedupe", nil, []string{"listed", "Said", "Content", "Given", "Rules", "Loc"}, []string{"listed", "Out"}, func(f *fold) { dedupe(f.world, f.listed, f.report) }},
	{"canonical", func(f *fold) bool {
		return slices.ContainsFunc(f.listed, func(r *Page) bool {
			return !r.Listed() || r.Said.Rest != nil && r.Said.Rest.Canonical != "" || r.Said.Says != mapping.AnyEnding
		})
	}, []string{"pages", "listed", "Said", "Out", "Loc", "Rules"}, []string{"canonicals", "Out", "listed"}, func(f *fold) {
		f.canonicals = findCanonicals(f.world, f.index, f.listed, f.report)
		f.listed = slices.DeleteFunc(f.listed, func(r *Page) bool { return !r.Listed() })
	}},
	{"fields", nil, []string{"listed", "Said", "Content", "Given", "Rules", "Loc"}, []string{"ChangeFreq", "Priority", "Alternates", "Images", "Videos", "News"}, func(f *fold) {
		fillEntries(f.world, f.listed)
	}},
	{"news", func(f *fold) bool {
		return slices.ContainsFunc(f.listed, func(r *Page) bool { return r.Entry.News != nil })
	}, []string{"listed", "News", "next"}, []string{"News", "next"}, func(f *fold) { f.next = earlier(f.next, endNews(f.listed, f.now)) }},
	{"translate", func(f *fold) bool {
		return slices.ContainsFunc(f.listed, func(r *Page) bool { return len(r.Entry.Alternates) > 0 })
	}, []string{"pages", "listed", "Said", "Content", "Given", "Rules", "Out", "Loc", "Alternates"}, []string{"Alternates", "gaps"}, func(f *fold) {
		f.gaps = translate(f.world, f.index, f.listed)
	}},
	{"group", func(f *fold) bool {
		return len(f.world.Options.Languages)+len(f.world.Options.Mapping.Languages)+len(f.world.ContentFiles) > 0
	}, []string{"listed", "Said", "Content", "Loc", "Alternates"}, []string{"Alternates"}, func(f *fold) {
		groupTranslations(f.world, f.listed)
	}},
	{"remember", func(f *fold) bool { return f.world.Options.Ledger != nil }, []string{"listed", "Said", "Rules", "Loc", "next"}, []string{"ledger", "next"}, func(f *fold) {
		c := clock{f.now, f.next}
		f.ledger = remember(f.world, f.listed, &c)
		f.next = c.next
	}},
	{"date", func(f *fold) bool { return len(f.world.heard()) > 0 }, []string{"listed", "Said", "Content", "Given", "Rules", "Loc", "ledger", "next"}, []string{"LastMod", "DateBy", "days", "dates", "next"}, func(f *fold) {
		c := clock{f.now, f.next}
		f.days, f.dates = datePages(f.world, f.listed, f.ledger, &c, f.report)
		f.next = c.next
	}},
	{"check", func(f *fold) bool {
		return f.world.Options.Page.Titles || slices.ContainsFunc(f.listed, func(r *Page) bool { return r.Entry.Extensions() != 0 })
	}, []string{"listed", "Said", "Content", "Given", "ChangeFreq", "Priority", "Alternates", "Images", "Videos", "News", "Loc"}, []string{"Alternates", "Images", "Videos", "News"}, func(f *fold) {
		checkEntries(f.world, f.listed, f.report)
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
	return f.result()
}

func newFold(w *World, now time.Time) *fold {
	return &fold{world: w, now: now, report: &diag.Report{Keep: w.Options.Findings}}
}

// pairPages makes a row of each page, of which nothing is decided yet.
func pairPages(w *World) []Page {
	pages := make([]Page, len(w.pages))
	for i, p := range w.pages {
		pages[i] = Page{Said: p, Content: w.pairs[i]}
	}
	return pages
}

// repeatFindings reports what was found while the site was read and related.
func repeatFindings(w *World, report *diag.Report) {
	report.Merge(w.Facts.Findings)
	report.Add(w.Facts.Listing...)
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

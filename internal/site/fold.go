package site

import (
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
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
	canonicals canonicals // which page names which in place of itself
	collapses  []Collapse
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
	{"fragments", func(f *fold) bool {
		return slices.ContainsFunc(f.world.pages, func(p *facts.Page) bool { return p.Own == page.Fragment || p.Own == page.Broken })
	}, nil, nil, func(f *fold) { reportParts(f.world, f.report) }},
	{"local", func(f *fold) bool {
		return slices.ContainsFunc(f.world.pages, func(p *facts.Page) bool { return p.Rest != nil && p.Rest.Local != "" })
	}, nil, nil, func(f *fold) { reportLocal(f.world, f.report) }},
	{"pair", nil, nil, []string{"pages", "Said", "Content"}, func(f *fold) {
		f.pages = pairPages(f.world)
		f.index = newIndex(f.world, f.pages)
	}},
	{"given", func(f *fold) bool { return len(f.world.o.From) > 0 }, []string{"pages", "Said"}, []string{"taken", "Given"}, func(f *fold) {
		f.taken = joinGiven(f.world, f.index, f.report)
	}},
	{"rules", func(f *fold) bool { return f.world.o.Rules.Len() > 0 }, []string{"pages", "Said", "Content"}, []string{"hits", "Rules"}, func(f *fold) {
		f.hits = matchRules(f.world, f.pages)
	}},
	{"judge", nil, []string{"pages", "Said", "Content", "Given", "Rules"}, []string{"Out", "next"}, func(f *fold) {
		f.next = judge(f.world, f.pages, f.now)
	}},
	{"address", nil, []string{"pages", "Said", "Content", "Rules", "Out"}, []string{"Out", "Loc", "listed"}, func(f *fold) {
		f.listed = address(f.world, f.pages, f.report)
	}},
	{"extra", func(f *fold) bool { return len(f.world.o.Extra)+len(f.world.o.From) > 0 }, []string{"listed", "taken", "hits"}, []string{"strays", "listed", "hits"}, addExtra},
	{"dedupe", nil, []string{"listed", "Said", "Content", "Given", "Rules", "Loc"}, []string{"listed", "Out"}, func(f *fold) { dedupe(f.world, f.listed, f.report) }},
	{"canonical", func(f *fold) bool {
		return slices.ContainsFunc(f.listed, func(r *Page) bool {
			return !r.Listed() || r.Said.Rest != nil && r.Said.Rest.Canonical != "" || r.Said.Says != mapping.AnyEnding
		})
	}, []string{"pages", "listed", "Said", "Out", "Loc", "Rules"}, []string{"canonicals", "Out", "listed"}, func(f *fold) {
		f.canonicals = findCanonicals(f.world, f.index, f.listed, f.report)
		f.listed = slices.DeleteFunc(f.listed, func(r *Page) bool { return !r.Listed() })
	}},
	{"versions", func(f *fold) bool { return len(f.world.versions) > 0 && len(f.world.o.Versions.Names) == 0 }, []string{"listed", "Said"}, nil, func(f *fold) {
		reportVersions(f.world, f.listed, f.report)
	}},
	{"shell", func(f *fold) bool {
		return len(f.listed) <= fewPages && slices.ContainsFunc(f.listed, isShell)
	}, []string{"listed", "Said"}, nil, func(f *fold) { reportShell(f.world, f.listed, f.report) }},
	{"collapse", func(f *fold) bool {
		return len(f.canonicals.ignored.kinds) > 0 || slices.ContainsFunc(f.pages, func(r Page) bool { return r.Out != nil })
	}, []string{"pages", "Said", "Out", "canonicals"}, []string{"collapses"}, func(f *fold) {
		f.collapses = findCollapses(f.world, f.pages, &f.canonicals, f.report)
	}},
	{"fields", nil, []string{"listed", "Said", "Content", "Given", "Rules", "Loc"}, []string{"ChangeFreq", "Priority", "Alternates", "Images", "Videos", "News"}, func(f *fold) {
		fillEntries(f.world, f.listed)
	}},
	{"news", func(f *fold) bool {
		return slices.ContainsFunc(f.listed, func(r *Page) bool { return r.Entry.News != nil })
	}, []string{"listed", "News", "next"}, []string{"News", "next"}, func(f *fold) { f.next = earlier(f.next, endNews(f.listed, f.now)) }},
	{"translate", func(f *fold) bool {
		return slices.ContainsFunc(f.listed, func(r *Page) bool { return len(r.Entry.Alternates) > 0 })
	}, []string{"pages", "listed", "collapses", "Said", "Content", "Given", "Rules", "Out", "Loc", "Alternates"}, []string{"Alternates"}, func(f *fold) {
		translate(f.world, f.index, f.listed, len(f.collapses) == 0, f.report)
	}},
	{"group", func(f *fold) bool {
		return len(f.world.o.Languages)+len(f.world.o.Mapping.Languages)+len(f.world.contentFiles) > 0
	}, []string{"listed", "Said", "Content", "Loc", "Alternates"}, []string{"Alternates"}, func(f *fold) {
		groupTranslations(f.world, f.listed, f.report)
	}},
	{"remember", func(f *fold) bool { return f.world.o.Ledger != nil }, []string{"listed", "Said", "Rules", "Loc", "next"}, []string{"ledger", "next"}, func(f *fold) {
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
		return f.world.o.Page.Titles || slices.ContainsFunc(f.listed, func(r *Page) bool { return r.Entry.Extensions() != 0 })
	}, []string{"listed", "Said", "Content", "Given", "ChangeFreq", "Priority", "Alternates", "Images", "Videos", "News", "Loc"}, []string{"Alternates", "Images", "Videos", "News"}, func(f *fold) {
		checkEntries(f.world, f.listed, f.report)
	}},
	{"unused", func(f *fold) bool { return slices.Contains(f.hits, 0) }, []string{"pages", "Said", "Content", "hits"}, nil, func(f *fold) {
		findUnused(f.world, f.pages, f.hits, f.report)
	}},
	{"name", func(f *fold) bool { return f.world.o.Content != nil }, []string{"pages", "Said", "Content"}, nil, func(f *fold) {
		nameContents(f.world, f.pages, f.report)
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
	return &fold{world: w, now: now, report: &diag.Report{Keep: w.o.Findings}}
}

// pairPages makes a row of each page, of which nothing is decided yet.
func pairPages(w *World) []Page {
	pages := make([]Page, len(w.pages))
	for i, p := range w.pages {
		pages[i] = Page{Said: p, Content: w.contentOf(i)}
	}
	return pages
}

// nameContents names the content file of each page that a finding is about. In a
// content tree the finding names it itself.
func nameContents(w *World, pages []Page, report *diag.Report) {
	if w.o.Pages == nil {
		return
	}
	report.Each(func(d *diag.Diagnostic) {
		if file, in := w.o.Pages.Shown(d.Pos.File); in {
			if i, ok := findFact(w.pages, file); ok && pages[i].Content != nil {
				d.Source = w.ContentPos(&pages[i])
			}
		}
	})
}

// repeatFindings reports what was found while the site was read and related.
func repeatFindings(w *World, report *diag.Report) {
	report.Merge(w.facts.Findings)
	report.Add(w.facts.Listing...)
	report.Add(w.trouble...)
	report.Add(w.git.trouble...)
	for _, p := range w.pages {
		if p.Rest != nil {
			report.Add(p.Rest.Diags...)
		}
	}
	for _, src := range w.contentFiles {
		if src.Facts != nil {
			report.Add(src.Facts.Diags...)
		}
	}
}

// reportLocal reports, once for all, the pages that name a local server.
func reportLocal(w *World, report *diag.Report) {
	var all []*facts.Page
	for _, p := range w.pages {
		if p.Rest != nil && p.Rest.Local != "" {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return
	}
	first, more := all[0], ""
	if len(all) > 1 {
		more = "; so do " + diag.Count(len(all)-1, "more page")
	}
	report.Add(diag.Warnf(w.Pos(&Page{Said: first}), "local-address", "build the site for production before you publish it",
		"it names %s, as a development server writes addresses%s; they are read as %s", first.Rest.Local, more, w.parts[first.Part].Base).About(first.Rest.Local))
}

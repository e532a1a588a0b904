package site

import (
	"cmp"
	"path"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Result is what a fold makes of a site.
type Result struct {
	List       List                   // the pages that are in
	Left       [len(page.Reasons)]int // how many pages each reason leaves out; Left[page.Listed] is how many are in
	Paired     int                    // listed pages that have a content file, or name their source by an edit link
	Unpaired   int                    // listed pages that have a file but no such source
	Dated      int                    // listed pages with a date
	Dates      map[string]int         // how many of them each source of dates gave
	Findings   *diag.Report           // all that is wrong, learned and folded
	Ledger     *ledger.Ledger         // what to remember of this build; nil without a ledger
	Next       time.Time              // the next moment at which a fold of the same files gives another result; zero: never
	Collapses  []Collapse             // causes that take most of the site out
	LinkStyles []LinkStyle            // how the links of each part spell addresses, where they decide

	records []record  // of the pages that a file stands for, sorted by file
	strays  []*record // addresses without a file that are out
}

// A fold is one pass over all pages.
type fold struct {
	*view
	records    []record      // in the order of the world's pages
	nothing    []*facts.Page // of each part, what is known of a page without a file
	sets       *ruleSets
	ledger     *ledger.Ledger
	prints     []ledger.Page // what the ledger is told of the listed pages
	counts     []int         // how many pages each source that is asked gave a date
	listed     []*record
	report     *diag.Report
	strays     []*record                      // addresses without a file that are out
	byURL      []*record                      // listed, to be found by URL while others are listed
	unmoved    bool                           // there is one part, and each of sorted is listed where its file is mapped
	namings    map[*sitemap.Alternate]*naming // by the first alternate
	by         map[string]int                 // dates by source
	gaps       gaps                           // alternates that are not answered
	byLoc      *index
	bySpelling *index
	stands     []bool               // whether a file stands for each URL of From
	foreign    map[string][]*record // pages whose canonical is on another host, by host
	astray     []*record            // pages whose canonical is on the site's host and names no page
	targets    map[*record]*record  // the pages that others name as their canonical
	collapses  []Collapse
	without    gaps // canonicals that do not count
	schemes    int  // pages whose canonical has the base URL's host, and not its scheme
}

// Fold decides who is in and what is said of each at a time. It writes to nothing
// that it is given, so two may run at once, and a result stays as it is.
func Fold(w *World, now time.Time) *Result { return newFold(w, now).run() }

func (f *fold) run() *Result {
	for _, step := range steps {
		step.take(f)
	}
	f.nameContents()
	return f.result()
}

// nameContents names the content file of each page that a finding is about.
func (f *fold) nameContents() {
	if f.o.Pages == nil || f.o.Content == nil {
		return
	}
	f.report.Each(func(d *diag.Diagnostic) {
		if file, in := f.o.Pages.Shown(d.Pos.File); in {
			if i, ok := findFact(f.pages, file); ok && f.contentOf(i) != nil {
				d.Source = f.contentPos(&f.records[i])
			}
		}
	})
}

// A view is a world at a moment. Whatever is asked of it notes until when the
// answers hold.
type view struct {
	*World
	now    time.Time
	next   time.Time      // at which an answer that was given becomes another one; zero: never
	memory *ledger.Lookup // of what is remembered of this fold; nil without a ledger
	stamps stamps         // as far as this fold has heard
}

func (w *World) at(now time.Time) *view { return &view{World: w, now: now, stamps: w.stamps} }

func newFold(w *World, now time.Time) *fold {
	s := w.at(now)
	return &fold{view: s, sets: newRuleSets(s.o.Rules), report: &diag.Report{Keep: s.o.Findings}, foreign: map[string][]*record{}}
}

// steps are those of a fold. Their names are for benchmarks.
var steps = []struct {
	name string
	take func(*fold)
}{
	{"say", (*fold).say},
	{"open", (*fold).open},
	{"join", (*fold).join},
	{"judge", (*fold).judge},
	{"extra", (*fold).extras},
	{"sort", (*fold).duplicates},
	{"canonical", (*fold).canonicals},
	{"leave", (*fold).leave},
	{"collapse", (*fold).collapse},
	{"translate", (*fold).translate},
	{"remember", (*fold).remember},
	{"date", (*fold).date},
	{"check", (*fold).entries},
	{"unused", (*fold).unused},
}

// leave drops the pages that are out from the list.
func (f *fold) leave() {
	f.listed = slices.DeleteFunc(f.listed, func(r *record) bool { return r.reason != page.Listed })
}

// say repeats what records remember of their own trouble.
func (f *fold) say() {
	f.report.Merge(f.facts.Findings)
	f.report.Add(f.facts.Listing...)
	f.report.Add(f.trouble...)
	f.report.Add(f.git.trouble...)
	f.locals()
	for _, r := range f.pages {
		if r.Rest != nil {
			f.report.Add(r.Rest.Diags...)
		}
	}
	for _, src := range f.contentFiles {
		if src.Facts != nil {
			f.report.Add(src.Facts.Diags...)
		}
	}
}

// open makes a record of each page, of which nothing is decided yet.
func (f *fold) open() {
	f.know(make([]record, len(f.pages)))
	for i, p := range f.pages {
		f.records[i].Page = p
	}
	for i, src := range f.pairs {
		f.records[i].src = src
	}
	for i := range f.parts {
		f.nothing = append(f.nothing, &facts.Page{Part: uint8(i)})
	}
}

// know takes the records to find pages among.
func (f *fold) know(records []record) {
	f.records = records
	f.byLoc = newIndex(records, func(r *record) (string, bool) {
		loc, err := f.mapped(r)
		return loc, err == nil
	})
	f.bySpelling = newIndex(records, func(r *record) (string, bool) { return mapping.Spelling(f.path(r)), true })
}

// judge asks of every page on its own whether it is out, and gives those that
// are not their URL.
func (f *fold) judge() {
	f.listed = slices.Grow(f.listed[:0], len(f.records))
	stretches(f, f.records, (*fold).judgeEach)
}

func (f *fold) judgeEach(pages []record) {
	for i := range pages {
		r := &pages[i]
		r.set = f.sets.of(r.File, r.content(), f.path(r))
		r.reason = f.verdict(r)
		if r.reason == page.Listed {
			r.reason = f.locate(r)
		}
		if r.reason == page.Listed {
			f.listed = append(f.listed, r)
		}
	}
}

// locate gives the page its URL: the one that a rule gives it, else the mapped
// one.
func (f *fold) locate(r *record) page.Reason {
	if r.set != nil && r.set.url.Loc != "" {
		loc, err := f.part(r).resolve(r.set.url.Loc)
		if err != nil {
			f.report.Add(atRule(r, err))
			return page.InvalidURL
		}
		r.loc, r.moved = loc, true
		if _, ok := f.part(r).Base.Path(loc); !ok {
			return page.OutOfScope
		}
		return page.Listed
	}
	loc, err := f.mapped(r)
	if err != nil {
		return page.InvalidURL
	}
	r.loc = loc
	return page.Listed
}

func atRule(r *record, err error) diag.Diagnostic {
	loc, last := r.set.url.Loc, r.set.rules[len(r.set.rules)-1]
	return diag.Errorf(last.Pos, "invalid-url", "give the rule a path below the base URL", "url %q: %v", loc, err).About(loc)
}

// duplicates leaves each URL to one file and reports the others.
func (f *fold) duplicates() {
	f.order()
	for i := 1; i < len(f.listed); i++ {
		r, first := f.listed[i], f.listed[i-1]
		if first.reason == page.Duplicate {
			first = f.first(i - 1)
		}
		if r.loc == first.loc {
			r.reason = page.Duplicate
			f.duplicate(r, first)
		}
	}
}

// order sorts the pages by URL, and those of one URL by preference. They come
// sorted by file, which is nearly that order, and that the stable sort is made
// for.
func (f *fold) order() {
	slices.SortStableFunc(f.listed, func(a, b *record) int {
		if c := cmp.Compare(a.loc, b.loc); c != 0 {
			return c
		}
		return preferred(a, b)
	})
}

func (f *fold) first(i int) *record {
	for i > 0 && f.listed[i].reason == page.Duplicate {
		i--
	}
	return f.listed[i]
}

// preferred orders files of one URL: a file of its own before an extra URL, an
// index file before a file beside its folder, then by name.
func preferred(a, b *record) int {
	rank := func(r *record) int {
		switch base := path.Base(r.File); {
		case r.File == "":
			return 2
		case base == "index.html":
			return 0
		}
		return 1
	}
	return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.File, b.File))
}

func (f *fold) duplicate(r, first *record) {
	switch {
	case r.File == "" && r.from != 0:
		f.repeat(f.givenAs(r))
	case r.File == "":
		f.report.Add(diag.Warnf(f.pos(r), "duplicate-url", "remove it from extra", "extra URL %s is the page %s already", r.loc, first.File).About(r.loc))
	default:
		f.report.Add(diag.Warnf(f.pos(r), "duplicate-url", "remove one of them, or give one a url of its own in a rule",
			"%s and %s are both served at %s; the first is listed", first.File, r.File, r.loc).About(r.loc))
	}
}

// pos is the page's file as the user would type it, or where an address without
// a file is written.
func (s *view) pos(r *record) diag.Pos {
	switch {
	case r.File != "":
	case r.from != 0:
		return s.givenAs(r).pos()
	case r.Rest != nil:
		return r.Rest.Pos
	}
	t := s.o.Pages
	file := r.File
	if t == nil {
		t = s.o.Content
		if r.src != nil {
			file = r.src.File
		}
	}
	return diag.Pos{File: t.Show(file)}
}

package site

import (
	"hash/fnv"
	"io"
	"slices"
	"strconv"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/git"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/sitemap"
)

// An answer is the date of a page from one source, or the reason why the source has none.
type answer struct {
	date sitemap.Date
	note string // where the date is from, such as a key of front matter, or why there is none
	// after is a lower bound: the page changed at this time or later. If a later source has an
	// earlier date, that date is wrong.
	after sitemap.Date
	// pos is the place of the date. The zero Pos means the page's own file.
	pos diag.Pos
	// front reports whether the date is written in the page's content file.
	front bool
	// describe, if not nil, returns the note and the position, and replaces note and pos. They are
	// expensive to compute and rarely needed.
	describe func(*dateFinder, *Page) (note string, pos diag.Pos)
}

// remark returns the note of the answer and the position of the date. The zero Pos means the page's
// own file.
func (a *answer) remark(d *dateFinder, r *Page) (note string, pos diag.Pos) {
	switch {
	case a.describe != nil:
		return a.describe(d, r)
	case a.front:
		return a.note, d.world.ContentPos(r)
	}
	return a.note, a.pos
}

func ruleDate(d *dateFinder, r *Page) answer {
	if r.Facts.File == "" && !r.Facts.LastMod.IsZero() {
		return answer{date: r.Facts.LastMod, note: "extra", pos: d.world.Pos(r)}
	}
	if r.Rules == nil {
		return answer{note: "no rule matches"}
	}
	for _, rule := range slices.Backward(r.Rules.Matching) {
		if date := rule.Set.LastMod; !date.IsZero() {
			return answer{date: date, note: rule.Match, pos: rule.Pos}
		}
	}
	return answer{note: "no matching rule has a lastmod"}
}

func frontMatterDate(d *dateFinder, r *Page) answer {
	switch {
	case r.Content == nil && d.world.Options.Content == nil:
		return answer{note: "there is no content tree"}
	case r.Content == nil:
		return answer{note: "no content file is paired with the page"}
	case r.Content.LastMod.IsZero() && r.Content.By.LastMod != "":
		return answer{note: r.Content.By.LastMod + " is not a date", after: r.contentDate()}
	case r.Content.LastMod.IsZero():
		return answer{note: "the front matter has no date of a change"}
	}
	return answer{date: r.Content.LastMod, note: r.Content.By.LastMod, front: true}
}

func htmlDate(d *dateFinder, r *Page) answer {
	if r.Facts.File == "" || d.world.Options.Pages == nil || r.Facts.LastMod.IsZero() {
		return answer{note: "the page names none"}
	}
	switch d.whyBuildStamp(r.Facts.LastMod) {
	case "":
		return answer{date: r.Facts.LastMod, note: r.Facts.LastModKeyName()}
	case builtThen: // the date may be true, so earlier dates are false
		return answer{describe: stampNote, after: r.contentDate()}
	}
	return answer{describe: stampNote}
}

func sitemapDate(d *dateFinder, r *Page) answer {
	switch {
	case d.world.Options.From == nil:
		return answer{note: "no sitemap is read"}
	case r.FromSitemap == nil || r.FromSitemap.URL.LastMod.IsZero():
		return answer{note: "it has no lastmod"}
	case d.world.stamps.isCloneEnd(r.FromSitemap.URL.LastMod):
		return answer{note: "its lastmod " + r.FromSitemap.URL.LastMod.String() + " is not used: " + cloneEnd}
	}
	return answer{date: r.FromSitemap.URL.LastMod, note: "lastmod", pos: r.FromSitemap.Pos}
}

func creationDate(d *dateFinder, r *Page) answer {
	if r.Content == nil || r.Content.Date.IsZero() {
		return answer{note: "no content file with a date"}
	}
	return answer{date: r.Content.Date, note: r.Content.By.Date, front: true}
}

func ledgerDate(d *dateFinder, r *Page) answer {
	switch {
	case d.memory == nil:
		return answer{note: "no ledger is configured"}
	case len(r.rest().Includes) > 0:
		return answer{note: noteIncludes}
	}
	key, ok := d.world.ledgerKey(r)
	if !ok {
		return answer{note: "the URL lies outside the base URL"}
	}
	date, why := d.memory.Date(key)
	switch {
	case !date.IsZero():
		why = "the day the content changed"
	case r.Facts.Fingerprint == nil:
		why = "only a built page has content to compare"
	}
	return answer{date: date, after: date, note: why}
}

func mtimeDate(d *dateFinder, r *Page) answer {
	switch {
	case len(r.rest().Includes) > 0:
		return answer{note: noteIncludes}
	case d.world.whyNoMTime != "":
		return answer{note: d.world.whyNoMTime}
	case r.Facts.MTime == 0:
		return answer{note: "not asked: an earlier source has a date"}
	}
	return answer{date: sitemap.DateOf(time.Unix(int64(r.Facts.MTime), 0).In(d.world.Options.Zone), sitemap.Second), note: "mtime"}
}

// noteIncludes is the reason why a source that dates single files has no date for a page that
// includes other files.
const noteIncludes = "the page includes other files"

// A dateFinder looks up the dates of pages in the sources of dates. It is safe for concurrent use.
type dateFinder struct {
	world  *World
	clock  *clock
	memory *ledger.Ledger // nil without a ledger
	common sitemap.Date   // day that nearly all pages have, used only if an author wrote it; zero if there is none
}

// resolve returns the first credible date of the page r, in the order of sources, and the name of
// its source. Without a date, by is "". For each impossible date of an earlier source, such as a
// date in the future, resolve calls report if it is not nil.
func (d *dateFinder) resolve(sources []Source, r *Page, report func(r *Page, a answer, why string)) (date sitemap.Date, by string) {
	var after sitemap.Date
	for i := range sources {
		a := sources[i].find(d, r)
		why := d.whyNotUsed(&sources[i], r, a.date, after)
		if why == "" && !a.date.IsZero() {
			return a.date, sources[i].Name
		}
		if report != nil && d.whyImpossible(a.date) != "" {
			report(r, a, why)
		}
		if after.Compare(a.after) < 0 {
			after = a.after
		}
	}
	return sitemap.Date{}, ""
}

// whyImpossible returns why the date of a page cannot be true, or "". A page cannot have changed in
// the future or before 1990.
func (d *dateFinder) whyImpossible(date sitemap.Date) string {
	if why := WhyDoubtful(date, d.clock.isFuture(date)); why != "" {
		return "it " + why
	}
	return ""
}

// whyNotUsed returns why the date of the page r from the source src is not used, or "" for a usable
// date and for the zero date. after is the latest lower bound from the earlier sources.
func (d *dateFinder) whyNotUsed(src *Source, r *Page, date, after sitemap.Date) string {
	switch why := d.whyImpossible(date); {
	case date.IsZero() || why != "":
		return why
	case !src.IsByHand && !d.common.IsZero() && date.DayOnly() == d.common:
		return "nearly all pages have that day"
	case !src.IsByHand && r.Content != nil && date.Compare(r.Content.Date) < 0 && d.clock.isPast(r.Content.Date):
		return "the page was published later, on " + r.Content.Date.Day()
	case date.Compare(after) <= 0:
		return "the page may have changed later, and no source says when"
	}
	return ""
}

// A dater sets the dates of the listed pages.
type dater struct {
	*dateFinder
	listed  []*Page
	sources []Source
	report  *diag.Report
}

// datePages sets the dates of the listed pages. If nearly all pages have the same day, it dates
// them again without this day. It returns the day, or zero, and the number of pages that each
// source dated.
func datePages(w *World, listed []*Page, memory *ledger.Ledger, c *clock, report *diag.Report) (common sitemap.Date, by map[string]int) {
	d := &dater{&dateFinder{world: w, clock: c, memory: memory}, listed, sourcesByName(w.Options.LastMod), report}
	by = d.dateAll()
	claim := func(r *Page) sitemap.Date { date, _ := d.dateOrStamp(r); return date }
	day, count, _ := DominantDay(slices.Values(listed), claim)
	if count == 0 {
		return sitemap.Date{}, by
	}
	source, hint := d.mainSource()
	d.common = day
	by = d.dateAll()
	d.reportSameDate(count, source, hint)
	return day, by
}

// dateAll sets the dates of all listed pages, and returns the number of pages that each source
// dated.
func (d *dater) dateAll() map[string]int {
	files.ParallelEach(len(d.listed), func(i int) {
		r := d.listed[i]
		r.Entry.LastMod, r.DateBy = d.resolve(d.sources, r, d.reportImpossible)
	})
	by := map[string]int{}
	for _, r := range d.listed {
		if r.DateBy != "" {
			by[r.DateBy]++
		}
	}
	return by
}

func (d *dater) reportImpossible(r *Page, a answer, why string) {
	if !d.common.IsZero() {
		return // reported when the pages were dated for the first time
	}
	note, pos := a.remark(d.dateFinder, r)
	if pos.File == "" && r.Facts.File != "" {
		pos = d.world.Pos(r)
	}
	d.report.Add(diag.Warnf(pos, "doubtful-date", "correct the date, or remove it", "date %s (%s) is not used: %s", a.date, note, why))
}

// updateLedger returns the ledger, updated with the fingerprints of the listed pages. It returns
// nil if no ledger is configured.
func updateLedger(w *World, listed []*Page, c *clock) *ledger.Ledger {
	if w.Options.Ledger == nil {
		return nil
	}
	prints := slices.Concat(files.ParallelParts(len(listed), func(from, to int) []ledger.Page { return w.fingerprints(listed[from:to]) })...)
	return w.Options.Ledger.Update(slices.Values(prints), c.today(w.Options.Zone), w.Options.LedgerUpdate)
}

// fingerprints returns the ledger path and the fingerprint of each page that has a file.
func (w *World) fingerprints(pages []*Page) []ledger.Page {
	prints := make([]ledger.Page, 0, len(pages))
	for _, r := range pages {
		if r.Facts.File == "" {
			continue
		}
		if key, ok := w.ledgerKey(r); ok {
			prints = append(prints, ledger.Page{Path: key, Fingerprint: w.fingerprint(r)})
		}
	}
	return prints
}

// fingerprint returns the fingerprint of a page's content, or "" if it is unknown. If the page
// names another page as canonical, a hash of that link follows. For a link within the site, the
// hash covers only the path, so a new domain does not change it.
func (w *World) fingerprint(r *Page) string {
	if r.Facts.Fingerprint == nil {
		return ""
	}
	content := string(r.Facts.Fingerprint[:])
	to := w.Canonical(r)
	if to == "" || to == r.Entry.Loc {
		return content
	}
	if path, ok := w.Options.Base.Path(to); ok {
		to = path
	}
	h := fnv.New64a()
	io.WriteString(h, to)
	return content + "-" + strconv.FormatUint(h.Sum64(), 36)
}

// DateClaims returns the date that each source gives the page, or why it gives none, in the order
// of the sources.
func (r *Result) DateClaims(p *Page) (all []Claim) {
	d := &dateFinder{r.World, &clock{now: r.now}, r.Ledger, r.common}
	sources := sourcesByName(r.World.Options.LastMod)
	by := p.DateBy
	if !p.Listed() { // only listed pages are dated
		_, by = d.resolve(sources, p, nil)
	}
	var after sitemap.Date
	over := false
	for _, src := range sources {
		a := src.find(d, p)
		c := Claim{Source: src.Name, Value: a.date.String(), Wins: src.Name == by}
		c.Note, c.Pos = a.remark(d, p)
		if why := d.whyNotUsed(&src, p, a.date, after); why != "" && (!over || d.whyImpossible(a.date) != "") {
			c.Note += "; not used: " + why
		}
		over = over || c.Wins
		if after.Compare(a.after) < 0 {
			after = a.after
		}
		all = append(all, c)
	}
	return all
}

// reportSameDate reports the day d.common, which count pages had before the day was dropped. Most
// of these dates came from source. It reports nothing if every page has a date now and nearly all
// pages no longer share that day.
func (d *dater) reportSameDate(count int, source, hint string) {
	undated, same := 0, 0
	for _, r := range d.listed {
		if r.Entry.LastMod.IsZero() {
			undated++
		} else if r.Entry.LastMod.DayOnly() == d.common {
			same++
		}
	}
	remark := ""
	switch {
	case isNearlyAll(same, len(d.listed)):
		count = same
	case undated > 0:
		remark = "; it is not printed"
	default:
		return
	}
	d.report.Add(diag.Warnf(diag.Pos{}, "same-date", hint, "%d of %d pages have the date %s, most of them by %s%s", count, len(d.listed), d.common, source, remark))
}

// ReportImports adds a note with the number of pages that have no date because the commit that added
// their source file added most of the content. Only a build prints it, and no check of the build.
func (r *Result) ReportImports(report *diag.Report) {
	undated := 0
	for _, p := range r.List {
		if p.Entry.LastMod.IsZero() && r.World.Git.Results[r.World.historyFile(p)].Why == git.Imported {
			undated++
		}
	}
	if undated > 0 {
		report.Add(diag.Notef(diag.Pos{}, "git-import", "date the pages in front matter, or let a ledger date by content",
			"%s without a date: a commit that added most of the content dates none of it", diag.Count(undated, "page")))
	}
}

// dateOrStamp returns the date of a page and the name of its source. For an undated page, it
// returns the date in the page's HTML that was dropped as the time of a build, if there is one.
func (d *dater) dateOrStamp(r *Page) (date sitemap.Date, by string) {
	if !r.Entry.LastMod.IsZero() {
		return r.Entry.LastMod, r.DateBy
	}
	if d.world.stamps.html && d.whyBuildStamp(r.Facts.LastMod) != "" {
		return r.Facts.LastMod, SourceHTML
	}
	return sitemap.Date{}, ""
}

// mainSource returns the name of the source that gave the most dates, and its advice for a site
// whose dates are nearly all the same.
func (d *dater) mainSource() (name, hint string) {
	by := map[string]int{}
	for _, r := range d.listed {
		if date, source := d.dateOrStamp(r); !date.IsZero() {
			by[source]++
		}
	}
	most := 0
	for _, s := range Sources {
		if by[s.Name] > most {
			name, hint, most = s.Name, s.SameHint, by[s.Name]
		}
	}
	return name, hint
}

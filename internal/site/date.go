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

// An answer is the date of a page from one source, such as git, or the reason why the source has
// none.
type answer struct {
	date sitemap.Date
	note string // where the date is from, such as a key of front matter, or why there is none
	// after, if not zero, means that the page last changed at this time or later. If a source that
	// comes later in the setting lastmod has an equal or earlier date, that date is ignored.
	after sitemap.Date
	// pos is the position of the date. The zero Pos means the page file.
	pos diag.Pos
	// front reports whether the date is written in the page's content file.
	front bool
	// describe, if not nil, returns the note and the position of the date. The fields note and pos
	// are then ignored. It is a function because the results are expensive to compute and rarely
	// needed.
	describe func(*dateFinder, *Page) (note string, pos diag.Pos)
}

// noteAndPos returns the note of the answer, and the position of the date. The zero Pos means the
// page file.
func (a *answer) noteAndPos(d *dateFinder, p *Page) (note string, pos diag.Pos) {
	switch {
	case a.describe != nil:
		return a.describe(d, p)
	case a.front:
		return a.note, d.world.ContentPos(p)
	}
	return a.note, a.pos
}

func ruleDate(d *dateFinder, p *Page) answer {
	if p.Facts.File == "" && !p.Facts.LastMod.IsZero() {
		return answer{date: p.Facts.LastMod, note: "extra", pos: d.world.Pos(p)}
	}
	if p.Rules == nil {
		return answer{note: "no rule matches"}
	}
	for _, rule := range slices.Backward(p.Rules.Matching) {
		if date := rule.Set.LastMod; !date.IsZero() {
			return answer{date: date, note: rule.Match, pos: rule.Pos}
		}
	}
	return answer{note: "no matching rule has a lastmod"}
}

func frontMatterDate(d *dateFinder, p *Page) answer {
	switch {
	case p.Content == nil && d.world.Options.Content == nil:
		return answer{note: "there is no content tree"}
	case p.Content == nil:
		return answer{note: "no content file is paired with the page"}
	case p.Content.LastMod.IsZero() && p.Content.By.LastMod != "":
		return answer{note: p.Content.By.LastMod + " is not a date", after: p.contentCreationDate()}
	case p.Content.LastMod.IsZero():
		return answer{note: "the front matter has no date of a change"}
	}
	return answer{date: p.Content.LastMod, note: p.Content.By.LastMod, front: true}
}

// htmlDate returns the modification date in the HTML of the page. It ignores a date that is
// probably the time of a build. It also ignores a date on the day of the creation date in the
// content file, because templates print the creation date for pages that never changed.
func htmlDate(d *dateFinder, p *Page) answer {
	switch {
	case p.Facts.File == "" || d.world.Options.Pages == nil || p.Facts.LastMod.IsZero():
		return answer{note: "the page names none"}
	case p.Facts.LastMod.DayOnly() == p.contentCreationDate().DayOnly():
		return answer{note: p.Facts.LastModKeyName() + " is the date in the front matter"}
	}
	switch d.whyBuildStamp(p.Facts.LastMod) {
	case "":
		return answer{date: p.Facts.LastMod, note: p.Facts.LastModKeyName()}
	case builtThen: // the date may be true, so earlier dates are false
		return answer{describe: buildStampNote, after: p.contentCreationDate()}
	}
	return answer{describe: buildStampNote}
}

func sitemapDate(d *dateFinder, p *Page) answer {
	switch {
	case d.world.Options.From == nil:
		return answer{note: "no sitemap is read"}
	case p.FromSitemap == nil || p.FromSitemap.URL.LastMod.IsZero():
		return answer{note: "it has no lastmod"}
	case d.world.stamps.isShallowCloneDate(p.FromSitemap.URL.LastMod):
		return answer{note: "its lastmod " + p.FromSitemap.URL.LastMod.String() + " is not used: " + cloneEnd}
	}
	return answer{date: p.FromSitemap.URL.LastMod, note: "lastmod", pos: p.FromSitemap.Pos}
}

func creationDate(d *dateFinder, p *Page) answer {
	if p.Content == nil || p.Content.Date.IsZero() {
		return answer{note: "no content file with a date"}
	}
	return answer{date: p.Content.Date, note: p.Content.By.Date, front: true}
}

func ledgerDate(d *dateFinder, p *Page) answer {
	switch {
	case d.memory == nil:
		return answer{note: "no ledger is configured"}
	case len(p.rareFacts().Includes) > 0:
		return answer{note: noteIncludes}
	}
	key, ok := d.world.ledgerKey(p)
	if !ok {
		return answer{note: "the URL lies outside the base URL"}
	}
	date, why := d.memory.Date(key)
	switch {
	case !date.IsZero():
		why = "the day the content changed"
	case p.Facts.Fingerprint == nil:
		why = "only a built page has content to compare"
	}
	return answer{date: date, after: date, note: why}
}

func mtimeDate(d *dateFinder, p *Page) answer {
	switch {
	case len(p.rareFacts().Includes) > 0:
		return answer{note: noteIncludes}
	case d.world.whyNoMTime != "":
		return answer{note: d.world.whyNoMTime}
	case p.Facts.File == "" || d.world.Options.Pages == nil:
		return answer{note: "only a built page has a modification time"}
	case p.Facts.MTime == 0:
		return answer{note: "not asked: an earlier source has a date"}
	}
	return answer{date: sitemap.DateOf(time.Unix(int64(p.Facts.MTime), 0).In(d.world.Options.Zone), sitemap.Second), note: "mtime"}
}

// noteIncludes is the note of the sources ledger and mtime for a page that includes other files.
// These sources date single files, so they have no date for the page.
const noteIncludes = "the page includes other files"

// A dateFinder finds the dates of pages in the date sources. It is safe for concurrent use.
type dateFinder struct {
	world  *World
	clock  *clock
	memory *ledger.Ledger // nil without a ledger
	common sitemap.Date   // day that nearly all pages have, used only if an author wrote it; zero if there is none
}

// resolveDate returns the first usable date of the page p, in the order of sources, and the name of
// its source. Without a usable date, by is "". If report is not nil, it is called for each
// impossible date that is skipped, such as a date in the future.
func (d *dateFinder) resolveDate(sources []Source, p *Page, report func(p *Page, a answer, why string)) (date sitemap.Date, by string) {
	var after sitemap.Date
	for i := range sources {
		a := sources[i].find(d, p)
		why := d.whyNotUsed(&sources[i], p, a.date, after)
		if why == "" && !a.date.IsZero() {
			return a.date, sources[i].Name
		}
		if report != nil && d.whyImpossible(a.date) != "" {
			report(p, a, why)
		}
		if after.Compare(a.after) < 0 {
			after = a.after
		}
	}
	return sitemap.Date{}, ""
}

// whyImpossible returns why date cannot be true for a page, such as "it lies in the future", or "".
func (d *dateFinder) whyImpossible(date sitemap.Date) string {
	if why := WhyImpossibleDate(date, d.clock.isFuture(date)); why != "" {
		return "it " + why
	}
	return ""
}

// whyNotUsed returns why the date that the source src gives the page p is not used. It returns ""
// for a usable date and for the zero date. after is the latest answer.after of the sources before
// src.
func (d *dateFinder) whyNotUsed(src *Source, p *Page, date, after sitemap.Date) string {
	switch why := d.whyImpossible(date); {
	case date.IsZero() || why != "":
		return why
	case !src.IsByHand && !d.common.IsZero() && date.DayOnly() == d.common:
		return "nearly all pages have that day"
	case !src.IsByHand && p.Content != nil && date.Compare(p.Content.Date) < 0 && d.clock.isPast(p.Content.Date):
		return "the page was published later, on " + p.Content.Date.Day()
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

// datePages sets the dates of the listed pages. countBySource[name] is the number of pages that the
// source dated. If nearly all pages have the same day, this day is probably no date of a change.
// datePages then dates all pages again, ignores this day unless a person wrote it, and returns it
// as common. Otherwise common is zero.
func datePages(w *World, listed []*Page, memory *ledger.Ledger, c *clock, report *diag.Report) (common sitemap.Date, countBySource map[string]int) {
	d := &dater{&dateFinder{world: w, clock: c, memory: memory}, listed, sourcesByName(w.Options.LastMod), report}
	countBySource = d.dateListedPages()
	claim := func(p *Page) sitemap.Date { date, _ := d.dateOrBuildStamp(p); return date }
	day, count, _ := DominantDay(slices.Values(listed), claim)
	if count == 0 {
		return sitemap.Date{}, countBySource
	}
	source, hint := d.mostUsedSource()
	d.common = day
	countBySource = d.dateListedPages()
	d.reportSameDate(count, source, hint)
	return day, countBySource
}

// dateListedPages sets the dates of all listed pages, and returns the number of pages that each
// source dated.
func (d *dater) dateListedPages() (countBySource map[string]int) {
	files.ParallelEach(len(d.listed), func(i int) {
		p := d.listed[i]
		p.Entry.LastMod, p.DateBy = d.resolveDate(d.sources, p, d.reportImpossibleDate)
	})
	by := map[string]int{}
	for _, p := range d.listed {
		if p.DateBy != "" {
			by[p.DateBy]++
		}
	}
	return by
}

func (d *dater) reportImpossibleDate(p *Page, a answer, why string) {
	if !d.common.IsZero() {
		return // reported when the pages were dated for the first time
	}
	note, pos := a.noteAndPos(d.dateFinder, p)
	if pos.File == "" && p.Facts.File != "" {
		pos = d.world.Pos(p)
	}
	d.report.Add(diag.Warnf(pos, "doubtful-date", "correct the date, or remove it", "date %s (%s) is not used: %s", a.date, note, why))
}

// updateLedger returns the ledger of the last build, updated with the fingerprints of the listed
// pages. It returns nil if no ledger is configured.
func updateLedger(w *World, listed []*Page, c *clock) *ledger.Ledger {
	if w.Options.Ledger == nil {
		return nil
	}
	prints := slices.Concat(files.ParallelParts(len(listed), func(from, to int) []ledger.Page { return w.ledgerPages(listed[from:to]) })...)
	return w.Options.Ledger.Update(slices.Values(prints), c.today(w.Options.Zone), w.Options.LedgerUpdate)
}

// ledgerPages returns the ledger key and the fingerprint of each page that has a file and a URL
// below the base URL.
func (w *World) ledgerPages(pages []*Page) []ledger.Page {
	prints := make([]ledger.Page, 0, len(pages))
	for _, p := range pages {
		if p.Facts.File == "" {
			continue
		}
		if key, ok := w.ledgerKey(p); ok {
			prints = append(prints, ledger.Page{Path: key, Fingerprint: w.fingerprint(p)})
		}
	}
	return prints
}

// fingerprint returns the fingerprint of a page's content for the ledger, or "" if it is unknown.
// If the page's canonical link names another URL, a hyphen and a hash of that URL follow. For a URL
// below the base URL, only the path is hashed, so the hash survives a move to another domain.
func (w *World) fingerprint(p *Page) string {
	if p.Facts.Fingerprint == nil {
		return ""
	}
	content := string(p.Facts.Fingerprint[:])
	to := w.otherCanonicalURL(p)
	if to == "" || to == p.Entry.Loc {
		return content
	}
	if path, ok := w.Options.Base.Path(to); ok {
		to = path
	}
	h := fnv.New64a()
	io.WriteString(h, to)
	return content + "-" + strconv.FormatUint(h.Sum64(), 36)
}

// DateClaims returns one Claim for each date source in the setting lastmod, in the same order. The
// claim contains the date that the source gives the page, or the reason why the source has none.
func (r *Result) DateClaims(p *Page) (all []Claim) {
	d := &dateFinder{r.World, &clock{now: r.now}, r.Ledger, r.common}
	sources := sourcesByName(r.World.Options.LastMod)
	by := p.DateBy
	if !p.Listed() { // only listed pages are dated
		_, by = d.resolveDate(sources, p, nil)
	}
	var after sitemap.Date
	over := false
	for _, src := range sources {
		a := src.find(d, p)
		c := Claim{Source: src.Name, Value: a.date.String(), Wins: src.Name == by}
		c.Note, c.Pos = a.noteAndPos(d, p)
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

// reportSameDate reports that many pages had the same day, d.common. It is called after the pages
// were dated again without this day. If nearly all pages still have the day, because people wrote
// it, the finding names their number. Otherwise, if a page has no date now, the finding names
// count, the number of pages that had the day before. Otherwise, there is no finding. source is the
// source of most of these dates, and hint is advice for the user.
func (d *dater) reportSameDate(count int, source, hint string) {
	undated, same := 0, 0
	for _, p := range d.listed {
		if p.Entry.LastMod.IsZero() {
			undated++
		} else if p.Entry.LastMod.DayOnly() == d.common {
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

// ReportUndatedImports adds a note with the number of listed pages that have no date because git
// knows only an import of their files. It adds nothing if there are no such pages. An import is a
// commit that added most of the files of the site.
func (r *Result) ReportUndatedImports(report *diag.Report) {
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

// dateOrBuildStamp returns the date of a page, and the name of its source. For an undated page, it
// returns the date in the page's HTML that was ignored as the time of a build, and SourceHTML. If
// there is no such date either, it returns the zero date and "".
func (d *dater) dateOrBuildStamp(p *Page) (date sitemap.Date, by string) {
	if !p.Entry.LastMod.IsZero() {
		return p.Entry.LastMod, p.DateBy
	}
	if d.world.stamps.html && d.whyBuildStamp(p.Facts.LastMod) != "" {
		return p.Facts.LastMod, SourceHTML
	}
	return sitemap.Date{}, ""
}

// mostUsedSource returns the name of the source with the most dates. hint is the SameHint of this
// source, which is advice for a site whose pages nearly all have the same day. It returns "" and ""
// if no page has a date.
func (d *dater) mostUsedSource() (name, hint string) {
	by := map[string]int{}
	for _, p := range d.listed {
		if date, source := d.dateOrBuildStamp(p); !date.IsZero() {
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

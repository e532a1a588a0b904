package site

import (
	"cmp"
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

// A sourceDate is the date of a page from one source, such as git, or the reason why the source has
// none.
type sourceDate struct {
	date sitemap.Date
	// after, if not zero, means that the page last changed at this time or later. If a source that
	// comes later in the setting lastmod has an equal or earlier date, that date is ignored.
	after sitemap.Date
	// note tells where the date is from, such as a front matter key, or why there is no date.
	note string
	// pos is the position of the date. The zero Pos means the page file.
	pos diag.Pos
}

func ruleDate(d *dater, p *Page) sourceDate {
	if p.Extra != nil && !p.Extra.URL.LastMod.IsZero() {
		return sourceDate{date: p.Extra.URL.LastMod, note: "extra", pos: p.Extra.Pos}
	}
	if p.Rules == nil {
		return sourceDate{note: "no rule matches"}
	}
	for _, rule := range slices.Backward(p.Rules.Matching) {
		if date := rule.Set.LastMod; !date.IsZero() {
			return sourceDate{date: date, note: rule.Match, pos: rule.Pos}
		}
	}
	return sourceDate{note: "no matching rule has a lastmod"}
}

func frontMatterDate(d *dater, p *Page) sourceDate {
	switch {
	case p.Content == nil && d.world.Options.Content == nil:
		return sourceDate{note: "there is no content tree"}
	case p.Content == nil:
		return sourceDate{note: "no content file is paired with the page"}
	case p.Content.LastMod.IsZero() && p.Content.By.LastMod != "":
		return sourceDate{note: p.Content.By.LastMod + " is not a date", after: p.contentCreationDate()}
	case p.Content.LastMod.IsZero():
		return sourceDate{note: "the front matter has no date of a change"}
	}
	return sourceDate{date: p.Content.LastMod, note: p.Content.By.LastMod, pos: d.world.ContentPos(p)}
}

// htmlDate returns the modification date in the HTML of the page. It ignores a date that is
// probably the time of a build. It also ignores a date on the same day as the creation date in
// the content file, because templates print the creation date for pages that never changed.
func htmlDate(d *dater, p *Page) sourceDate {
	switch {
	case p.Facts.File == "" || d.world.Options.Pages == nil || p.Facts.LastMod.IsZero():
		return sourceDate{note: "the page names none"}
	case p.Facts.LastMod.DayOnly() == p.contentCreationDate().DayOnly():
		return sourceDate{note: p.Facts.LastModKeyName() + " is the date in the front matter"}
	}
	why := d.whyBuildStamp(p.Facts.LastMod)
	if why == "" {
		return sourceDate{date: p.Facts.LastMod, note: p.Facts.LastModKeyName()}
	}
	none := sourceDate{note: p.Facts.LastModKeyName() + " " + p.Facts.LastMod.String() + " is not used: " + why}
	if why == builtThen { // the page may really have changed then, after its creation
		none.after = p.contentCreationDate()
	}
	return none
}

func sitemapDate(d *dater, p *Page) sourceDate {
	switch {
	case d.world.Options.From == nil:
		return sourceDate{note: "no sitemap is read"}
	case p.FromSitemap == nil || p.FromSitemap.URL.LastMod.IsZero():
		return sourceDate{note: "it has no lastmod"}
	case d.world.stamps.isShallowCloneDate(p.FromSitemap.URL.LastMod):
		return sourceDate{note: "its lastmod " + p.FromSitemap.URL.LastMod.String() + " is not used: " + cloneEnd}
	}
	return sourceDate{date: p.FromSitemap.URL.LastMod, note: "lastmod", pos: p.FromSitemap.Pos}
}

func creationDate(d *dater, p *Page) sourceDate {
	if p.Content == nil || p.Content.Date.IsZero() {
		return sourceDate{note: "no content file with a date"}
	}
	return sourceDate{date: p.Content.Date, note: p.Content.By.Date, pos: d.world.ContentPos(p)}
}

func ledgerDate(d *dater, p *Page) sourceDate {
	switch {
	case d.ledger == nil:
		return sourceDate{note: "no ledger is configured"}
	case len(p.rareFacts().Includes) > 0:
		return sourceDate{note: noteIncludes}
	}
	key, ok := d.world.LedgerKey(p.Loc)
	if !ok {
		return sourceDate{note: "the URL lies outside the base URL"}
	}
	date, why := d.ledger.Date(key)
	switch {
	case !date.IsZero():
		why = "the day the content changed"
	case p.Facts.Fingerprint == nil:
		why = "only a built page has content to compare"
	}
	return sourceDate{date: date, after: date, note: why}
}

func mtimeDate(d *dater, p *Page) sourceDate {
	switch {
	case len(p.rareFacts().Includes) > 0:
		return sourceDate{note: noteIncludes}
	case d.world.whyNoMTime != "":
		return sourceDate{note: d.world.whyNoMTime}
	case p.Facts.File == "" || d.world.Options.Pages == nil:
		return sourceDate{note: "only a built page has a modification time"}
	case p.Facts.MTime == 0:
		return sourceDate{note: "not used: an earlier source has a date"}
	}
	return sourceDate{date: sitemap.DateOf(time.Unix(int64(p.Facts.MTime), 0).In(d.world.Options.Zone), sitemap.Second), note: "mtime"}
}

// noteIncludes is the note of the sources ledger and mtime for a page that includes other files.
// These sources date single files, so they have no date for the page.
const noteIncludes = "the page includes other files"

// A dater dates pages by the date sources. It is safe for concurrent use.
type dater struct {
	world     *World
	clock     *clock
	ledger    *ledger.Ledger // nil without a ledger
	sources   []Source       // highest priority first
	commonDay sitemap.Date   // day that nearly all pages have, or zero; only sources with IsByHand may give this day
}

// dateFromSource returns the date of the page p from the source src, and the reason why this date
// is not used. why is "" if the date is used, or if there is no date. *after is the latest
// sourceDate.after of the sources before src. dateFromSource updates *after.
func (d *dater) dateFromSource(src *Source, p *Page, after *sitemap.Date) (s sourceDate, why string) {
	s = src.find(d, p)
	why = d.whyNotUsed(src, p, s.date, *after)
	if after.Compare(s.after) < 0 {
		*after = s.after
	}
	return s, why
}

// resolveDate returns the first usable date of the page p, in the order of the sources, and the
// name of its source. Without a usable date, by is "". If report is not nil, resolveDate reports
// each impossible date that it skips, such as a date in the future.
func (d *dater) resolveDate(p *Page, report *diag.Report) (date sitemap.Date, by string) {
	var after sitemap.Date
	for i := range d.sources {
		src := &d.sources[i]
		s, why := d.dateFromSource(src, p, &after)
		if why == "" && !s.date.IsZero() {
			return s.date, src.Name
		}
		if report != nil && d.whyImpossible(s.date) != "" {
			if s.pos.File == "" && p.Facts.File != "" {
				s.pos = d.world.Pos(p)
			}
			report.Add(diag.Warnf(s.pos, "doubtful-date", "correct the date, or remove it", "date %s (%s) is not used: %s", s.date, s.note, why))
		}
	}
	return sitemap.Date{}, ""
}

// whyImpossible returns why date cannot be true for a page, such as "it lies in the future", or "".
func (d *dater) whyImpossible(date sitemap.Date) string {
	if why := WhyImpossibleDate(date, d.clock.isFuture(date)); why != "" {
		return "it " + why
	}
	return ""
}

// whyNotUsed returns why the date that the source src gives the page p is not used. It returns ""
// for a usable date and for the zero date. after is the latest sourceDate.after of the sources
// before src.
func (d *dater) whyNotUsed(src *Source, p *Page, date, after sitemap.Date) string {
	switch why := d.whyImpossible(date); {
	case date.IsZero() || why != "":
		return why
	case !src.IsByHand && !d.commonDay.IsZero() && date.DayOnly() == d.commonDay:
		return "nearly all pages have that day"
	case !src.IsByHand && p.Content != nil && date.Compare(p.Content.Date) < 0 && d.clock.isPast(p.Content.Date):
		return "the page was published later, on " + p.Content.Date.Day()
	case date.Compare(after) <= 0:
		return "the page may have changed later, and no source knows when"
	}
	return ""
}

// datePages sets the dates of the listed pages, and r.Dates. If nearly all pages have the same day,
// the pages probably did not change on this day. datePages then sets r.commonDay to the day, and
// dates all pages again. This time, it ignores the day unless a person wrote it.
func (r *Result) datePages(c *clock) {
	d := r.newDater(c)
	r.Dates = d.dateListedPages(r.List, r.Findings)
	day, count, _ := DominantDay(slices.Values(r.List), d.dateOrBuildStamp)
	if count == 0 {
		return
	}
	source := d.mostUsedSource(r.List)
	r.commonDay, d.commonDay = day, day
	r.Dates = d.dateListedPages(r.List, nil)
	d.reportSameDate(r.List, count, source, r.Findings)
}

// newDater returns a dater with the sources in the setting lastmod.
func (r *Result) newDater(c *clock) *dater {
	return &dater{world: r.World, clock: c, ledger: r.Ledger, sources: sourcesByName(r.World.Options.LastMod), commonDay: r.commonDay}
}

// dateListedPages sets the dates of all listed pages. countBySource is the number of pages by the
// name of the source that dated them. If report is not nil, dateListedPages reports impossible
// dates.
func (d *dater) dateListedPages(listed []*Page, report *diag.Report) (countBySource map[string]int) {
	files.ParallelEach(len(listed), func(i int) {
		p := listed[i]
		p.LastMod, p.DateBy = d.resolveDate(p, report)
	})
	countBySource = map[string]int{}
	for _, p := range listed {
		if p.DateBy != "" {
			countBySource[p.DateBy]++
		}
	}
	return countBySource
}

// updateLedger sets r.Ledger to the ledger of the last build, updated with the fingerprints of the
// listed pages. r.Ledger stays nil if no ledger is configured.
func (r *Result) updateLedger(c *clock) {
	o := &r.World.Options
	if o.Ledger == nil {
		return
	}
	r.Ledger = o.Ledger.Update(r.ledgerPages, c.today(o.Zone), o.LedgerUpdate)
}

// ledgerPages yields the ledger key and the fingerprint of each listed page that has a file and a
// URL below the base URL.
func (r *Result) ledgerPages(yield func(ledger.Page) bool) {
	for _, p := range r.List {
		if p.Facts.File == "" {
			continue
		}
		key, ok := r.World.LedgerKey(p.Loc)
		if ok && !yield(ledger.Page{Path: key, Fingerprint: r.World.fingerprint(p)}) {
			return
		}
	}
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
	if to == "" || to == p.Loc {
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
	d := r.newDater(&clock{now: r.now})
	var after sitemap.Date
	decided := false
	for i := range d.sources {
		src := &d.sources[i]
		s, why := d.dateFromSource(src, p, &after)
		c := Claim{Source: src.Name, Value: s.date.String(), Note: s.note, Pos: s.pos, Wins: !decided && why == "" && !s.date.IsZero()}
		if why != "" && (!decided || d.whyImpossible(s.date) != "") {
			c.Note += "; not used: " + why
		}
		decided = decided || c.Wins
		all = append(all, c)
	}
	return all
}

// reportSameDate reports that many pages had the same day, d.commonDay. It must be called after the
// pages were dated again without this day. If nearly all pages still have the day, because people
// wrote it, the finding contains their number. Otherwise, if a page has no date now, the finding
// contains count, the number of pages that had the day before. In other cases, there is no finding.
// source is the source that gave most of the pages their dates.
func (d *dater) reportSameDate(listed []*Page, count int, source *Source, report *diag.Report) {
	undated, same := 0, 0
	for _, p := range listed {
		if p.LastMod.IsZero() {
			undated++
		} else if p.LastMod.DayOnly() == d.commonDay {
			same++
		}
	}
	remark := ""
	switch {
	case isNearlyAll(same, len(listed)):
		count = same
	case undated > 0:
		remark = "; it is not printed"
	default:
		return
	}
	report.Add(diag.Warnf(diag.Pos{}, "same-date", source.SameHint, "%d of %d pages have the date %s, most of them by %s%s", count, len(listed), d.commonDay, source.Name, remark))
}

// ReportUndatedByImport adds a note with the number of listed pages that have no date because git
// knows only an import of their files. It adds nothing if there are no such pages. An import is a
// commit that added most of the files of the site.
func (r *Result) ReportUndatedByImport(report *diag.Report) {
	undated := 0
	for _, p := range r.List {
		if p.LastMod.IsZero() && r.World.Git.Results[r.World.historyFile(p)].Why == git.Imported {
			undated++
		}
	}
	if undated > 0 {
		report.Add(diag.Notef(diag.Pos{}, "git-import", "date the pages in front matter, or let a ledger date by content",
			"%s without a date: a commit that added most of the content dates none of it", diag.Count(undated, "page")))
	}
}

// dateOrBuildStamp returns the date of a page. For a page without a date, it returns the date in
// the page's HTML that was ignored as the time of a build. If there is no such date either, it
// returns the zero date.
func (d *dater) dateOrBuildStamp(p *Page) sitemap.Date {
	if p.LastMod.IsZero() && d.world.stamps.html && d.whyBuildStamp(p.Facts.LastMod) != "" {
		return p.Facts.LastMod
	}
	return p.LastMod
}

// mostUsedSource returns the source of most dates of the listed pages. It counts an ignored time of
// a build as a date from HTML.
func (d *dater) mostUsedSource(listed []*Page) (most *Source) {
	count := map[string]int{}
	for _, p := range listed {
		if !d.dateOrBuildStamp(p).IsZero() {
			count[cmp.Or(p.DateBy, SourceHTML)]++
		}
	}
	most = &Sources[0]
	for i := range Sources {
		if count[Sources[i].Name] > count[most.Name] {
			most = &Sources[i]
		}
	}
	return most
}

package site

import (
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/sitemap"
)

// Names of the date sources in the setting lastmod. Some of these sources also set other fields of
// sitemap entries.
const (
	SourceRule        = "rule"
	SourceFrontMatter = "frontmatter"
	SourceHTML        = "html"
	SourceGit         = "git"
	SourceLedger      = "ledger"
	SourceSitemap     = "sitemap"
	SourceCreation    = "date" // the creation date in the content file
	SourceMTime       = "mtime"
)

// A Source is a source of dates for pages, such as front matter or git.
type Source struct {
	Name     string // name in the setting lastmod, such as "git"
	IsByHand bool   // a person writes the date, so it is used even if nearly all pages have it
	SameHint string // advice if the source gives nearly all pages the same day
	find     func(*dater, *Page) sourceDate

	// WhyOptIn returns why the source is used only if the setting lastmod names it, or "" if the
	// source is always used. A nil WhyOptIn means always.
	WhyOptIn func(getenv func(string) string) string
}

// Sources lists all date sources in their usual order. Without the setting lastmod, sitewalk asks
// all of them in this order, unless the generator's configuration defines another order.
var Sources = []Source{
	{
		Name: SourceRule, find: ruleDate, IsByHand: true,
		SameHint: "one rule dates the whole site; give it a narrower match",
	},
	{
		Name: SourceFrontMatter, find: frontMatterDate, IsByHand: true,
		SameHint: "a template or an import seems to have written it; remove it from the files that did not change",
	},
	{
		Name: SourceHTML, find: htmlDate,
		SameHint: "the generator's template seems to print the time of the build; let it print the date of the page, or leave html out of lastmod",
	},
	{
		Name: SourceGit, find: gitDate,
		SameHint: "one commit touched all sources (an import or a reformat); a ledger dates by content instead",
	},
	{
		Name: SourceLedger, find: ledgerDate,
		SameHint: "the pages changed together, by a new template perhaps; add what changed to fingerprint.exclude",
	},
	{
		Name: SourceSitemap, find: sitemapDate,
		SameHint: "the sitemap that was read seems to print the time of its build; leave sitemap out of lastmod",
	},
	{
		Name: SourceCreation, find: creationDate, IsByHand: true,
		SameHint: "a template or an import seems to have written it; remove it from the files that did not change",
	},
	{
		Name: SourceMTime, find: mtimeDate,
		SameHint: "a copy or a checkout seems to have written the files; leave mtime out of lastmod",
		WhyOptIn: whyMTimeIsOptIn,
	},
}

// SourceNames returns the names of all sources in the order of Sources.
func SourceNames() []string {
	names := make([]string, len(Sources))
	for i, s := range Sources {
		names[i] = s.Name
	}
	return names
}

// dateSources returns the sources with the given names, in the order of names. It skips unknown
// names. The sources in o.WhyUnused have no dates.
func (o *Options) dateSources(names []string) []Source {
	var out []Source
	for _, name := range names {
		i := slices.IndexFunc(Sources, func(s Source) bool { return s.Name == name })
		if i < 0 {
			continue
		}
		src := Sources[i]
		if why := o.WhyUnused[name]; why != "" {
			src.find = func(*dater, *Page) sourceDate { return sourceDate{note: why} }
		}
		out = append(out, src)
	}
	return out
}

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

func gitDate(d *dater, p *Page) (s sourceDate) {
	file := d.world.lastChangedFile(p)
	if file == "" {
		return sourceDate{note: "the page has no file in git"}
	}
	got, ok := d.world.Git.Results[file]
	switch {
	case !ok:
		return sourceDate{note: "not used: an earlier source has a date"}
	case got.Date.IsZero():
		return sourceDate{note: got.Why, after: got.After}
	}
	s.date = got.Date
	if !got.New {
		s.after = got.Date
	}
	s.note, s.pos = d.world.explainGitDate(p, file)
	return s
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
	case len(p.Facts.Rare().Includes) > 0:
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

// whyMTimeIsOptIn returns why modification times are not used on CI systems, which set the variable
// CI. It returns "" for other systems.
func whyMTimeIsOptIn(getenv func(string) string) string {
	if ci := getenv("CI"); ci == "" || ci == "false" || ci == "0" {
		return ""
	}
	return "CI is set, and files carry the time of the checkout; name mtime in lastmod to use it anyway"
}

func mtimeDate(d *dater, p *Page) sourceDate {
	switch {
	case len(p.Facts.Rare().Includes) > 0:
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

// oldestDate is the earliest plausible date of a page. No web page is older.
var oldestDate = sitemap.DayOf(time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC))

// WhyImpossibleDate returns why date cannot be true, such as "lies in the future", or "". isFuture
// tells whether date is in the future.
func WhyImpossibleDate(date sitemap.Date, isFuture bool) string {
	switch {
	case date.IsZero():
	case isFuture:
		return "lies in the future"
	case date.Compare(oldestDate) < 0:
		return "lies before 1990"
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
	case !src.IsByHand && p.Content != nil && isBefore(date, p.Content.Date) && d.clock.isPast(p.Content.Date):
		return "the page was published later, on " + p.Content.Date.Day()
	case date.Compare(after) <= 0:
		return "the page may have changed later, and no source knows when"
	}
	return ""
}

// isBefore reports whether date is before published. If published is a day, the day of date in its
// own zone counts: one o'clock of that day in Tokyo is not before it.
func isBefore(date, published sitemap.Date) bool {
	if published.Precision() == sitemap.Day {
		date = date.DayOnly()
	}
	return date.Compare(published) < 0
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
	return &dater{world: r.World, clock: c, ledger: r.Ledger, sources: r.World.Options.dateSources(r.World.Options.LastMod), commonDay: r.commonDay}
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

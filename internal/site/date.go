package site

import (
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/files"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Source is one source of dates.
type Source struct {
	Name     string // as in the configuration's lastmod
	ask      func(*asker, *Page) answer
	byAuthor bool   // a person writes the date for the page, so it counts even if nearly all pages share it
	sameHint string // the next step if the source gives nearly all pages the same day
}

// An answer is what a source says of one page: a date and the key it stood
// under, or nothing and why.
type answer struct {
	date sitemap.Date
	note string
	// after is a lower bound: a date of a later source that is before it is false. The
	// source knows that the page changed then or later, or has dated the page so before.
	after sitemap.Date
	// pos is the place of the date; no place stands for the page's own file.
	pos diag.Pos
	// front says that the date stands in the page's content file.
	front bool
	// tell returns a note and a place that cost more than most are worth: few are read.
	tell func(*asker, *Page) (note string, pos diag.Pos)
}

// remark returns the answer's note and its place; no place stands for the
// page's own file.
func (a *answer) remark(d *asker, r *Page) (note string, pos diag.Pos) {
	switch {
	case a.tell != nil:
		return a.tell(d, r)
	case a.front:
		return a.note, d.world.ContentPos(r)
	}
	return a.note, a.pos
}

// Sources are all origins of dates in the order that holds without
// configuration.
var Sources = []Source{
	{
		"rule", ruleDate, true,
		"one rule dates the whole site; give it a narrower match",
	},
	{
		"frontmatter", frontDate, true,
		"a template or an import seems to have written it; remove it from the files that did not change",
	},
	{
		"html", htmlDate, false,
		"the generator's template seems to print the time of the build; let it print the date of the page, or leave html out of lastmod",
	},
	{
		"git", gitDate, false,
		"one commit touched all sources (an import or a reformat); a ledger dates by content instead",
	},
	{
		"ledger", ledgerDate, false,
		"the pages changed together, by a new template perhaps; add what changed to fingerprint.exclude",
	},
	{
		"sitemap", sitemapDate, false,
		"the sitemap that was read seems to print the time of its build; leave sitemap out of lastmod",
	},
	{
		"date", writtenDate, true,
		"a template or an import seems to have written it; remove it from the files that did not change",
	},
	{
		"mtime", mtimeDate, false,
		"a copy or a checkout seems to have written the files; leave mtime out of lastmod",
	},
}

// SourceNames returns the names of Sources in their order.
func SourceNames() []string {
	names := make([]string, len(Sources))
	for i, s := range Sources {
		names[i] = s.Name
	}
	return names
}

// sources returns those of some names, in the order of the names.
func sources(names []string) []Source {
	var out []Source
	for _, name := range names {
		if i := slices.IndexFunc(Sources, func(s Source) bool { return s.Name == name }); i >= 0 {
			out = append(out, Sources[i])
		}
	}
	return out
}

func ruleDate(d *asker, r *Page) answer {
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

func frontDate(d *asker, r *Page) answer {
	switch {
	case r.Content == nil && d.world.Options.Content == nil:
		return answer{note: "there is no content tree"}
	case r.Content == nil:
		return answer{note: "no content file is paired with the page"}
	case r.Content.LastMod.IsZero() && r.Content.By.LastMod != "":
		return answer{note: r.Content.By.LastMod + " is not a date", after: r.Born()}
	case r.Content.LastMod.IsZero():
		return answer{note: "the front matter has no date of a change"}
	}
	return answer{date: r.Content.LastMod, note: r.Content.By.LastMod, front: true}
}

func htmlDate(d *asker, r *Page) answer {
	if r.Facts.File == "" || d.world.Options.Pages == nil || r.Facts.LastMod.IsZero() {
		return answer{note: "the page names none"}
	}
	switch d.stamp(r) {
	case "":
		return answer{date: r.Facts.LastMod, note: page.DateKeys[r.Facts.By-1]}
	case builtThen: // it may be true; then what was written before is not
		return answer{tell: stampNote, after: r.Born()}
	}
	return answer{tell: stampNote}
}

func sitemapDate(d *asker, r *Page) answer {
	switch {
	case d.world.Options.From == nil:
		return answer{note: "no sitemap is read"}
	case r.FromSitemap == nil || r.FromSitemap.URL.LastMod.IsZero():
		return answer{note: "it has no lastmod"}
	case d.world.stamps.ends(r.FromSitemap.URL.LastMod):
		return answer{note: "its lastmod " + r.FromSitemap.URL.LastMod.String() + " is not used: " + cloneEnd}
	}
	return answer{date: r.FromSitemap.URL.LastMod, note: "lastmod", pos: r.FromSitemap.Pos}
}

func writtenDate(d *asker, r *Page) answer {
	if r.Content == nil || r.Content.Date.IsZero() {
		return answer{note: "no content file with a date"}
	}
	return answer{date: r.Content.Date, note: r.Content.By.Date, front: true}
}

func ledgerDate(d *asker, r *Page) answer {
	if d.memory == nil {
		return answer{note: "no ledger is configured"}
	}
	key, ok := d.world.key(r)
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

func mtimeDate(d *asker, r *Page) answer {
	switch {
	case d.world.mtime != "":
		return answer{note: d.world.mtime}
	case r.Facts.MTime == 0:
		return answer{note: "not asked: an earlier source speaks"}
	}
	return answer{date: sitemap.DateOf(time.Unix(int64(r.Facts.MTime), 0).In(d.world.Options.Zone), sitemap.Second), note: "mtime"}
}

// An asker asks sources for the dates of pages at a time. It is safe for concurrent use.
type asker struct {
	world  *World
	clock  *clock
	memory *ledger.Ledger // what is remembered; nil without a ledger
	common sitemap.Date   // the day that nearly all pages have, which only authors may give; zero if there is none
}

// resolve returns the first date that a source says of a page and that can be
// true, and the source; "" when there is none. It calls doubtful, unless that is nil,
// with each date before it that cannot.
func (d *asker) resolve(sources []Source, r *Page, doubtful func(r *Page, a answer, why string)) (date sitemap.Date, by string) {
	var after sitemap.Date
	for i := range sources {
		a := sources[i].ask(d, r)
		why := d.passedOver(&sources[i], a.date, after)
		if why == "" && !a.date.IsZero() {
			return a.date, sources[i].Name
		}
		if doubtful != nil && d.doubt(a.date) != "" {
			doubtful(r, a, why)
		}
		if after.Compare(a.after) < 0 {
			after = a.after
		}
	}
	return sitemap.Date{}, ""
}

// doubt says why a date cannot be true at the time of the fold, "" when it can.
func (d *asker) doubt(date sitemap.Date) string {
	if why := WhyDoubtful(date, d.clock.future(date)); why != "" {
		return "it " + why
	}
	return ""
}

// passedOver says why a date is not used though no earlier source has one, "" when it is
// used or there is none. after is the latest of what those sources say of changes.
func (d *asker) passedOver(src *Source, date, after sitemap.Date) string {
	switch why := d.doubt(date); {
	case date.IsZero() || why != "":
		return why
	case !src.byAuthor && !d.common.IsZero() && date.DayOnly() == d.common:
		return "nearly all pages have that day"
	case date.Compare(after) <= 0:
		return "the page may have changed later, and no source says when"
	}
	return ""
}

// A dater dates the listed pages.
type dater struct {
	*asker
	listed  []*Page
	sources []Source
	report  *diag.Report
}

// datePages gives every listed page its date. If nearly all pages have the same day, it
// dates them again without this day. It returns the day, and how many pages each source dated.
func datePages(w *World, listed []*Page, memory *ledger.Ledger, c *clock, report *diag.Report) (common sitemap.Date, by map[string]int) {
	d := &dater{&asker{world: w, clock: c, memory: memory}, listed, sources(w.Options.LastMod), report}
	by = d.dateAll()
	defer d.reportImports()
	claim := func(r *Page) sitemap.Date { date, _ := d.dateOrStamp(r); return date }
	day, count, _ := DominantDay(slices.Values(listed), claim)
	if count == 0 {
		return sitemap.Date{}, by
	}
	source, hint := d.mainSource()
	d.common = day
	by = d.dateAll()
	d.reportCommon(count, source, hint)
	return day, by
}

// dateAll dates all pages, and returns how many each source dated.
func (d *dater) dateAll() map[string]int {
	files.ParallelEach(len(d.listed), func(i int) {
		r := d.listed[i]
		r.Entry.LastMod, r.DateBy = d.resolve(d.sources, r, d.doubtful)
	})
	by := map[string]int{}
	for _, r := range d.listed {
		if r.DateBy != "" {
			by[r.DateBy]++
		}
	}
	return by
}

func (d *dater) doubtful(r *Page, a answer, why string) {
	if !d.common.IsZero() {
		return // said when the pages were dated for the first time
	}
	note, pos := a.remark(d.asker, r)
	if pos.File == "" && r.Facts.File != "" {
		pos = d.world.Pos(r)
	}
	d.report.Add(diag.Warnf(pos, "doubtful-date", "correct the date, or remove it", "date %s (%s) is not used: %s", a.date, note, why))
}

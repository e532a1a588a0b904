package site

import (
	"maps"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/ledger"
	"github.com/sitewalk/sitewalk/internal/parallel"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Source is one origin of dates.
type Source struct {
	Name  string              // as in the configuration's lastmod
	Text  string              // what it is
	heard func(w *World) bool // it may have a date for a page of the site
	ask   func(*dating, *Page) answer
	word  bool // it is somebody's own word on the page, and printed whatever others say
}

// An answer is what a source says of one page: a date and the key it stood
// under, or nothing and why.
type answer struct {
	date sitemap.Date
	note string
	// after is the last moment that the source knows of, where an earlier date
	// would be false though its own is none or is not used: the page changed since
	// and it cannot say when, or has had a date of this source before.
	after sitemap.Date
	// front says that the date stands in the page's content file.
	front bool
	// tell returns a note and the place of the date, for the few that somebody
	// reads; nil: note, and the content file or else the page's own file.
	tell func(*dating, *Page) (note string, pos diag.Pos)
}

// remark returns the answer's note and its place; no place stands for the
// page's own file.
func (a *answer) remark(d *dating, r *Page) (note string, pos diag.Pos) {
	switch {
	case a.tell != nil:
		return a.tell(d, r)
	case a.front:
		return a.note, d.world.ContentPos(r)
	}
	return a.note, diag.Pos{}
}

// Sources are all origins of dates in the order that holds without
// configuration.
var Sources = []Source{
	{"rule", "lastmod of the last matching rule, or of an extra URL", func(w *World) bool { return w.o.Rules.Len()+len(w.o.Extra) > 0 }, ruleDate, true},
	{"frontmatter", "lastmod, last_modified_at, modified or updated of the content file", func(w *World) bool { return w.o.Content != nil }, frontDate, true},
	{"html", "JSON-LD dateModified, article:modified_time or og:updated_time of the page", func(w *World) bool { return w.stamps.html }, htmlDate, false},
	{"git", "the last commit that changed the page's source", func(w *World) bool { return len(w.git.dates) > 0 }, gitDate, false},
	{"ledger", "the day on which the page's visible content last changed", func(w *World) bool { return w.o.Ledger != nil }, ledgerDate, false},
	{"sitemap", "lastmod of the sitemap that --from names", func(w *World) bool { return w.o.From != nil }, sitemapDate, false},
	{"date", "date of the content file", func(w *World) bool { return w.o.Content != nil }, writtenDate, true},
	{"mtime", "modification time of the page's file", func(w *World) bool { return w.mtime == "" }, mtimeDate, false},
}

// SourceNames returns the names of Sources in their order.
func SourceNames() []string {
	names := make([]string, len(Sources))
	for i, s := range Sources {
		names[i] = s.Name
	}
	return names
}

// sources returns those that the options ask for, in their order.
func (w *World) sources() []Source {
	var out []Source
	for _, name := range w.o.LastMod {
		if i := slices.IndexFunc(Sources, func(s Source) bool { return s.Name == name }); i >= 0 {
			out = append(out, Sources[i])
		}
	}
	return out
}

// heard returns those of them that may have a date.
func (w *World) heard() []Source {
	return slices.DeleteFunc(w.sources(), func(s Source) bool { return !s.heard(w) })
}

func ruleDate(d *dating, r *Page) answer {
	if r.Said.File == "" && !r.Said.LastMod.IsZero() {
		return answer{date: r.Said.LastMod, tell: func(d *dating, r *Page) (string, diag.Pos) { return "extra", d.world.Pos(r) }}
	}
	if r.Rules == nil {
		return answer{note: "no rule matches"}
	}
	if r.Rules.URL.LastMod.IsZero() {
		return answer{note: "no matching rule has a lastmod"}
	}
	return answer{date: r.Rules.URL.LastMod, tell: datingRule}
}

func datingRule(_ *dating, r *Page) (string, diag.Pos) {
	rule := r.Rules.Matching[0]
	for _, m := range r.Rules.Matching {
		if !m.Set.LastMod.IsZero() {
			rule = m
		}
	}
	return rule.Match, rule.Pos
}

func frontDate(d *dating, r *Page) answer {
	switch {
	case r.Content == nil && d.world.o.Content == nil:
		return answer{note: "there is no content tree"}
	case r.Content == nil:
		return answer{note: "no content file is paired with the page"}
	case r.Content.LastMod.IsZero() && r.Content.By.LastMod != "":
		return answer{note: r.Content.By.LastMod + " is no date", after: r.Born()}
	case r.Content.LastMod.IsZero():
		return answer{note: "the front matter has no date of a change"}
	}
	return answer{date: r.Content.LastMod, note: r.Content.By.LastMod, front: true}
}

func htmlDate(d *dating, r *Page) answer {
	if r.Said.File == "" || d.world.o.Pages == nil || r.Said.LastMod.IsZero() {
		return answer{note: "the page names none"}
	}
	switch d.stamp(r) {
	case "":
		return answer{date: r.Said.LastMod, note: page.DateKeys[r.Said.By-1]}
	case builtThen: // it may be true; then what was written before is not
		return answer{tell: stampNote, after: r.Born()}
	}
	return answer{tell: stampNote}
}

func sitemapDate(d *dating, r *Page) answer {
	switch {
	case d.world.o.From == nil:
		return answer{note: "no sitemap is read"}
	case r.Given == nil || r.Given.lastmod.IsZero():
		return answer{note: "it has no lastmod"}
	case d.world.stamps.ends(r.Given.lastmod):
		return answer{note: "its lastmod " + r.Given.lastmod.String() + " is not used: " + cloneEnd}
	}
	return answer{date: r.Given.lastmod, tell: func(_ *dating, r *Page) (string, diag.Pos) { return "lastmod", r.Given.pos() }}
}

func writtenDate(d *dating, r *Page) answer {
	if r.Content == nil || r.Content.Date.IsZero() {
		return answer{note: "no content file with a date"}
	}
	return answer{date: r.Content.Date, note: r.Content.By.Date, front: true}
}

func ledgerDate(d *dating, r *Page) answer {
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
	case r.Said.Fingerprint == nil:
		why = "only a built page has content to compare"
	}
	return answer{date: date, after: date, note: why}
}

func mtimeDate(d *dating, r *Page) answer {
	switch {
	case d.world.mtime != "":
		return answer{note: d.world.mtime}
	case r.Said.MTime == 0:
		return answer{note: "not asked: an earlier source speaks"}
	}
	return answer{date: sitemap.DateOf(time.Unix(int64(r.Said.MTime), 0).In(d.world.o.Zone), sitemap.Second), note: "mtime"}
}

// A dating asks sources for the dates of pages at a time. It is for one goroutine.
type dating struct {
	world  *World
	clock  clock
	memory *ledger.Lookup // of what is remembered; nil without a ledger
	days   days
}

// Days are what the dates of all pages together say of single days.
type days struct {
	builds bool         // the day that nearly all pages name in their HTML is that of a build
	common sitemap.Date // the day that no source may say, as nearly all pages have it
}

// oldest is the first day that can be true of a page: the web is not older.
var oldest = sitemap.DayOf(time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC))

// doubt says why a date cannot be true, "" when it can or there is none.
func (d *dating) doubt(date sitemap.Date) string {
	switch {
	case date.IsZero():
	case d.clock.future(date):
		return "it lies in the future"
	case date.Compare(oldest) < 0:
		return "it lies before 1990"
	}
	return ""
}

// resolve returns the first date that a source says of a page and that can be
// true, and the source; "" when there is none. It calls doubtful, unless that is nil,
// with each date before it that cannot.
func (d *dating) resolve(sources []Source, r *Page, doubtful func(d *dating, r *Page, a answer, why string)) (date sitemap.Date, by string) {
	var after sitemap.Date
	for i := range sources {
		a := sources[i].ask(d, r)
		why := d.passedOver(&sources[i], a.date, after)
		if why == "" && !a.date.IsZero() {
			return a.date, sources[i].Name
		}
		if doubtful != nil && d.doubt(a.date) != "" {
			doubtful(d, r, a, why)
		}
		after = latest(after, a.after)
	}
	return sitemap.Date{}, ""
}

// passedOver says why a date of a source is not the page's though no source
// before it has one, "" when it is or there is no date.
func (d *dating) passedOver(src *Source, date, after sitemap.Date) string {
	switch why := d.doubt(date); {
	case date.IsZero() || why != "":
		return why
	case !src.word && !d.days.common.IsZero() && date.DayOnly() == d.days.common:
		return "nearly all pages have that day"
	case date.Compare(after) <= 0:
		return "the page may have changed later, and no source says when"
	}
	return ""
}

func latest(a, b sitemap.Date) sitemap.Date {
	if a.Compare(b) < 0 {
		return b
	}
	return a
}

// A dater dates the listed pages.
type dater struct {
	world   *World
	listed  []*Page
	sources []Source
	ledger  *ledger.Ledger
	clock   *clock
	report  *diag.Report
	days    days
}

// datePages gives every listed page its date. It returns what all dates together say
// of single days, and how many pages each source dated.
func datePages(w *World, listed []*Page, memory *ledger.Ledger, c *clock, report *diag.Report) (days, map[string]int) {
	d := &dater{world: w, listed: listed, sources: w.heard(), ledger: memory, clock: c, report: report}
	d.days.builds = d.isBuildDay()
	by := d.dateAll()
	if day, count := commonDay(listed, d.claim); nearlyAll(count, len(listed)) {
		likely := d.likeliest(by)
		d.days.common = day
		by = d.dateAll()
		d.reportCommon(day, count, likely)
	}
	return d.days, by
}

// asking returns a dating for one goroutine.
func (d *dater) asking() *dating {
	to := &dating{world: d.world, clock: clock{now: d.clock.now}, days: d.days}
	if d.ledger != nil {
		to.memory = d.ledger.Lookup()
	}
	return to
}

func (d *dater) dateAll() map[string]int {
	type dated struct {
		by   map[string]int
		next time.Time
	}
	by := map[string]int{}
	for _, part := range parallel.Parts(len(d.listed), func(from, to int) dated {
		ask, by := d.asking(), map[string]int{}
		for _, r := range d.listed[from:to] {
			if r.Entry.LastMod, r.DateBy = ask.resolve(d.sources, r, d.doubtful); r.DateBy != "" {
				by[r.DateBy]++
			}
		}
		return dated{by, ask.clock.next}
	}) {
		d.clock.note(part.next)
		for name, n := range part.by {
			by[name] += n
		}
	}
	return by
}

// isBuildDay reports whether the day that nearly all pages name in their HTML is
// that of a build: when it is today, or most of what other sources say of these
// pages is another day.
func (d *dater) isBuildDay() bool {
	day := d.world.stamps.day
	if day.IsZero() {
		return d.world.stamps.html
	}
	ask := d.asking()
	ask.days.builds = d.world.stamps.html
	others := slices.DeleteFunc(slices.Clone(d.sources), func(s Source) bool { return s.Name == "html" || s.Name == "mtime" })
	votes := 0
	for _, r := range d.listed {
		if r.Said.LastMod.DayOnly() != day || r.Said.File == "" {
			continue
		}
		switch date, by := ask.resolve(others, r, nil); {
		case by == "":
		case date.DayOnly() == day:
			votes--
		default:
			votes++
		}
	}
	d.clock.note(ask.clock.next)
	return votes > 0 || day == d.clock.today(d.world.o.Zone)
}

func (d *dater) doubtful(ask *dating, r *Page, a answer, why string) {
	if !d.days.common.IsZero() {
		return // said when the pages were dated for the first time
	}
	if a.front && isFull(d.report, "doubtful-date", d.world.o.Content, r.Content.File) {
		d.report.More("doubtful-date", diag.Warning)
		return
	}
	note, pos := a.remark(ask, r)
	if pos.File == "" && r.Said.File != "" {
		pos = d.world.Pos(r)
	}
	d.report.Add(diag.Warnf(pos, "doubtful-date", "correct the date, or remove it", "date %s (%s) is not used: %s", a.date, note, why))
}

// isFull reports whether a finding about a file would only be counted.
func isFull(report *diag.Report, code string, t *facts.Tree, file string) bool {
	var name [256]byte
	return report.Full(code, t.AppendShown(name[:0], file))
}

// reportCommon reports the day that nearly all pages have, or would have
// if their dates were not known to be those of a build or a deploy.
func (d *dater) reportCommon(day sitemap.Date, count int, by culprit) {
	undated, same := 0, 0
	for _, r := range d.listed {
		if r.Entry.LastMod.IsZero() {
			undated++
		} else if r.Entry.LastMod.DayOnly() == day {
			same++
		}
	}
	switch {
	case nearlyAll(same, len(d.listed)):
		d.sameDate(by, "%d of %d pages have the date %s, most of them by %s", same, len(d.listed), day, by.source)
	case undated > 0:
		d.sameDate(by, "%d of %d pages have the date %s, most of them by %s, which is not printed", count, len(d.listed), day, by.source)
	}
}

func (d *dater) sameDate(by culprit, format string, args ...any) {
	d.report.Add(diag.Warnf(diag.Pos{}, "same-date", causes[by.cause], format, args...))
}

// claim returns the page's date, else the one that it would have, were it not
// known for that of a build or a deploy.
func (d *dater) claim(r *Page) sitemap.Date {
	if !r.Entry.LastMod.IsZero() {
		return r.Entry.LastMod
	}
	ask := dating{world: d.world, clock: clock{now: d.clock.now}, days: d.days}
	if date := d.world.deploy(r); !date.IsZero() || !d.world.stamps.html || ask.stamp(r) == "" {
		return date
	}
	return r.Said.LastMod
}

// commonDay returns the day that more than half of the pages have, and how many
// have it; when there is none, some day. A map of all days would cost as much as
// all else that is done with dates: days vote for themselves and against each
// other, and only one that most pages have can be left over, see
// https://en.wikipedia.org/wiki/Boyer%E2%80%93Moore_majority_vote_algorithm.
func commonDay[T any](pages []T, date func(T) sitemap.Date) (day sitemap.Date, count int) {
	votes := 0
	for _, r := range pages {
		switch d := date(r).DayOnly(); {
		case votes == 0:
			day, votes = d, 1
		case d == day:
			votes++
		default:
			votes--
		}
	}
	if day.IsZero() {
		return day, 0
	}
	for _, r := range pages {
		if date(r).DayOnly() == day {
			count++
		}
	}
	return day, count
}

// A culprit is the source of most dates, and the likeliest cause that they are
// all the same.
type culprit struct{ source, cause string }

func (d *dater) likeliest(dated map[string]int) (best culprit) {
	by := maps.Clone(dated)
	for _, r := range d.listed {
		switch {
		case !r.Entry.LastMod.IsZero():
		case !d.world.deploy(r).IsZero():
			by["deploy"]++
		case !d.claim(r).IsZero():
			by["html"]++
		}
	}
	most := 0
	for _, name := range append(SourceNames(), "deploy") {
		if by[name] > most {
			best, most = culprit{name, name}, by[name]
		}
	}
	if best.cause == "deploy" {
		best.source = "git"
	}
	return best
}

var causes = map[string]string{
	"rule":        "one rule dates the whole site; give it a narrower match",
	"frontmatter": "a template or an import seems to have written it; remove it from the files that did not change",
	"html":        "the generator's template seems to print the time of the build; let it print the date of the page, or leave html out of lastmod",
	"git":         "one commit touched all sources (an import or a reformat); a ledger dates by content instead",
	"deploy":      "the built files are tracked by git and share the commit of their deploy; run sitewalk where the site is built, or let a ledger date by content",
	"ledger":      "the pages changed together, by a new template perhaps; add what changed to fingerprint.exclude",
	"sitemap":     "the sitemap that was read seems to print the time of its build; leave sitemap out of lastmod",
	"date":        "a template or an import seems to have written it; remove it from the files that did not change",
	"mtime":       "a copy or a checkout seems to have written the files; leave mtime out of lastmod",
}

// ContentPos is the content file of a page that has one, as the user would type it.
func (w *World) ContentPos(r *Page) diag.Pos {
	return diag.Pos{File: w.o.Content.Show(r.Content.File)}
}

// Pos is the page's file as the user would type it, or where an address without
// a file is written.
func (w *World) Pos(r *Page) diag.Pos {
	switch {
	case r.Said.File != "":
	case r.Given != nil:
		return r.Given.pos()
	case r.Said.Rest != nil:
		return r.Said.Rest.Pos
	}
	t := w.o.Pages
	file := r.Said.File
	if t == nil {
		t = w.o.Content
		if r.Content != nil {
			file = r.Content.File
		}
	}
	return diag.Pos{File: t.Show(file)}
}

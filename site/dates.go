package site

import (
	"maps"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Source is one origin of dates.
type Source struct {
	Name string // as in the configuration's lastmod
	Text string // what it is
	ask  func(*view, *record) answer
	word bool // it is somebody's own word on the page, and printed whatever others say
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
	tell func(*view, *record) (note string, pos diag.Pos)
}

// remark returns the answer's note and its place; no place stands for the
// page's own file.
func (a *answer) remark(s *view, r *record) (note string, pos diag.Pos) {
	switch {
	case a.tell != nil:
		return a.tell(s, r)
	case a.front:
		return a.note, s.contentPos(r)
	}
	return a.note, diag.Pos{}
}

// Sources are all origins of dates in the order that holds without
// configuration.
var Sources = []Source{
	{"rule", "lastmod of the last matching rule, or of an extra URL", (*view).ruleDate, true},
	{"frontmatter", "lastmod, last_modified_at, modified or updated of the content file", (*view).frontDate, true},
	{"html", "JSON-LD dateModified, article:modified_time or og:updated_time of the page", (*view).htmlDate, false},
	{"git", "the last commit that changed the page's source", (*view).gitDate, false},
	{"ledger", "the day on which the page's visible content last changed", (*view).ledgerDate, false},
	{"sitemap", "lastmod of the sitemap that --from names", (*view).sitemapDate, false},
	{"date", "date of the content file", (*view).writtenDate, true},
	{"mtime", "modification time of the page's file", (*view).mtimeDate, false},
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

func (s *view) ruleDate(r *record) answer {
	if r.File == "" && !r.LastMod.IsZero() {
		return answer{date: r.LastMod, tell: func(s *view, r *record) (string, diag.Pos) { return "extra", s.pos(r) }}
	}
	if r.set == nil {
		return answer{note: "no rule matches"}
	}
	if r.set.url.LastMod.IsZero() {
		return answer{note: "no matching rule has a lastmod"}
	}
	return answer{date: r.set.url.LastMod, tell: (*view).datingRule}
}

func (s *view) datingRule(r *record) (string, diag.Pos) {
	rule := r.set.rules[0]
	for _, m := range r.set.rules {
		if !m.Set.LastMod.IsZero() {
			rule = m
		}
	}
	return rule.Match, rule.Pos
}

func (s *view) frontDate(r *record) answer {
	switch {
	case r.src == nil && s.o.Content == nil:
		return answer{note: "there is no content tree"}
	case r.src == nil:
		return answer{note: "no content file is paired with the page"}
	case r.src.LastMod.IsZero() && r.src.By.LastMod != "":
		return answer{note: r.src.By.LastMod + " is no date", after: r.birth()}
	case r.src.LastMod.IsZero():
		return answer{note: "the front matter has no date of a change"}
	}
	return answer{date: r.src.LastMod, note: r.src.By.LastMod, front: true}
}

func (s *view) htmlDate(r *record) answer {
	if r.File == "" || s.o.Pages == nil || r.LastMod.IsZero() {
		return answer{note: "the page names none"}
	}
	switch s.stamp(r) {
	case "":
		return answer{date: r.LastMod, note: page.DateKeys[r.By-1]}
	case builtThen: // it may be true; then what was written before is not
		return answer{tell: (*view).tellStamp, after: r.birth()}
	}
	return answer{tell: (*view).tellStamp}
}

// birth returns the day on which the page was written, as its content file
// says.
func (r *record) birth() sitemap.Date {
	if r.src == nil {
		return sitemap.Date{}
	}
	return r.src.Date
}

func (s *view) sitemapDate(r *record) answer {
	switch {
	case s.o.From == nil:
		return answer{note: "no sitemap is read"}
	case r.from == 0 || s.givenAs(r).lastmod.IsZero():
		return answer{note: "it has no lastmod"}
	case s.stamps.ends(s.givenAs(r).lastmod):
		return answer{note: "its lastmod " + s.givenAs(r).lastmod.String() + " is not used: " + cloneEnd}
	}
	return answer{date: s.givenAs(r).lastmod, tell: func(s *view, r *record) (string, diag.Pos) { return "lastmod", s.givenAs(r).pos() }}
}

func (s *view) writtenDate(r *record) answer {
	if r.src == nil || r.src.Date.IsZero() {
		return answer{note: "no content file with a date"}
	}
	return answer{date: r.src.Date, note: r.src.By.Date, front: true}
}

func (s *view) mtimeDate(r *record) answer {
	switch {
	case s.mtime != "":
		return answer{note: s.mtime}
	case r.MTime == 0:
		return answer{note: "not asked: an earlier source speaks"}
	}
	return answer{date: sitemap.DateOf(time.Unix(int64(r.MTime), 0).In(s.o.Zone), sitemap.Second), note: "mtime"}
}

// slack is how far in the future a date may lie: a day that has begun
// somewhere on earth is not the future, and clocks differ a little.
func slack(d sitemap.Date) time.Duration {
	if d.Precision() == sitemap.Day {
		return 14 * time.Hour
	}
	return 5 * time.Minute
}

// oldest is the first day that can be true of a page: the web is not older.
var oldest = sitemap.DayOf(time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC))

// doubt says why a date cannot be true, "" when it can or there is none.
func (s *view) doubt(d sitemap.Date) string {
	switch {
	case d.IsZero():
	case s.future(d):
		return "it lies in the future"
	case d.Compare(oldest) < 0:
		return "it lies before 1990"
	}
	return ""
}

// date gives every listed page its date.
func (f *fold) date() {
	sources := f.sources()
	f.stamps.common = sitemap.Date{}
	f.hearOthers(sources)
	f.dateAll(sources)
	f.monotony(sources)
}

func (f *fold) dateAll(sources []Source) {
	f.counts = make([]int, len(sources))
	stretches(f, f.listed, func(f *fold, pages []*record) { f.dateEach(pages, sources) })
	f.by = map[string]int{}
	for i, src := range sources {
		if n := f.counts[i]; n > 0 {
			f.by[src.Name] = n
		}
	}
}

func (f *fold) dateEach(pages []*record, sources []Source) {
	for _, r := range pages {
		d, by := f.settle(sources, r, f.doubtful)
		if r.date, r.dater = d, uint8(by+1); by >= 0 {
			f.counts[by]++
		}
	}
}

// settle returns the first date that a source says of a page and that can be
// true, and the index of the source; -1 when there is none. It tells doubtful,
// unless that is nil, of each one before it that cannot.
func (s *view) settle(sources []Source, r *record, doubtful func(r *record, a answer, why string)) (d sitemap.Date, by int) {
	var after sitemap.Date
	for i := range sources {
		a := sources[i].ask(s, r)
		why := s.passedOver(&sources[i], a.date, after)
		if why == "" && !a.date.IsZero() {
			return a.date, i
		}
		if doubtful != nil && s.doubt(a.date) != "" {
			doubtful(r, a, why)
		}
		after = latest(after, a.after)
	}
	return sitemap.Date{}, -1
}

// passedOver says why a date of a source is not the page's though no source
// before it has one, "" when it is or there is no date.
func (s *view) passedOver(src *Source, d, after sitemap.Date) string {
	switch why := s.doubt(d); {
	case d.IsZero() || why != "":
		return why
	case s.common(src, d):
		return "nearly all pages have that day"
	case d.Compare(after) <= 0:
		return "the page may have changed later, and no source says when"
	}
	return ""
}

// common reports whether a source says the day that nearly all pages have, and
// not as somebody's own word.
func (s *view) common(src *Source, d sitemap.Date) bool {
	return !src.word && !s.stamps.common.IsZero() && d.DayOnly() == s.stamps.common
}

func latest(a, b sitemap.Date) sitemap.Date {
	if a.Compare(b) < 0 {
		return b
	}
	return a
}

func (f *fold) doubtful(r *record, a answer, why string) {
	if !f.stamps.common.IsZero() {
		return // said when the pages were dated for the first time
	}
	if a.front && f.full("doubtful-date", f.o.Content, r.src.File) {
		f.report.More("doubtful-date", diag.Warning)
		return
	}
	note, pos := a.remark(f.view, r)
	if pos.File == "" && r.File != "" {
		pos = f.pos(r)
	}
	f.report.Add(diag.Warnf(pos, "doubtful-date", "correct the date, or remove it", "date %s (%s) is not used: %s", a.date, note, why))
}

// full reports whether a finding about a file would only be counted.
func (f *fold) full(code string, t *facts.Tree, file string) bool {
	var name [256]byte
	return f.report.Full(code, t.AppendShown(name[:0], file))
}

// monotony drops and reports the day that nearly all pages have, or would have
// if their dates were not known to be those of a build or a deploy.
func (f *fold) monotony(sources []Source) {
	day, count := commonDay(f.listed, f.claim)
	if !nearlyAll(count, len(f.listed)) {
		return
	}
	by := f.likeliest()
	f.stamps.common = day
	f.dateAll(sources)
	undated, same := 0, 0
	for _, r := range f.listed {
		if r.date.IsZero() {
			undated++
		} else if r.date.DayOnly() == day {
			same++
		}
	}
	switch {
	case nearlyAll(same, len(f.listed)):
		f.sameDate(by, "%d of %d pages have the date %s, most of them by %s", same, len(f.listed), day, by.source)
	case undated > 0:
		f.sameDate(by, "%d of %d pages have the date %s, most of them by %s, which is not printed", count, len(f.listed), day, by.source)
	}
}

func (f *fold) sameDate(by culprit, format string, args ...any) {
	f.report.Add(diag.Warnf(diag.Pos{}, "same-date", causes[by.cause], format, args...))
}

// claim returns the page's date, else the one that it would have, were it not
// known for that of a build or a deploy.
func (f *fold) claim(r *record) sitemap.Date {
	if !r.date.IsZero() {
		return r.date
	}
	if d := f.deploy(r); !d.IsZero() || !f.stamps.html || f.stamp(r) == "" {
		return d
	}
	return r.LastMod
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

func (f *fold) likeliest() (best culprit) {
	by := maps.Clone(f.by)
	for _, r := range f.listed {
		switch {
		case !r.date.IsZero():
		case !f.deploy(r).IsZero():
			by["deploy"]++
		case !f.claim(r).IsZero():
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

func (s *view) contentPos(r *record) diag.Pos {
	return diag.Pos{File: s.o.Content.Show(r.src.File)}
}

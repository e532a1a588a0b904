package site

import (
	"fmt"
	"slices"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Source is one origin of dates.
type Source struct {
	Name string // as in the configuration's lastmod
	Text string // what it is
	ask  func(*Site, *record) answer
}

// An answer is what a source says of one page: a date and the key it stood
// under, or nothing and why.
type answer struct {
	date sitemap.Date
	note string
	// after is the last moment that a silent source knows of, where the page
	// changed since and it cannot say when: an earlier date would be false.
	after sitemap.Date
	// tell returns a note and the place of the date, for the few that somebody
	// reads; nil: note, and the page's own file.
	tell func(*Site, *record) (note string, pos diag.Pos)
}

// told returns the answer's note, and where it stands, nothing for the page's
// own file.
func (a *answer) told(s *Site, r *record) (note string, pos diag.Pos) {
	if a.tell == nil {
		return a.note, diag.Pos{}
	}
	return a.tell(s, r)
}

// Sources are all origins of dates in the order that holds without
// configuration.
var Sources = []Source{
	{"rule", "lastmod of the last matching rule, or of an extra URL", (*Site).ruleDate},
	{"frontmatter", "lastmod, last_modified_at, modified or updated of the content file", (*Site).frontDate},
	{"html", "JSON-LD dateModified, article:modified_time or og:updated_time of the page", (*Site).htmlDate},
	{"git", "the last commit that changed the page's source", (*Site).gitDate},
	{"ledger", "the day on which the page's visible content last changed", (*Site).ledgerDate},
	{"sitemap", "lastmod of the sitemap that --from names", (*Site).sitemapDate},
	{"date", "date of the content file", (*Site).writtenDate},
	{"mtime", "modification time of the page's file", (*Site).mtimeDate},
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
func (s *Site) sourcesAsked() []Source {
	var out []Source
	for _, name := range s.o.LastMod {
		if i := slices.IndexFunc(Sources, func(s Source) bool { return s.Name == name }); i >= 0 {
			out = append(out, Sources[i])
		}
	}
	return out
}

func (s *Site) ruleDate(r *record) answer {
	if r.file == "" && !r.lastmod.IsZero() {
		return answer{date: r.lastmod, tell: func(s *Site, r *record) (string, diag.Pos) { return "extra", s.pos(r) }}
	}
	if r.set == nil {
		return answer{note: "no rule matches"}
	}
	if r.set.url.LastMod.IsZero() {
		return answer{note: "no matching rule has a lastmod"}
	}
	return answer{date: r.set.url.LastMod, tell: (*Site).datingRule}
}

func (s *Site) datingRule(r *record) (string, diag.Pos) {
	rule := r.set.rules[0]
	for _, m := range r.set.rules {
		if !m.Set.LastMod.IsZero() {
			rule = m
		}
	}
	return rule.Match, rule.Pos
}

func (s *Site) frontDate(r *record) answer {
	switch {
	case r.src == nil && s.o.Content == nil:
		return answer{note: "there is no content tree"}
	case r.src == nil:
		return answer{note: "no content file is paired with the page"}
	case r.src.lastmod.IsZero():
		return answer{note: "the front matter has no date of a change"}
	}
	return answer{date: r.src.lastmod, tell: func(s *Site, r *record) (string, diag.Pos) {
		return r.src.by.lastmod, s.sourcePos(r)
	}}
}

func (s *Site) htmlDate(r *record) answer {
	if r.file == "" || s.o.Pages == nil || r.lastmod.IsZero() {
		return answer{note: "the page names none"}
	}
	return answer{date: r.lastmod, note: page.DateKeys[r.by-1]}
}

func (s *Site) sitemapDate(r *record) answer {
	switch {
	case s.o.From == nil:
		return answer{note: "no sitemap is read"}
	case r.from == nil || r.from.lastmod.IsZero():
		return answer{note: "it has no lastmod"}
	}
	return answer{date: r.from.lastmod, tell: func(_ *Site, r *record) (string, diag.Pos) { return "lastmod", r.from.pos() }}
}

func (s *Site) writtenDate(r *record) answer {
	if r.src == nil || r.src.date.IsZero() {
		return answer{note: "no content file with a date"}
	}
	return answer{date: r.src.date, tell: func(s *Site, r *record) (string, diag.Pos) {
		return r.src.by.date, s.sourcePos(r)
	}}
}

func (s *Site) mtimeDate(r *record) answer {
	switch {
	case s.mtime != "":
		return answer{note: s.mtime}
	case r.mtime == 0:
		return answer{note: "not asked: an earlier source speaks"}
	}
	return answer{date: sitemap.DateOf(time.Unix(r.mtime, 0).In(s.o.Zone), sitemap.Second), note: "mtime"}
}

// wantsMTime reports whether a page's mtime could become its date, so that it
// is worth a system call.
func (s *Site) wantsMTime(r *record) bool {
	if s.o.QuietMTime != "" || !slices.Contains(s.o.LastMod, "mtime") {
		return false
	}
	html, mtime := slices.Index(s.o.LastMod, "html"), slices.Index(s.o.LastMod, "mtime")
	return r.lastmod.IsZero() || html < 0 || mtime < html
}

const stampWindow = 10 * 60 // seconds

// buildStamp says why mtimes mean nothing, "" when they may mean something:
// generators rewrite every file at each build, so more than half of the pages
// within the same ten minutes are a build and not the work of authors.
func buildStamp(pages []*record) string {
	var ts []int64
	for _, r := range pages {
		if r.mtime != 0 {
			ts = append(ts, r.mtime)
		}
	}
	slices.Sort(ts)
	for i, j := 0, 0; j < len(ts); j++ {
		for ts[j]-ts[i] >= stampWindow {
			i++
		}
		if 2*(j-i+1) > len(ts) {
			return "more than half of the files were written within ten minutes, so they tell when the site was built"
		}
	}
	return ""
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
func (s *Site) doubt(d sitemap.Date) string {
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
	asked := f.sourcesAsked()
	f.dated = make([]int, len(asked))
	f.stretches(f.listed, func(f *fold, pages []*record) { f.dateEach(pages, asked) })
	f.by = map[string]int{}
	for i, src := range asked {
		if n := f.dated[i]; n > 0 {
			f.by[src.Name] = n
		}
	}
	f.monotony()
}

func (f *fold) dateEach(pages []*record, asked []Source) {
	for _, r := range pages {
		var after sitemap.Date
		for i, src := range asked {
			a := src.ask(f.Site, r)
			if why := f.doubt(a.date); why != "" {
				f.found.Add(f.doubtful(r, a, why))
				continue
			}
			if after = latest(after, a.after); a.date.Compare(after) > 0 {
				r.date, r.dater = a.date, uint8(i+1)
				f.dated[i]++
				break
			}
		}
	}
}

func latest(a, b sitemap.Date) sitemap.Date {
	if a.Compare(b) < 0 {
		return b
	}
	return a
}

func (f *fold) doubtful(r *record, a answer, why string) diag.Diagnostic {
	note, pos := a.told(f.Site, r)
	if pos.File == "" && r.file != "" {
		pos = f.pos(r)
	}
	return diag.Diagnostic{
		Pos: pos, Severity: diag.Warning, Code: "doubtful-date",
		Message: "date " + a.date.String() + " (" + note + ") is not used: " + why,
		Hint:    "correct the date, or remove it",
	}
}

// monotony reports that nearly all pages have one and the same day.
func (f *fold) monotony() {
	day, count := f.commonDay()
	if count < 10 || 10*count <= 9*len(f.listed) {
		return
	}
	f.found.Add(diag.Diagnostic{
		Severity: diag.Warning, Code: "same-date",
		Message: fmt.Sprintf("%d of %d pages have the date %s, most of them by %s", count, len(f.listed), day, likeliest(f.by)),
		Hint:    causes[likeliest(f.by)],
	})
}

// commonDay returns the day that more than half of the listed pages have, and
// how many have it; when there is none, some day. A map of all days would cost
// as much as all else that is done with dates: days vote for themselves and
// against each other, and only one that most pages have can be left over, see
// https://en.wikipedia.org/wiki/Boyer%E2%80%93Moore_majority_vote_algorithm.
func (f *fold) commonDay() (day sitemap.Date, count int) {
	votes := 0
	for _, r := range f.listed {
		switch {
		case votes == 0:
			day, votes = r.date.DayOnly(), 1
		case r.date.DayOnly() == day:
			votes++
		default:
			votes--
		}
	}
	for _, r := range f.listed {
		if !r.date.IsZero() && r.date.DayOnly() == day {
			count++
		}
	}
	return day, count
}

func likeliest(by map[string]int) string {
	best := ""
	for _, s := range Sources {
		if by[s.Name] > by[best] {
			best = s.Name
		}
	}
	return best
}

var causes = map[string]string{
	"rule":        "one rule dates the whole site; give it a narrower match",
	"frontmatter": "a template or an import seems to have written it; remove it from the files that did not change",
	"html":        "the generator's template seems to print the time of the build; let it print the date of the page, or leave html out of lastmod",
	"git":         "one commit touched all sources (an import or a reformat); a ledger dates by content instead",
	"ledger":      "the pages changed together, by a new template perhaps; add what changed to fingerprint.exclude",
	"sitemap":     "the sitemap that was read seems to print the time of its build; leave sitemap out of lastmod",
	"date":        "a template or an import seems to have written it; remove it from the files that did not change",
	"mtime":       "a copy or a checkout seems to have written the files; leave mtime out of lastmod",
}

func (s *Site) sourcePos(r *record) diag.Pos {
	return inTree(s.o.Content, r.src.file, diag.List{{}})[0].Pos
}

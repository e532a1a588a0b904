package site

import (
	"slices"
	"strings"
	"time"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/internal/hosting"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Verdict is a reason to leave a page out, the place that says so, and the
// text that stands there.
type Verdict struct {
	Reason page.Reason `json:"reason"`
	Pos    diag.Pos    `json:"pos"`
	Text   string      `json:"text,omitempty"`
}

// checks are the reasons by which a page is out on its own account, in the order
// in which they are asked. Canonicals and duplicates need the other pages and
// are judged after them.
var checks = []func(*view, *record) *Verdict{
	(*view).fromCheck,
	(*view).ownCheck,
	(*view).ruleCheck,
	(*view).sourceCheck,
	(*view).expiryCheck,
	(*view).headerCheck,
	(*view).redirectCheck,
	(*view).robotsCheck,
}

// verdict returns the first reason that holds for the page alone.
func (s *view) verdict(r *record) page.Reason {
	if s.o.From == nil && r.Own != page.Listed {
		return r.Own // the first one is asked for, and not its place
	}
	for _, check := range checks {
		if v := check(s, r); v != nil {
			return v.Reason
		}
	}
	return page.Listed
}

func (s *view) fromCheck(r *record) *Verdict {
	if s.o.From == nil || r.from != 0 || r.File == "" {
		return nil
	}
	return &Verdict{Reason: page.Unlisted, Pos: s.pos(r)}
}

func (s *view) ownCheck(r *record) *Verdict {
	if r.Own == page.Listed {
		return nil
	}
	return &Verdict{Reason: r.Own, Pos: s.pos(r)}
}

func (s *view) ruleCheck(r *record) *Verdict {
	if r.set == nil || r.set.exclude == nil {
		return nil
	}
	return &Verdict{page.ByRule, r.set.exclude.Pos, r.set.exclude.Match}
}

func (s *view) sourceCheck(r *record) *Verdict {
	if r.src == nil {
		return nil
	}
	if r.src.verdict != nil {
		return r.src.verdict
	}
	f := r.src.Facts
	switch {
	case s.ahead(r.src.since):
		return &Verdict{page.Scheduled, s.contentPos(r), r.src.since.String()}
	case f != nil && s.past(f.Expiry):
		return &Verdict{page.Expired, s.contentPos(r), f.Expiry.String()}
	}
	return nil
}

// expiryCheck heeds the page's own unavailable_after.
func (s *view) expiryCheck(r *record) *Verdict {
	if r.Rest == nil || !s.past(r.Rest.Expiry) {
		return nil
	}
	return &Verdict{page.Expired, s.pos(r), r.Rest.Expiry.String()}
}

func (s *view) headerCheck(r *record) *Verdict {
	host := s.part(r).host
	v, ok := host.NoIndex(s.address(r))
	for _, twin := range s.twins(r) {
		if !ok && !strings.HasSuffix(twin, ".html") {
			v, ok = host.NoIndex(twin)
		}
	}
	if !ok {
		return nil
	}
	return &Verdict{page.NoIndex, v.Pos, v.Text}
}

func (s *view) redirectCheck(r *record) *Verdict {
	p := s.part(r)
	if file, _ := p.Below(r.File); r.File != "" {
		if v, left := p.host.Undeployed(file); left {
			return &Verdict{page.NotServed, v.Pos, v.Text}
		}
	}
	v, ok := p.host.Redirect(s.address(r), p.exists)
	for _, twin := range s.twins(r) {
		if !ok {
			v, ok = p.host.Redirect(twin, p.exists)
			ok = ok && mapping.Spelling(v.To) != mapping.Spelling(twin)
		}
	}
	if !ok {
		return nil
	}
	return ruleVerdict(v)
}

// ruleVerdict is the verdict on an address for which a rule of the host answers, with a
// redirect or with an error.
func ruleVerdict(v hosting.Verdict) *Verdict {
	if v.To == "" {
		return &Verdict{page.NotServed, v.Pos, v.Text}
	}
	return &Verdict{page.Redirect, v.Pos, v.Text}
}

func (s *view) robotsCheck(r *record) *Verdict {
	if !s.o.ObeyRobots {
		return nil
	}
	v, ok := s.part(r).host.Disallowed(s.address(r))
	if !ok {
		return nil
	}
	return &Verdict{page.Robots, v.Pos, v.Text}
}

// twins returns the other addresses at which the host serves the page's file, which a
// rule for the page may name as well: /a and /a.html, and the one that the host gives
// the page where a rule has left it another one with a slash or without. A page that
// names that one itself means it.
func (s *view) twins(r *record) (all []string) {
	p := s.part(r)
	if !p.host.Ruled() || r.set != nil && r.set.url.Loc != "" {
		return nil
	}
	file, _ := p.Below(r.File)
	k, several := kind(file)
	if !several || r.Ending == mapping.AnyEnding || !slices.Contains(p.endings[k], r.Ending) {
		return nil
	}
	usual := p.Style.Ending(file)
	for _, e := range p.endings[k] {
		named := e == mapping.FileName && r.Ending == mapping.Bare || e == mapping.Bare && r.Ending == mapping.FileName
		slash := e == usual && e != mapping.FileName && r.Ending != mapping.FileName && r.Says != r.Ending
		if e != r.Ending && (named || slash) {
			all = append(all, e.Style().URLPath(file))
		}
	}
	return all
}

// address returns the URL path that the host is asked for: that of the URL
// which a rule gives the page, else the page's own.
func (s *view) address(r *record) string {
	if r.File == "" || r.set == nil || r.set.url.Loc == "" {
		return s.path(r)
	}
	p := s.part(r)
	loc, err := p.resolve(r.set.url.Loc)
	if err != nil {
		return s.path(r)
	}
	return p.pathOf(loc)
}

// exists reports whether the publish directory holds the page file.
func (w *World) exists(file string) bool {
	_, ok := findFact(w.pages, file)
	return ok
}

// existsIn is exists for the files of one part.
func (w *World) existsIn(p *part) func(file string) bool {
	if p.Dir == "" {
		return w.exists
	}
	dir := p.Dir + "/"
	return func(file string) bool { return w.exists(dir + file) }
}

// isFuture reports whether d has not come at a time: a time to the second, a day
// when it has begun nowhere on earth.
func isFuture(d sitemap.Date, now time.Time) bool { return d.After(now.Add(slack(d))) }

// future is isFuture at the time of the fold, and notes for how long that holds.
func (s *view) future(d sitemap.Date) bool { return !d.IsZero() && !s.come(d, slack(d)) }

// ahead reports whether a publish date has not come yet.
func (s *view) ahead(d sitemap.Date) bool { return !d.IsZero() && !s.come(d, 0) }

// past reports whether d has come.
func (s *view) past(d sitemap.Date) bool { return !d.IsZero() && s.come(d, 0) }

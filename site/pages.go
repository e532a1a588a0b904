package site

import (
	"iter"

	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Page is what a fold decided of one page, listed or not.
type Page struct {
	URL     string  // "" when no valid one can be made
	Verdict Verdict // its reason is page.Listed for a page that is in
	LastMod sitemap.Date
	By      string // the source of dates that gave LastMod
	Lang    string
	Title   string // known only when page.Options asked for titles
	File    string // as the user would type it; "" for a URL that no file stands for
	Source  string // the content file that is paired with it, likewise
}

// Pages returns every page that a file stands for, sorted by file, and then the
// listed URLs that none stands for, sorted by URL. It follows the fold that made
// the result, before any other.
func (r *Result) Pages() iter.Seq[Page] {
	s := r.List.site
	return func(yield func(Page) bool) {
		if s == nil {
			return // nothing was folded
		}
		asked := s.sourcesAsked()
		for _, rec := range s.pages {
			if !yield(s.told(rec, asked)) {
				return
			}
		}
		for _, rec := range r.List.records {
			if rec.file == "" && !yield(s.told(rec, asked)) {
				return
			}
		}
	}
}

func (s *Site) told(r *record, asked []Source) Page {
	p := Page{URL: r.loc, Verdict: s.judgement(r), LastMod: r.date, Lang: r.lang(), Title: r.title()}
	if p.URL == "" {
		p.URL, _ = s.mapped(r)
	}
	if r.file != "" {
		p.File = s.pos(r).File
	}
	if r.src != nil {
		p.Source = s.sourcePos(r).File
	}
	for _, src := range asked {
		if !r.date.IsZero() && p.By == "" && src.ask(s, r).date == r.date {
			p.By = src.Name
		}
	}
	return p
}

// judgement returns the verdict of the last fold with the place that decided it.
func (s *Site) judgement(r *record) Verdict {
	if r.reason == page.Listed {
		return Verdict{}
	}
	for _, check := range checks {
		if v := check(s, r); v != nil && v.Reason == r.reason {
			return *v
		}
	}
	v := Verdict{Reason: r.reason, Pos: s.pos(r)}
	if r.rest != nil && r.reason == page.Canonical {
		v.Text = r.rest.canonical
	}
	return v
}

package site

import (
	"cmp"
	"iter"
	"slices"

	"github.com/sitewalk/sitewalk/internal/diag"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Page is what a fold decided of one page, listed or not.
type Page struct {
	URL     string  // "" when no valid one can be made
	Verdict Verdict // its reason is page.Listed for a page that is in; Pos is where it is decided, or where an address without a file is written
	LastMod sitemap.Date
	By      string // the source of dates that gave LastMod
	Lang    string
	Title   string // known only when page.Options asked for titles
	Content string // the fingerprint of its content behind the version of that; "" when none was made
	File    string // as the user would type it; "" for a URL that no file stands for
	Source  string // the content file that is paired with it, likewise
}

// Pages returns every page of the site, listed or not, sorted by URL.
func (r *Result) Pages() iter.Seq[Page] {
	return func(yield func(Page) bool) {
		if r.List.view == nil {
			return // nothing was folded
		}
		s := r.explainer()
		sources := s.sources()
		for _, rec := range s.all() {
			if !yield(s.describe(rec, sources)) {
				return
			}
		}
	}
}

// all returns the records of all pages, by URL.
func (s *explainer) all() []*record {
	all := slices.Clone(s.res.strays)
	for rec := range s.res.filed() {
		if rec.reason != page.Listed {
			all = append(all, rec)
		}
	}
	all = append(all, s.res.List.records...)
	slices.SortStableFunc(all, func(a, b *record) int {
		return cmp.Or(cmp.Compare(s.where(a), s.where(b)), cmp.Compare(a.File, b.File))
	})
	return all
}

func (s *explainer) describe(r *record, sources []Source) Page {
	p := Page{URL: s.where(r), LastMod: r.date, Lang: r.lang(), Title: r.title()}
	if r.dater > 0 {
		p.By = sources[r.dater-1].Name
	}
	if r.reason != page.Listed {
		p.Verdict, _ = s.verdicts(r)
	}
	if r.File != "" {
		p.File = s.pos(r).File
	} else if p.Verdict.Pos == (diag.Pos{}) {
		p.Verdict.Pos = s.pos(r)
	}
	if r.src != nil {
		p.Source = s.contentPos(r).File
	}
	if r.Fingerprint != nil {
		p.Content = s.o.Page.Fingerprint.Version() + ":" + string(r.Fingerprint[:])
	}
	return p
}

// where returns the URL of a page, of one that is out the one that it would
// have; "" where it can have none.
func (s *view) where(r *record) string {
	if r.loc != "" {
		return r.loc
	}
	loc, _ := s.mapped(r)
	return loc
}

// verdicts returns why the last fold has left a page out, and the further reasons
// that would hold.
func (s *view) verdicts(r *record) (why Verdict, also []Verdict) {
	for _, check := range checks {
		v := check(s, r)
		switch {
		case v == nil:
		case v.Reason == r.reason && why.Reason == page.Listed:
			why = *v
		default:
			also = append(also, *v)
		}
	}
	if why.Reason == r.reason {
		return why, also
	}
	why = Verdict{Reason: r.reason, Pos: s.pos(r)}
	if r.reason == page.Canonical {
		why.Text = s.canonicalOf(r)
	}
	return why, also
}

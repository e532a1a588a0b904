package site

import (
	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// address gives every page that is not out its URL, and returns those that are in: the
// URL that a rule gives it, else that of its file.
func address(w *World, pages []Page, report *diag.Report) []*Page {
	listed := make([]*Page, 0, len(pages))
	for i := range pages {
		r := &pages[i]
		if !r.Listed() {
			continue
		}
		if why := locate(w, r, report); why != page.Listed {
			r.Excluded = &Verdict{Reason: why, Pos: w.Pos(r)}
			continue
		}
		listed = append(listed, r)
	}
	return listed
}

// locate gives the page its URL, and says why it has none that may be listed.
func locate(w *World, r *Page, report *diag.Report) page.Reason {
	if r.Rules == nil || r.Rules.URL.Loc == "" {
		loc, err := w.Mapped(r)
		if err != nil {
			return page.InvalidURL
		}
		r.Entry.Loc = loc
		return page.Listed
	}
	loc, err := w.PartOf(r).Resolve(r.Rules.URL.Loc)
	if err != nil {
		report.Add(atRule(r, err))
		return page.InvalidURL
	}
	r.Entry.Loc = loc
	if _, ok := w.PartOf(r).Base.Path(loc); !ok {
		return page.OutOfScope
	}
	return page.Listed
}

func atRule(r *Page, err error) diag.Diagnostic {
	loc, pos := r.Rules.URL.Loc, diag.Pos{}
	for _, rule := range r.Rules.Matching { // the last rule that sets an address counts
		if rule.Set.Loc != "" {
			pos = rule.Pos
		}
	}
	return diag.Errorf(pos, "invalid-url", "give the rule a path below the base URL", "url %q: %v", loc, err).About(loc)
}

// absolute returns what a configuration or front matter says of a page, with
// its addresses as at resolves them. One that cannot be resolved stays as it
// is, for the entry's check to report. Nothing that u holds is changed in place.
func absolute(u sitemap.URL, at func(ref string) (string, error)) sitemap.URL {
	if u.Extensions() == 0 {
		return u
	}
	v := u
	v.EditAddresses(func(ref *string) {
		if *ref == "" {
			return
		}
		if loc, err := at(*ref); err == nil {
			*ref = loc
		}
	})
	return v
}

// belowBase resolves the addresses of a rule, or of an extra URL, as all
// addresses of the configuration: absolute, or below the base URL.
func (w *World) belowBase(r *Page, u sitemap.URL) sitemap.URL {
	return absolute(u, w.PartOf(r).Resolve)
}

// onPage resolves the addresses of a page's front matter as a browser would
// resolve them on the page.
func (w *World) onPage(r *Page, u sitemap.URL) sitemap.URL {
	return absolute(u, func(ref string) (string, error) { return w.PartOf(r).Base.Resolve(ref, r.Entry.Loc, "") })
}

package site

import (
	"context"
	"path"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/internal/parallel"
)

// spelled returns a page with what its content file says of its address.
func spelled(f *facts.Page, src *ContentFile) spelledPage {
	if src == nil {
		return spelledPage{Page: f}
	}
	return spelledPage{Page: f, Generated: src.ending}
}

// addresses returns what is known of the addresses of the site.
func (w *World) addresses() *addresses {
	return &addresses{Parts: w.Parts, Given: w.given, ObeyRobots: w.Options.ObeyRobots}
}

// followLinks asks the links of some pages how the site spells its addresses.
func (w *World) followLinks(ctx context.Context) (err error) {
	pages := func(yield func(spelledPage) bool) {
		for i, f := range w.pages {
			if !yield(spelled(f, w.pairs[i])) {
				return
			}
		}
	}
	w.linkStyles, err = w.addresses().FollowLinks(pages, func(f *facts.Page) ([]string, error) { return w.Facts.LinkPaths(ctx, f) })
	return err
}

// spellPages gives every page the address by which the site calls it.
func (w *World) spellPages() {
	w.readGiven()
	pages, known := make([]*facts.Page, len(w.pages)), w.addresses()
	parallel.Each(len(pages), func(i int) { pages[i] = known.Spell(spelled(w.pages[i], w.pairs[i])) })
	w.pages = pages
}

// readGiven remembers the URLs that are given: the user wants them
// as they are.
func (w *World) readGiven() {
	if w.Options.From == nil {
		return
	}
	w.given = make(map[string]int, len(w.Options.From))
	for i, x := range w.Options.From {
		loc, err := w.givenAt(x)
		if _, again := w.given[loc]; err == nil && !again {
			w.given[loc] = i
		}
	}
}

// Canonical returns the address that the page names as its canonical one, ""
// when that is its own as it is listed, or none.
func (w *World) Canonical(r *Page) string { return w.PartOf(r).Canonical(r.Said) }

// Arbitrary reports whether neither the settings nor the site itself says how the
// page's address ends.
func (w *World) Arbitrary(r *Page) bool { return w.addresses().Arbitrary(spelled(r.Said, r.Content)) }

// How says in words how the page's URL came about.
func (w *World) How(r *Page) string {
	return w.addresses().How(spelled(r.Said, r.Content), w.ContentPos(r).File)
}

// Fit returns the base URL and the folder, as the user would type it, that fit most of some
// pages with the canonicals that they name; the zero Fitting when nothing does.
func (w *World) Fit(pages []*Page) BaseFit {
	said := make([]*facts.Page, len(pages))
	for i, r := range pages {
		said[i] = r.Said
	}
	fit := w.addresses().Fit(said)
	if fit.Dir != "" {
		fit.Dir = path.Join(w.Options.Pages.Name, fit.Dir)
	}
	return fit
}

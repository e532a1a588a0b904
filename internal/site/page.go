package site

import (
	"cmp"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Page is one page on its way to the sitemap: who speaks for it, and what the
// passes of a fold decided. What stands here stands nowhere else.
type Page struct {
	Facts       *facts.Page   // what its file says, at the address by which the site calls it; never changed
	Content     *ContentFile  // the content file that speaks for it; nil: none is known
	FromSitemap *SitemapEntry // what another tool's sitemap says of it; nil: nothing
	Rules       *RuleSet      // the rules that match it; nil: none does
	Excluded    *Verdict      // why it is out; nil: it is listed
	DateBy      string        // the source that gave Entry its date; "" without one
	Entry       sitemap.URL   // what is written of it; an address without a date when it is out, or nothing
}

// Listed reports whether the page is in the sitemap.
func (r *Page) Listed() bool { return r.Excluded == nil }

// Reason returns why the page is out, page.Listed if it is not.
func (r *Page) Reason() page.Reason {
	if r.Excluded == nil {
		return page.Listed
	}
	return r.Excluded.Reason
}

// File returns the file that stands for the page, in the pages tree or, without
// one, that the generator would write; "" for a URL that no file stands for.
func (r *Page) File() string { return r.Facts.File }

// moved reports whether the page's URL is not that of the file alone.
func (r *Page) moved() bool { return r.Facts.File == "" || r.Rules != nil && r.Rules.URL.Loc != "" }

// rest returns what few pages say; all of it is empty for most.
func (r *Page) rest() *facts.Rest {
	if r.Facts.Rest == nil {
		return facts.Nothing
	}
	return r.Facts.Rest
}

// Lang returns the language that the page's html element names, else its front
// matter, else "".
func (r *Page) Lang() string {
	if lang := r.rest().Lang; isLang(lang) {
		return lang
	}
	if r.Content != nil && r.Content.Facts != nil && isLang(r.Content.Facts.Lang) {
		return r.Content.Facts.Lang
	}
	return ""
}

// Title returns the page's title, where page.Options asked for titles: its own,
// else its content file's.
func (r *Page) Title() string {
	if t := r.rest().Title; t != "" || r.Content == nil {
		return t
	}
	return r.Content.Title
}

// Born returns the day on which the page was written, as its content file says.
func (r *Page) Born() sitemap.Date {
	if r.Content == nil {
		return sitemap.Date{}
	}
	return r.Content.Date
}

// published returns when the page first appeared, as its content file or the page
// itself says.
func (r *Page) published() sitemap.Date {
	return cmp.Or(r.Born(), r.rest().Published)
}

// summary returns the page's description: its own, else its content file's, else its
// first sentence where page.Options asked for that.
func (r *Page) summary() string {
	own := ""
	if r.Content != nil && r.Content.Facts != nil {
		own = r.Content.Facts.Summary
	}
	return cmp.Or(r.rest().Summary, own, r.rest().Lead)
}

// ContentName returns the path of the page's content file, "" when none is known.
func (r *Page) ContentName() string {
	if r.Content == nil {
		return ""
	}
	return r.Content.File
}

func findFact(fs []*facts.Page, file string) (int, bool) {
	return slices.BinarySearchFunc(fs, file, func(f *facts.Page, name string) int { return cmp.Compare(f.File, name) })
}

// ContentFile returns the one of that name, or nil.
func (w *World) ContentFile(name string) *ContentFile {
	i, ok := slices.BinarySearchFunc(w.ContentFiles, name, func(s *ContentFile, name string) int { return cmp.Compare(s.File, name) })
	if !ok {
		return nil
	}
	return w.ContentFiles[i]
}

// ContentPos is the content file of a page, as the user would type it; the zero Pos if it
// has none.
func (w *World) ContentPos(r *Page) diag.Pos {
	if r.Content == nil {
		return diag.Pos{}
	}
	return diag.Pos{File: w.Options.Content.Show(r.Content.File)}
}

// Pos is the page's file as the user would type it, or where an address without
// a file is written.
func (w *World) Pos(r *Page) diag.Pos {
	switch {
	case r.Facts.File != "":
	case r.FromSitemap != nil:
		return r.FromSitemap.Pos
	case r.Facts.Rest != nil:
		return r.Facts.Rest.Pos
	}
	t := w.Options.Pages
	file := r.Facts.File
	if t == nil {
		t = w.Options.Content
		if r.Content != nil {
			file = r.Content.File
		}
	}
	return diag.Pos{File: t.Show(file)}
}

package site

import (
	"cmp"
	"slices"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A Page is a page of the site, listed or not. It contains the facts about the page, and the
// decisions of ListPages.
type Page struct {
	Facts       *facts.Page   // facts from the page's file, with its final address; read only
	Content     *ContentFile  // the content file, or nil
	FromSitemap *SitemapEntry // the entry in another tool's sitemap, or nil
	Extra       *Extra        // the URL in the setting extra, or nil; such a page has no file
	Rules       *RuleSet      // the matching rules, or nil
	Exclusion   *Exclusion    // why the page is left out; nil if it is listed

	// Loc, LastMod and Alternates are the fields of the sitemap entry that depend on other pages or
	// on the time. Result.Entry derives the other fields. A page that is left out has only the Loc
	// that it would have, or "".
	Loc        string
	LastMod    sitemap.Date
	DateBy     string // the source of LastMod, or ""
	Alternates []sitemap.Alternate
}

// Listed reports whether the page is in the sitemap.
func (p *Page) Listed() bool { return p.Exclusion == nil }

// Reason returns why the page is left out, or page.Listed.
func (p *Page) Reason() page.Reason {
	if p.Exclusion == nil {
		return page.Listed
	}
	return p.Exclusion.Reason
}

// File returns the path of the page's file in the pages tree. Without a pages tree, it is the file
// that the generator would write, or the content file if that is unknown. It is "" for a URL
// without a file.
func (p *Page) File() string { return p.Facts.File }

// hasGivenURL reports whether the page's URL was given instead of derived from its file: a rule
// sets the URL, or the page has no file.
func (p *Page) hasGivenURL() bool {
	return p.Facts.File == "" || p.Rules != nil && p.Rules.URL.Loc != ""
}

// KnownLang returns the language of the page's html element, or else the language in its front
// matter. It knows the language of the html element only if the HTML contains alternates. It knows
// the language in front matter only if the content file may belong to translations. KnownLang skips
// a language that is not valid, and returns "" if there is none.
func (p *Page) KnownLang() string {
	if lang := p.Facts.Rare().Lang; isValidLang(lang) {
		return lang
	}
	if p.Content != nil && p.Content.Facts != nil && isValidLang(p.Content.Facts.Lang) {
		return p.Content.Facts.Lang
	}
	return ""
}

// Title returns the title in the page's HTML, or else in its content file. The title in the HTML is
// known only if page.Options.Titles is set.
func (p *Page) Title() string {
	if t := p.Facts.Rare().Title; t != "" || p.Content == nil {
		return t
	}
	return p.Content.Title
}

// contentCreationDate returns the creation date in the page's content file, or the zero date.
func (p *Page) contentCreationDate() sitemap.Date {
	if p.Content == nil {
		return sitemap.Date{}
	}
	return p.Content.Date
}

// publicationDate returns the creation date in the page's content file, or else the publication
// date in its HTML, or else the zero date.
func (p *Page) publicationDate() sitemap.Date {
	return cmp.Or(p.contentCreationDate(), p.Facts.Rare().Published)
}

// summary returns the description in the page's HTML, or else in its content file, or else the
// first sentence of the page. The first sentence is known only if page.Options.Lead is set.
func (p *Page) summary() string {
	own := ""
	if p.Content != nil && p.Content.Facts != nil {
		own = p.Content.Facts.Summary
	}
	return cmp.Or(p.Facts.Rare().Summary, own, p.Facts.Rare().Lead)
}

// contentName returns the path of the page's content file in the content tree, or "".
func (p *Page) contentName() string {
	if p.Content == nil {
		return ""
	}
	return p.Content.File
}

func findPageFacts(pages []*facts.Page, file string) (index int, found bool) {
	return slices.BinarySearchFunc(pages, file, func(f *facts.Page, name string) int { return cmp.Compare(f.File, name) })
}

// HasPageFile reports whether file is a page file of the publish directory.
func (w *World) HasPageFile(file string) bool {
	_, ok := findPageFacts(w.pages, file)
	return ok
}

// ContentFile returns the content file with the path name in the content tree, or nil.
func (w *World) ContentFile(name string) *ContentFile {
	i, ok := slices.BinarySearchFunc(w.ContentFiles, name, func(s *ContentFile, name string) int { return cmp.Compare(s.File, name) })
	if !ok {
		return nil
	}
	return w.ContentFiles[i]
}

// ContentPos returns the position of the page's content file. The file is spelled as the user would
// type it. The position is zero if the page has no content file.
func (w *World) ContentPos(p *Page) diag.Pos {
	if p.Content == nil {
		return diag.Pos{}
	}
	return diag.Pos{File: w.Options.Content.DisplayName(p.Content.File)}
}

// Pos returns the position of the page for findings. It is the page file or, without a pages tree,
// the content file, spelled as the user would type it. For a URL without a file, it is the place in
// the configuration or in a sitemap where the URL is written.
func (w *World) Pos(p *Page) diag.Pos {
	switch {
	case p.Facts.File != "":
	case p.FromSitemap != nil:
		return p.FromSitemap.Pos
	case p.Extra != nil:
		return p.Extra.Pos
	}
	t := w.Options.Pages
	file := p.Facts.File
	if t == nil {
		t = w.Options.Content
		if p.Content != nil {
			file = p.Content.File
		}
	}
	return diag.Pos{File: t.DisplayName(file)}
}

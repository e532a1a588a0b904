package site

import (
	"cmp"
	"slices"

	"github.com/sitewalk/sitewalk/internal/facts"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
)

// A record is what a fold makes of one page.
type record struct {
	*facts.Page
	src    *contentFile
	set    *ruleSet
	loc    string // the page's URL; "" when it is out before it has one
	date   sitemap.Date
	group  *group // its translations; nil: nobody has named any
	from   uint32 // 1 + the index in Options.From of what another tool's sitemap says of it
	reason page.Reason
	dater  uint8 // 1 + the index of the source that gave date, among those that are asked; 0 without a date
	moved  bool  // loc is not the URL of the file alone
}

// lang returns the language that the page's html element names, else its front
// matter, else "".
func (r *record) lang() string { return langOf(r.Page, r.src) }

func langOf(f *facts.Page, src *contentFile) string {
	if f.Rest != nil && isLang(f.Rest.Lang) {
		return f.Rest.Lang
	}
	if src != nil && src.Facts != nil && isLang(src.Facts.Lang) {
		return src.Facts.Lang
	}
	return ""
}

// content returns the path of the page's content file, "" when none is known.
func (r *record) content() string {
	if r.src == nil {
		return ""
	}
	return r.src.File
}

// title returns the page's title: its own, else its source's.
func (r *record) title() string {
	if r.Rest != nil && r.Rest.Title != "" {
		return r.Rest.Title
	}
	if r.src != nil {
		return r.src.Title
	}
	return ""
}

// published returns when the page first appeared, as its content file or the page
// itself says.
func (r *record) published() sitemap.Date {
	if d := r.birth(); !d.IsZero() {
		return d
	}
	if r.Rest != nil {
		return r.Rest.Published
	}
	return sitemap.Date{}
}

func (r *record) summary() string {
	if r.Rest != nil && r.Rest.Summary != "" {
		return r.Rest.Summary
	}
	if r.src != nil && r.src.Facts != nil {
		return r.src.Facts.Summary
	}
	return ""
}

func findFact(fs []*facts.Page, file string) (int, bool) {
	return slices.BinarySearchFunc(fs, file, func(f *facts.Page, name string) int { return cmp.Compare(f.File, name) })
}

// contentFile returns the one of that name, or nil.
func (w *World) contentFile(name string) *contentFile {
	i, ok := slices.BinarySearchFunc(w.contentFiles, name, func(s *contentFile, name string) int { return cmp.Compare(s.File, name) })
	if !ok {
		return nil
	}
	return w.contentFiles[i]
}

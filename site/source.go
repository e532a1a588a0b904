package site

import (
	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/mapping"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/walker"
)

// A content is what one content file says of its page, and nothing else: it is
// never changed. There may be as many as pages, and most say a title and dates,
// so all else lies behind a pointer.
type content struct {
	file    string
	lastmod sitemap.Date
	date    sitemap.Date
	facts   *page.Facts // nil when title and dates are all that it says
	by      *datedBy
	title   string // where titles are asked for
	front   bool   // it has front matter
}

// A source is a content file in its place among the others. What each fold asks
// for of every source comes first.
type source struct {
	*content
	verdict *Verdict       // why it alone keeps its page out, or nil
	says    *sitemap.URL   // what it and given say together; nil when that is at most a date
	since   sitemap.Date   // not to be listed before
	key     string         // that it shares with its translations
	out     string         // the file that the generator would write; "" when that cannot be known
	ending  mapping.Ending // of the address that the generator gives its page
	*placement
}

// A datedBy is the keys of a file's dates, the same for most files of a site.
type datedBy struct{ lastmod, date string }

// A placement is what else follows from a content file's place. Most files share
// one of which nothing is to be said.
type placement struct {
	note  string       // why out is not known, or how it came about
	lang  string       // of the file
	given *sitemap.URL // what the generator's configuration says of it, or nil
}

// saysMore reports whether the facts of a content file hold more than a title
// and dates.
func saysMore(f *page.Facts) bool {
	return f.Permalink != "" || f.Slug != "" || f.ID != "" || f.Skip != page.Listed || len(f.Aliases)+len(f.Categories)+len(f.Diags) > 0 ||
		f.Summary != "" || f.TranslationKey != "" || f.Refresh != "" ||
		!f.Publish.IsZero() || !f.Expiry.IsZero() || nonZero(f.URL) != nil
}

// said returns all that a file says, in *f where it is not kept as a whole.
func (src *content) said(f *page.Facts) *page.Facts {
	if src.facts != nil {
		return src.facts
	}
	*f = page.Facts{
		URL: sitemap.URL{LastMod: src.lastmod}, LastModBy: src.by.lastmod,
		Date: src.date, DateBy: src.by.date, Title: src.title,
	}
	return f
}

// A sourceLearner reads content files on one goroutine.
type sourceLearner struct {
	s        *Set
	reader   *frontmatter.Reader
	facts    page.Facts
	by       *datedBy // of the file before
	contents chunks[content]
}

func (s *Set) newSourceLearner() *sourceLearner {
	return &sourceLearner{s: s, reader: frontmatter.NewReader(s.o.Front), by: new(datedBy)}
}

// source reads a content file's front matter.
func (l *sourceLearner) source(f *walker.File) {
	src := l.contents.next()
	src.file = f.Path
	var err error
	if src.front, err = l.reader.Read(f, f.Path, &l.facts); err != nil {
		l.facts.Skip, l.facts.Diags = page.Unreadable, unreadable(err)
	}
	l.addressed(&l.facts)
	l.facts.Diags = inTree(l.s.o.Content, f.Path, l.facts.Diags)
	if !l.s.o.Remember {
		l.s.said.Add(l.facts.Diags...)
		l.facts.Diags = nil
	}
	l.take(src, &l.facts)
}

// take keeps what a file says, but for what nobody is going to ask for.
func (l *sourceLearner) take(src *content, f *page.Facts) {
	if f.TranslationKey == "" && len(f.URL.Alternates) == 0 {
		f.Lang = "" // that of the file's name or folder counts
	}
	if f.LastModBy != l.by.lastmod || f.DateBy != l.by.date {
		l.by = &datedBy{f.LastModBy, f.DateBy}
	}
	src.title, src.lastmod, src.date, src.by = f.Title, f.URL.LastMod, f.Date, l.by
	if saysMore(f) {
		facts := *f
		src.facts = &facts
	}
}

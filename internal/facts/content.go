package facts

import (
	"strings"

	"github.com/sitewalk/sitewalk/diag"
	"github.com/sitewalk/sitewalk/frontmatter"
	"github.com/sitewalk/sitewalk/page"
	"github.com/sitewalk/sitewalk/sitemap"
	"github.com/sitewalk/sitewalk/walker"
)

// A Content is what one content file says of its page. There may be as many as pages,
// and most say a title and dates, so all else lies behind a pointer. It is never changed.
type Content struct {
	File    string
	LastMod sitemap.Date
	Date    sitemap.Date
	Facts   *page.Facts // nil when title and dates are all that it says
	By      *Keys       // of its dates
	Title   string      // where titles are asked for
	Front   bool        // it has front matter
}

// Keys are the keys of a file's dates, the same for most files of a site.
type Keys struct{ LastMod, Date string }

// saysMore reports whether the facts of a content file hold more than a title
// and dates.
func saysMore(f *page.Facts) bool {
	return f.Permalink != "" || f.Slug != "" || f.Lang != "" || f.ID != "" || f.Skip != page.Listed || len(f.Aliases)+len(f.Categories)+len(f.Cascades)+len(f.CascadeKeys)+len(f.Diags) > 0 ||
		f.Summary != "" || f.TranslationKey != "" || f.Refresh != "" ||
		f.Dates != (page.Dates{}) || !f.URL.Plain()
}

// All returns all that a file says. Where it is not held as a whole it is put
// together in *f.
func (src *Content) All(f *page.Facts) *page.Facts {
	if src.Facts != nil {
		return src.Facts
	}
	*f = page.Facts{
		URL: sitemap.URL{LastMod: src.LastMod}, LastModBy: src.By.LastMod,
		Date: src.Date, DateBy: src.By.Date, Title: src.Title,
	}
	return f
}

// A contentLearner reads content files on one goroutine.
type contentLearner struct {
	s      *Set
	reader *frontmatter.Reader
	facts  page.Facts
	by     *Keys // of the file before
}

func (s *Set) newContentLearner() *contentLearner {
	l := &contentLearner{s: s, by: new(Keys)}
	l.reader = frontmatter.NewReader(s.o.Front)
	return l
}

// read reads a content file's front matter.
func (l *contentLearner) read(f *walker.File) *Content {
	src := &Content{File: f.Path}
	var err error
	if src.Front, err = l.reader.Read(f, f.Path, &l.facts); err != nil {
		l.facts.Skip, l.facts.Diags = page.Unreadable, unreadable(err)
	}
	l.addressed(&l.facts)
	l.facts.Diags = inTree(l.s.o.Content, f.Path, l.facts.Diags)
	if !l.s.o.Remember {
		l.s.Findings.Add(l.facts.Diags...)
		l.facts.Diags = nil
	}
	l.take(src, &l.facts)
	return src
}

// take keeps what a file says, without what the options do not ask for.
func (l *contentLearner) take(src *Content, f *page.Facts) {
	if f.TranslationKey == "" && len(f.URL.Alternates) == 0 && !l.s.o.Front.Langs {
		f.Lang = "" // that of the file's name or folder counts
	}
	if f.LastModBy != l.by.LastMod || f.DateBy != l.by.Date {
		l.by = &Keys{f.LastModBy, f.DateBy}
	}
	src.Title, src.LastMod, src.Date, src.By = f.Title, f.URL.LastMod, f.Date, l.by
	if saysMore(f) {
		facts := *f
		src.Facts = &facts
	}
}

// addressed takes an absolute address, where front matter is to give a path, for
// what it is: a path when it is one of the site, else the page of another site,
// which has no place in this one.
func (l *contentLearner) addressed(f *page.Facts) {
	base := l.s.Parts[0].Base
	for _, at := range []*string{&f.Permalink, &f.Slug} {
		if !namesHost(*at) {
			continue
		}
		loc, _ := base.Resolve(*at, base.String(), "")
		if urlPath, below := base.Path(base.OwnScheme(loc)); below && at == &f.Permalink {
			*at = urlPath
			continue
		}
		f.Diags.Warnf(diag.Pos{}, "bad-url", "write a path, as in /about/; a rule with url gives a page another address of the site",
			"the front matter gives the page the address %q, which is none below %s; the page is left out", *at, base)
		if f.Skip == page.Listed {
			f.Skip, f.SkipNote = page.InvalidURL, *at
		}
		*at = ""
	}
}

// namesHost reports whether an address is no path: it names its scheme or its
// host.
func namesHost(ref string) bool {
	ref = strings.ToLower(strings.TrimSpace(ref))
	if strings.HasPrefix(ref, "//") || strings.Contains(ref, "://") {
		return true
	}
	switch scheme, _, ok := strings.Cut(ref, ":"); scheme {
	case "javascript", "mailto", "data", "http", "https":
		return ok
	}
	return false
}

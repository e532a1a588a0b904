package llms

import (
	"context"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// LLMS says what llms.txt carries.
type LLMS struct {
	Site
	Given     string                  // what the user calls the site; ""
	Own       string                  // what the site calls itself; ""
	Summary   string                  // what it is about; as the description of its home page says
	Languages []Language              // folders whose pages have a file of their own
	Place     func(i int) Place       // where the page at i stands; nil: no rule says so
	Group     func(loc string) string // the name of the group that takes a URL; "" is none
}

// A Language is a folder of pages in one language.
type Language struct {
	Dir  string // slash-separated, below Site.Base
	Code string // BCP 47 tag
	Base string // its URL, with a trailing slash
}

// A Place is what rules say of a page. Zero fields say nothing.
type Place struct {
	Section  string // the heading that it stands under
	Rank     int    // sections that have one stand before all others, the lowest first
	Limit    int    // how many of the pages that share By are listed
	By       int
	Optional bool // it stands in the section that may be skipped
}

// Limits of an llms.txt, which a reader takes in as a whole: how many pages are listed
// where no rule says so, and how many characters of a description.
const (
	maxListed = 1000
	maxNote   = 300
)

// A Listing is one llms.txt of a site.
type Listing struct {
	Dir   string // folder of the listed pages, below Site.Base
	File  *File
	Links int // number of listed pages
}

// Files returns the llms.txt of the site, and those of its languages.
func (l *LLMS) Files(ctx context.Context) ([]Listing, error) {
	scopes, err := l.scopes(ctx)
	files := make([]Listing, len(scopes))
	for i, s := range scopes {
		files[i].Dir = s.Dir
		files[i].File, files[i].Links = s.file(l)
	}
	return files, err
}

// A scope is the pages of one llms.txt.
type scope struct {
	Language // without a Dir it is the site as a whole

	name  string // what its pages are called together; "" before they are cleaned
	home  sitemap.Entry
	pages []llmsPage
	subs  []*scope // those of languages
}

// An llmsPage is what an llms.txt says of a page, and where.
type llmsPage struct {
	loc, title, note string
	key              string // of its section
	priority         float64
	date             sitemap.Date
	place            Place
}

// scopes returns the pages of each file that is to be written, the site's own first.
func (l *LLMS) scopes(ctx context.Context) ([]*scope, error) {
	root := &scope{Language: Language{Base: l.Base}}
	all := []*scope{root}
	for _, lang := range l.Languages {
		if lang.Dir != "" {
			all = append(all, &scope{Language: lang})
		}
	}
	err := EachEntry(ctx, l.Entries, func(i int, e *sitemap.Entry) {
		s := root
		for _, lang := range all[1:] {
			if strings.HasPrefix(e.Loc, lang.Base) && len(lang.Base) > len(s.Base) {
				s = lang
			}
		}
		var p Place
		if l.Place != nil {
			p = l.Place(i)
		}
		s.add(e, p, l.Group(e.Loc))
	})
	if err != nil {
		return nil, err
	}
	out := all[:1]
	for _, s := range all[1:] {
		if len(s.pages) > 0 {
			out = append(out, s)
			root.subs = append(root.subs, s)
		}
	}
	return out, nil
}

// isHome reports whether a URL is that of the page of a folder.
func isHome(loc, folder string) bool {
	return strings.TrimSuffix(strings.TrimSuffix(loc, "index.html"), "/") == strings.TrimSuffix(folder, "/")
}

func (s *scope) add(e *sitemap.Entry, p Place, group string) {
	date := e.Published
	if date.IsZero() {
		date = e.LastMod
	}
	if isHome(e.Loc, s.Base) {
		s.home = *e
	}
	key := ":" + group
	if group == "" {
		key = SectionOf(s.Base, e.Loc)
	}
	switch {
	case p.Optional, p.Section == Optional:
		p.Section, key = "", Optional
	case p.Section == rootSection:
		p.Section, key = "", ""
	case p.Section != "":
		key = ":" + p.Section
	}
	s.pages = append(s.pages, llmsPage{
		loc: e.Loc, title: strings.TrimSpace(e.Title), note: strings.TrimSpace(e.Summary), key: key,
		priority: e.Priority.Float64(), date: date, place: p,
	})
}

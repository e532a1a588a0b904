package llms

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Entries are the pages of a site, sorted by URL.
type Entries interface {
	Len() int
	// Entry sets *e to the page at index i.
	Entry(i int, e *sitemap.Entry)
}

// EachEntry calls do for each page until ctx ends.
func EachEntry(ctx context.Context, entries Entries, do func(i int, e *sitemap.Entry)) error {
	const pagesPerCheck = 8192
	var e sitemap.Entry
	for i := range entries.Len() {
		if i%pagesPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		entries.Entry(i, &e)
		do(i, &e)
	}
	return nil
}

// A Site contains the pages of a site and the settings of the written files.
type Site struct {
	Entries   Entries
	Base      string // URL whose folders are sections, with a slash at the end
	UserTitle string // name of the site by the user, or ""
	HomeTitle string // name of the site by its home page (og:site_name), or ""
	Title     string // name of the site if its pages share none
	Lang      string // BCP 47 tag, or ""
	ListFile  string // file that lists all pages, slash-separated, or ""
	ListURL   string // URL of ListFile
	Mark      string // comment at the top of the page for people

	Summary   string                  // summary by the user, or ""
	Languages []Language              // folders with an llms.txt of their own
	Place     func(i int) Place       // place of the page at index i by rules; may be nil
	Copy      func(i int) string      // URL of the Markdown copy of the page at index i, or ""; may be nil
	Group     func(loc string) string // name of the group of a URL, or ""; may be nil
}

// A Language is a folder of pages in one language.
type Language struct {
	Dir  string // slash-separated, below Site.Base
	Code string // BCP 47 tag
	Base string // URL of the folder, with a slash at the end
}

// A Place is the place of a page in llms.txt by rules. The zero Place means that no rule
// matches.
type Place struct {
	Section  string // heading of the page
	Rank     int    // order of the section; sections with a rank precede all others
	Limit    int    // maximum number of pages with the same By
	By       int
	Optional bool // put the page into the section Optional
}

const (
	maxListed = 1000 // maximum number of pages in an llms.txt, unless rules set limits
	maxNote   = 300  // maximum number of characters of a description
)

// A Listing is one llms.txt of a site.
type Listing struct {
	Dir   string // folder of the listed pages, below Site.Base
	File  *File
	Links int // number of listed pages
}

// Files returns the llms.txt of the site, and those of its languages.
func (s *Site) Files(ctx context.Context) ([]Listing, error) {
	scopes, err := s.scopes(ctx, s.Languages)
	files := make([]Listing, len(scopes))
	for i, c := range scopes {
		c.cutTitles(s)
		files[i].Dir = c.Dir
	}
	for i, c := range scopes {
		files[i].File, files[i].Links = c.newFile(s)
	}
	return files, err
}

// A scope contains the pages of one file.
type scope struct {
	Language // Dir is "" for the whole site

	name  string // common name of the pages; set by cutTitles
	home  pageEntry
	pages []pageEntry
	subs  []*scope // scopes of languages
}

// A pageEntry is one page of a file.
type pageEntry struct {
	index            int // in Site.Entries
	loc, title, note string
	key              string // key of the section
	lang             string // language by the alternates of the page, or ""
	priority         float64
	date             sitemap.Date // publication or last change
	place            Place
}

// scopes returns the pages of each file, those of the whole site first.
func (s *Site) scopes(ctx context.Context, languages []Language) ([]*scope, error) {
	root := &scope{Language: Language{Base: s.Base}}
	all := []*scope{root}
	for _, lang := range languages {
		if lang.Dir != "" {
			all = append(all, &scope{Language: lang})
		}
	}
	err := EachEntry(ctx, s.Entries, func(i int, e *sitemap.Entry) {
		in := root
		for _, lang := range all[1:] {
			if strings.HasPrefix(e.Loc, lang.Base) && len(lang.Base) > len(in.Base) {
				in = lang
			}
		}
		var place Place
		if s.Place != nil {
			place = s.Place(i)
		}
		group := ""
		if s.Group != nil {
			group = s.Group(e.Loc)
		}
		in.add(i, e, place, group)
	})
	if err != nil {
		return nil, err
	}
	root.subs = slices.DeleteFunc(slices.Clone(all[1:]), func(c *scope) bool { return len(c.pages) == 0 })
	return append(all[:1], root.subs...), nil
}

// isHome reports whether a URL is the home page of a folder.
func isHome(loc, folder string) bool {
	return strings.TrimSuffix(strings.TrimSuffix(loc, "index.html"), "/") == strings.TrimSuffix(folder, "/")
}

// add adds a page to the scope.
func (c *scope) add(i int, e *sitemap.Entry, place Place, group string) {
	key := ":" + group
	if group == "" {
		key = SectionOf(c.Base, e.Loc)
	}
	switch {
	case place.Optional, place.Section == Optional:
		place.Section, key = "", Optional
	case place.Section == rootSection:
		place.Section, key = "", ""
	case place.Section != "":
		key = ":" + place.Section
	}
	date := e.Published
	if date.IsZero() {
		date = e.LastMod
	}
	p := pageEntry{
		index: i, loc: e.Loc, title: strings.TrimSpace(e.Title), note: strings.TrimSpace(e.Summary), key: key, lang: langOf(e),
		priority: e.Priority.Float64(), date: date, place: place,
	}
	if isHome(p.loc, c.Base) {
		c.home = p
	}
	c.pages = append(c.pages, p)
}

// langOf returns the language of a page with alternates, or "".
func langOf(e *sitemap.Entry) string {
	i := slices.IndexFunc(e.Alternates, func(a sitemap.Alternate) bool { return a.Href == e.Loc && a.Lang != "x-default" })
	if i < 0 {
		return ""
	}
	return e.Alternates[i].Lang
}

// newFile returns the llms.txt of the scope, and the number of listed pages.
func (c *scope) newFile(s *Site) (file *File, links int) {
	file = &File{Title: c.name, Summary: c.home.note}
	if c.Dir == "" {
		file.Summary = cmp.Or(s.Summary, file.Summary)
	}
	c.trimNotes(file.Summary)
	for _, section := range c.sections(maxListed) {
		links += len(section.pages)
		file.Sections = append(file.Sections, Section{Name: cmp.Or(section.name, rootSection), Links: section.links(c.Base, s.Copy)})
	}
	c.addLanguages(file)
	if links < len(c.pages) && s.ListFile != "" {
		addOptional(file, Link{Text: s.ListFile, URL: s.ListURL, Note: "all " + strconv.Itoa(s.Entries.Len()) + " pages"})
	}
	return file, links
}

// addLanguages adds a section with the files of the languages. The section Optional stays last.
func (c *scope) addLanguages(file *File) {
	if len(c.subs) == 0 {
		return
	}
	section := Section{Name: "Languages"}
	for _, sub := range c.subs {
		section.Links = append(section.Links, Link{Text: sub.name, URL: sub.Base + Name, Note: sub.Code})
	}
	at := len(file.Sections)
	if at > 0 && file.Sections[at-1].Name == Optional {
		at--
	}
	file.Sections = slices.Insert(file.Sections, at, section)
}

// addOptional adds a link to the section Optional.
func addOptional(file *File, l Link) {
	n := len(file.Sections)
	if n == 0 || file.Sections[n-1].Name != Optional {
		file.Sections = append(file.Sections, Section{Name: Optional})
		n++
	}
	file.Sections[n-1].Links = append(file.Sections[n-1].Links, l)
}

// trimNotes removes descriptions that equal the title or the summary, or that more than two
// pages share. It shortens long descriptions.
func (c *scope) trimNotes(summary string) {
	times := map[string]int{}
	for i := range c.pages {
		times[c.pages[i].note]++
	}
	for i := range c.pages {
		p := &c.pages[i]
		if p.note == summary || p.note == p.title || times[p.note] > 2 {
			p.note = ""
		}
		p.note = shorten(p.note)
	}
}

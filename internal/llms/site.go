package llms

import (
	"cmp"
	"context"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Entries are the listed pages of a site, sorted by URL.
type Entries interface {
	// Len returns the number of pages.
	Len() int
	// Entry sets *e to the page at index i.
	Entry(i int, e *sitemap.Entry)
}

// ForEachEntry calls visit for each page in order. It checks ctx every few thousand pages; if ctx
// has ended, it stops and returns an error. visit must not keep e.
func ForEachEntry(ctx context.Context, entries Entries, visit func(i int, e *sitemap.Entry)) error {
	const pagesPerCheck = 8192
	var e sitemap.Entry
	for i := range entries.Len() {
		if i%pagesPerCheck == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		entries.Entry(i, &e)
		visit(i, &e)
	}
	return nil
}

// A Site describes the pages of a site. It configures the llms.txt files of the site, and its page
// for people, an HTML page that lists the pages.
type Site struct {
	Entries   Entries
	Base      string // URL whose folders are sections, with a slash at the end
	UserTitle string // name of the site from the configuration; "" if unset
	HomeTitle string // name of the site from its home page, such as og:site_name; "" if unset
	Title     string // name of the site if there is no other and the titles of pages have no common name
	Lang      string // language of the site as a BCP 47 tag; "" if unknown
	ListFile  string // slash-separated name of the sitemap that lists all pages; "" for none
	ListURL   string // URL of ListFile
	Mark      string // HTML comment at the top of the page for people

	Summary   string                  // summary from the configuration; "" if unset
	Languages []Language              // folders that get an llms.txt of their own
	Place     func(i int) Place       // returns the place in llms.txt that rules give the page at index i; may be nil
	Copy      func(i int) string      // returns the URL of the Markdown copy of the page at index i, or ""; may be nil
	GroupKey  func(loc string) string // returns ":" and the name of the configured group of the URL loc, or ""; may be nil
}

// A Language is a folder of pages in one language. It has an llms.txt of its own.
type Language struct {
	Dir  string // slash-separated path below Site.Base
	Code string // language as a BCP 47 tag, such as "pt-BR"
}

// A Place describes where the rules of the configuration list a page in llms.txt. The zero Place
// means that no rule sets a place.
type Place struct {
	Section string // heading of the section; "" if no rule sets it
	Rank    int    // order of the section, from 1; sections with a rank precede all others
	Limit   int    // maximum number of pages with the same By; 0 means no limit
	// By is the number of the rule that sets Limit.
	By       int
	Optional bool // the page belongs to the section "Optional"
}

const (
	maxListed = 1000 // approximate maximum number of pages in an llms.txt; sections that rules limit are not shortened further
	maxText   = 300  // maximum number of characters in the title or the description of a page
)

// A Listing is one llms.txt of a site. It lists the pages in the folder of one language, or all
// other pages of the site.
type Listing struct {
	Dir   string // folder of the language, below Site.Base; "" for the other pages
	File  *File
	Links int // number of pages that File lists
}

// NewListings returns the llms.txt at the root of the site, followed by an llms.txt for each
// language that has pages. The llms.txt at the root does not list the pages of these languages.
func (s *Site) NewListings(ctx context.Context) ([]Listing, error) {
	scopes, err := s.newScopes(ctx)
	files := make([]Listing, len(scopes))
	for i, c := range scopes {
		c.setNameAndTitles(s)
		files[i].Dir = c.Dir
	}
	for i, c := range scopes {
		files[i].File, files[i].Links = c.newFile(s)
	}
	return files, err
}

// A scope is the set of pages that one llms.txt lists.
type scope struct {
	Language        // folder of the pages; Dir is "" for the root of the site
	base     string // URL of the folder, with a slash at the end

	name string // name of the site or language; set by setNameAndTitles
	// home is the home page of the folder. If the home page is not listed, home is an empty page
	// that is not in pages.
	home  *pageEntry
	pages []*pageEntry
	subs  []*scope // scopes of the languages that have pages; only set if Dir is ""
}

// A pageEntry is one page in a scope.
type pageEntry struct {
	index int // index in Site.Entries
	// loc is the URL, and note is the description.
	loc, title, note string
	key              string // key of the section; see section
	priority         float64
	date             sitemap.Date // publication date, or else the date of the last change
	place            Place
}

// newScopes returns the pages of each llms.txt. The first scope has the pages of the site that are
// not in the folder of a language. A scope for each language with pages follows.
func (s *Site) newScopes(ctx context.Context) ([]*scope, error) {
	root := &scope{base: s.Base, home: new(pageEntry)}
	all := []*scope{root}
	for _, lang := range s.Languages {
		if lang.Dir != "" {
			folder := url.URL{Path: lang.Dir}
			all = append(all, &scope{Language: lang, base: s.Base + folder.EscapedPath() + "/", home: new(pageEntry)})
		}
	}
	err := ForEachEntry(ctx, s.Entries, func(i int, e *sitemap.Entry) {
		in := root
		for _, lang := range all[1:] {
			if strings.HasPrefix(e.Loc, lang.base) && len(lang.base) > len(in.base) {
				in = lang
			}
		}
		var place Place
		if s.Place != nil {
			place = s.Place(i)
		}
		key := ""
		if s.GroupKey != nil {
			key = s.GroupKey(e.Loc)
		}
		in.addPage(i, e, place, key)
	})
	if err != nil {
		return nil, err
	}
	root.subs = slices.DeleteFunc(slices.Clone(all[1:]), func(c *scope) bool { return len(c.pages) == 0 })
	return append(all[:1], root.subs...), nil
}

// isHome reports whether loc is the home page of the folder with the URL folder. A slash or
// "index.html" at the end of loc does not matter.
func isHome(loc, folder string) bool {
	return strings.TrimSuffix(strings.TrimSuffix(loc, "index.html"), "/") == strings.TrimSuffix(folder, "/")
}

// addPage adds the page e with the index i to the scope. groupKey is ":" and the name of the
// configured group of the page, or "".
func (c *scope) addPage(i int, e *sitemap.Entry, place Place, groupKey string) {
	key := cmp.Or(groupKey, SectionKey(c.base, e.Loc))
	switch {
	case place.Optional, place.Section == optionalName:
		place.Section, key = "", optionalName
	case place.Section == rootSection:
		place.Section, key = "", ""
	case place.Section != "":
		key = ":" + place.Section
	}
	date := e.Published
	if date.IsZero() {
		date = e.LastMod
	}
	p := &pageEntry{
		index: i, loc: e.Loc, title: strings.TrimSpace(e.Title), note: strings.TrimSpace(e.Summary), key: key,
		priority: e.Priority.Float64(), date: date, place: place,
	}
	if isHome(p.loc, c.base) {
		c.home = p
	}
	c.pages = append(c.pages, p)
}

// newFile returns the llms.txt of the scope, and the number of pages that it lists. It links to the
// llms.txt files of the languages in the section "Languages". If it does not list all pages, it
// links to the sitemap s.ListFile, if any, in the last section, "Optional".
func (c *scope) newFile(s *Site) (file *File, links int) {
	file = &File{Title: c.name, Summary: c.home.note}
	if c.Dir == "" {
		file.Summary = cmp.Or(s.Summary, file.Summary)
	}
	c.trimNotes(file.Summary)
	languages, optional := Section{Name: "Languages"}, Section{Name: optionalName}
	for _, section := range c.newSections(maxListed) {
		links += len(section.pages)
		if list := section.links(c.base, s.Copy); section.key == optionalName {
			optional.Links = list
		} else {
			file.Sections = append(file.Sections, Section{Name: cmp.Or(section.name, rootSection), Links: list})
		}
	}
	for _, sub := range c.subs {
		languages.Links = append(languages.Links, Link{Text: sub.name, URL: sub.base + Name, Note: sub.Code})
	}
	if links < len(c.pages) && s.ListFile != "" {
		optional.Links = append(optional.Links, Link{Text: s.ListFile, URL: s.ListURL, Note: "all " + strconv.Itoa(s.Entries.Len()) + " pages"})
	}
	for _, section := range []Section{languages, optional} {
		if len(section.Links) > 0 {
			file.Sections = append(file.Sections, section)
		}
	}
	return file, links
}

// trimNotes shortens long descriptions of pages. It removes a description that is equal to the
// title of the page or to summary, the summary in the llms.txt. It also removes a description that
// more than two pages have.
func (c *scope) trimNotes(summary string) {
	times := map[string]int{}
	for _, p := range c.pages {
		times[p.note]++
	}
	for _, p := range c.pages {
		if p.note == summary || p.note == p.title || times[p.note] > 2 {
			p.note = ""
		}
		p.note = truncateText(p.note)
	}
}

package llms

import (
	"cmp"
	"math"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sitewalk/sitewalk/sitemap"
)

// rootSection is the heading of the section for pages directly below the base URL. The section also
// lists each page that is the only page below its folder.
const rootSection = "Pages"

// A section is a set of pages that are listed together: the pages of a folder, of a configured
// group, or with a heading that a rule sets.
type section struct {
	key     string // "" or "/folder" or "//host" as from SectionKey; ":" and the name of a group or heading; or Optional
	name    string // heading; "" for pages at the root
	rank    int    // position from a rule, from 1; 0 if no rule names the section
	limited bool   // rules limit the number of its pages
	total   int    // number of pages before any limit
	// pages are the pages to which the section links.
	pages []*pageEntry
}

// SectionKey returns the key of the section for the page at loc. If base is "https://example.com/",
// the key is "/blog" for "https://example.com/blog/a/b", and "" for "https://example.com/about".
// The key is "//" and the host, such as "//example.org", for a URL that does not begin with base.
func SectionKey(base, loc string) string {
	rest, ok := strings.CutPrefix(loc, base)
	if !ok {
		return "//" + sitemap.HostOf(loc)
	}
	i := strings.IndexByte(rest, '/')
	if i <= 0 || strings.ContainsAny(rest[:i], "?#") {
		return ""
	}
	return loc[len(base)-1 : len(base)+i]
}

// newSections divides the pages into sections, and returns the sections in the order of the file.
// It removes the pages beyond the limits of rules. If more than limit pages are left, it also
// removes pages of large sections without such a limit, until about limit pages are left.
func (c *scope) newSections(limit int) []*section {
	byKey := map[string]*section{}
	for i := range c.pages {
		p := &c.pages[i]
		s := byKey[p.key]
		if s == nil {
			s = &section{key: p.key, name: cmp.Or(p.place.Section, headingOf(p.key))}
			byKey[p.key] = s
		}
		if rank := p.place.Rank; p.place.Section != "" && (s.rank == 0 || rank < s.rank) {
			s.rank = rank
		}
		s.pages = append(s.pages, p)
	}
	all := mergeSinglePages(byKey)
	sortSections(all)
	counts := make([]int, len(all))
	for i, s := range all {
		s.total = len(s.pages)
		s.setFolderName(c.Base)
		s.sortAndLimit(c.Base)
		counts[i] = len(s.pages)
	}
	most := maxLinksPerSection(counts, limit)
	for _, s := range all {
		if !s.limited && len(s.pages) > most {
			s.removePagesBeyond(most)
		}
	}
	disambiguateNames(all, c.Base)
	return all
}

// mergeSinglePages returns the sections in byKey, in any order. If the section of a folder or of
// another host has only one page, the page moves to the section with the key "", and its old
// section is dropped.
func mergeSinglePages(byKey map[string]*section) (all []*section) {
	root := cmp.Or(byKey[""], &section{})
	for _, s := range byKey {
		switch {
		case s.key == "":
		case len(s.pages) == 1 && s.key[0] == '/':
			root.pages = append(root.pages, s.pages[0])
		default:
			all = append(all, s)
		}
	}
	if len(root.pages) > 0 {
		all = append(all, root)
	}
	return all
}

// sortSections sorts sections: first the sections with a rank, by rank, then the others by key. The
// section Optional is always last.
func sortSections(all []*section) {
	order := func(s *section) int {
		switch {
		case s.key == Optional:
			return 2
		case s.rank == 0:
			return 1
		}
		return 0
	}
	slices.SortFunc(all, func(a, b *section) int {
		return cmp.Or(cmp.Compare(order(a), order(b)), cmp.Compare(a.rank, b.rank), cmp.Compare(a.key, b.key))
	})
}

// homePage returns the home page of the folder that the section lists. base is the URL of the
// scope. The result is nil if the section does not list a folder, or if it has no home page of the
// folder.
func (s *section) homePage(base string) *pageEntry {
	if s.key == "" || s.key[0] != '/' {
		return nil
	}
	i := slices.IndexFunc(s.pages, func(p *pageEntry) bool { return isHome(p.loc, base+s.key[1:]) })
	if i < 0 {
		return nil
	}
	return s.pages[i]
}

// setFolderName sets the name of a folder's section to the title of the folder's home page. If most
// titles in the section have a name in common, as in "Page | Docs", it removes that name from the
// titles, and uses it as the name of the section. Without a home page, setFolderName does nothing.
func (s *section) setFolderName(base string) {
	home := s.homePage(base)
	if home == nil {
		return
	}
	if shared := removeSharedName(s.pages, home, ""); shared != "" {
		home.title = shared
	}
	s.name = cmp.Or(home.title, s.name)
}

// disambiguateNames changes the name of each folder section that another section has too. It
// appends the language of the folder's home page, as in "Guide (de)". Without a language, it
// appends the folder, as in "Guide (docs)".
func disambiguateNames(all []*section, base string) {
	names := map[string]int{}
	for _, s := range all {
		names[s.name]++
	}
	for _, s := range all {
		if names[s.name] < 2 || !strings.HasPrefix(s.key, "/") {
			continue
		}
		lang := ""
		if home := s.homePage(base); home != nil {
			lang = home.lang
		}
		s.name += " (" + cmp.Or(lang, decodeSegment(strings.TrimLeft(s.key, "/"))) + ")"
	}
}

// sortAndLimit sorts the pages by priority, highest first. If rules limit the section, it sorts
// pages of the same priority by date, newest first. Among pages that are still equal, the home page
// of the folder comes first, and the others are sorted by URL. sortAndLimit then removes the pages
// beyond the limits of rules.
func (s *section) sortAndLimit(base string) {
	s.limited = slices.ContainsFunc(s.pages, func(p *pageEntry) bool { return p.place.Limit > 0 })
	folder := base + strings.TrimPrefix(s.key, "/")
	slices.SortFunc(s.pages, func(a, b *pageEntry) int {
		c := cmp.Compare(b.priority, a.priority)
		if s.limited {
			c = cmp.Or(c, b.date.Compare(a.date))
		}
		return cmp.Or(c, compareHome(a.loc, b.loc, folder), cmp.Compare(a.loc, b.loc))
	})
	counts := map[int]int{} // number of pages for each Place.By
	s.pages = slices.DeleteFunc(s.pages, func(p *pageEntry) bool {
		if p.place.Limit == 0 {
			return false
		}
		counts[p.place.By]++
		return counts[p.place.By] > p.place.Limit
	})
}

// compareHome returns -1 if only the URL a is the home page of folder, +1 if only b is the home
// page, and 0 otherwise.
func compareHome(a, b, folder string) int {
	switch x, y := isHome(a, folder), isHome(b, folder); {
	case x == y:
		return 0
	case x:
		return -1
	}
	return 1
}

// maxLinksPerSection returns how many links each section may have, at least 1, so that all sections
// together have about limit links. If all pages fit, it returns math.MaxInt. counts contains the
// number of pages of each section; maxLinksPerSection sorts counts.
func maxLinksPerSection(counts []int, limit int) int {
	slices.Sort(counts)
	for i, n := range counts {
		if rest := len(counts) - i; n*rest > limit {
			return max(1, limit/rest)
		}
		limit -= n
	}
	return math.MaxInt
}

// removePagesBeyond removes pages until n pages remain. The section must have at least n pages. It
// removes pages with a low priority first. Among pages of the same priority, it first removes the
// pages with the deepest paths.
func (s *section) removePagesBeyond(n int) {
	depth := func(p *pageEntry) int { return strings.Count(strings.TrimSuffix(p.loc, "/"), "/") }
	all := slices.Clone(s.pages)
	slices.SortStableFunc(all, func(a, b *pageEntry) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(depth(a), depth(b)))
	})
	stays := map[*pageEntry]bool{}
	for _, p := range all[:n] {
		stays[p] = true
	}
	s.pages = slices.DeleteFunc(s.pages, func(p *pageEntry) bool { return !stays[p] })
}

// links returns the links to the pages of the section. copyOf returns the URL of the Markdown copy
// of the page with the index i in Site.Entries, or "" if there is none. A link leads to the copy if
// there is one. copyOf may be nil. If several pages have the same title, links appends the path to
// the title of each, as in "News (2024/news)", except for the home page.
func (s *section) links(base string, copyOf func(i int) string) []Link {
	times := map[string]int{}
	for _, p := range s.pages {
		times[p.title]++
	}
	links := make([]Link, len(s.pages))
	for i, p := range s.pages {
		links[i] = Link{Text: p.title, URL: p.loc, Note: p.note}
		if copyOf != nil {
			links[i].URL = cmp.Or(copyOf(p.index), p.loc)
		}
		if times[p.title] > 1 && !isHome(p.loc, base) {
			links[i].Text += " (" + decodeSegment(strings.Trim(strings.TrimPrefix(p.loc, base), "/")) + ")"
		}
	}
	return links
}

// truncateText returns s unchanged if it has at most maxNote characters. Otherwise, it returns the
// beginning of s and "…". It cuts at the last space of the beginning, unless this space is in the
// first half.
func truncateText(s string) string {
	if utf8.RuneCountInString(s) <= maxNote {
		return s
	}
	s = string([]rune(s)[:maxNote])
	if i := strings.LastIndexByte(s, ' '); i > len(s)/2 {
		s = s[:i]
	}
	return strings.TrimRightFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:.–—-", r) }) + "…"
}

// headingOf converts the key of a section to a heading: "/getting-started" to "Getting started",
// ":news" to "News", and "" to "".
func headingOf(key string) string {
	name := strings.NewReplacer("-", " ", "_", " ").Replace(decodeSegment(strings.TrimLeft(key, ":/")))
	if name == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[n:]
}

// decodeSegment decodes the percent-encoding of s, a part of a URL path. If the encoding is
// invalid, it returns s unchanged.
func decodeSegment(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

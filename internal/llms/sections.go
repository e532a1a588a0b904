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
	key     string // "" or "/folder" or "//host" as from SectionKey; ":" and the name of a group or heading; or optionalName
	name    string // heading; "" for pages at the root
	rank    int    // position that a rule sets, from 1; math.MaxInt if no rule sets the section
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
	for _, p := range c.pages {
		s := byKey[p.key]
		if s == nil {
			s = &section{key: p.key, name: cmp.Or(p.place.Section, headingOf(p.key)), rank: math.MaxInt}
			byKey[p.key] = s
		}
		if p.place.Section != "" {
			s.rank = min(s.rank, p.place.Rank)
		}
		s.pages = append(s.pages, p)
	}
	all := mergeSinglePages(byKey)
	slices.SortFunc(all, func(a, b *section) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.key, b.key))
	})
	counts := make([]int, len(all))
	for i, s := range all {
		s.total = len(s.pages)
		s.setNameFromHomePage(c.base)
		s.sortAndLimit()
		counts[i] = len(s.pages)
	}
	most := maxLinksPerSection(counts, limit)
	for _, s := range all {
		if !s.limited && len(s.pages) > most {
			s.keepMostImportantPages(most)
		}
	}
	disambiguateNames(all)
	return all
}

// mergeSinglePages returns the sections in byKey, in any order. If the section of a folder or of
// another host has only one page, the page moves to the section with the key "", and its old
// section is dropped.
func mergeSinglePages(byKey map[string]*section) (all []*section) {
	root := cmp.Or(byKey[""], &section{rank: math.MaxInt})
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

// setNameFromHomePage sets the name of a folder's section to the title of the folder's home page.
// If most titles in the section have a name in common, as in "Page | Docs", it first removes that
// name from the titles, and makes it the title of the home page. It does nothing for a section that
// is not a folder, or for a folder without a home page. base is the URL of the scope.
func (s *section) setNameFromHomePage(base string) {
	folder, isFolder := strings.CutPrefix(s.key, "/")
	i := slices.IndexFunc(s.pages, func(p *pageEntry) bool { return isHome(p.loc, base+folder) })
	if !isFolder || i < 0 {
		return
	}
	home := s.pages[i]
	home.title = cmp.Or(removeSharedNames(s.pages, home, ""), home.title)
	s.name = cmp.Or(home.title, s.name)
}

// disambiguateNames makes the names of folder sections unique. If several sections have the same
// name, it appends the folder or host to the name, as in "Guide (docs)".
func disambiguateNames(all []*section) {
	names := map[string]int{}
	for _, s := range all {
		names[s.name]++
	}
	for _, s := range all {
		if names[s.name] > 1 && strings.HasPrefix(s.key, "/") {
			s.name += " (" + decodeSegment(strings.TrimLeft(s.key, "/")) + ")"
		}
	}
}

// sortAndLimit sorts the pages of the section, and then removes the pages beyond the limits of
// rules. Pages with a higher priority come first. If a rule limits the section, newer pages come
// first among pages of the same priority. Pages that are still equal are sorted by URL. An
// "index.html" at the end of a URL is ignored, so that a folder comes before its pages.
func (s *section) sortAndLimit() {
	s.limited = slices.ContainsFunc(s.pages, func(p *pageEntry) bool { return p.place.Limit > 0 })
	slices.SortFunc(s.pages, func(a, b *pageEntry) int {
		c := cmp.Compare(b.priority, a.priority)
		if s.limited {
			c = cmp.Or(c, b.date.Compare(a.date))
		}
		return cmp.Or(c, cmp.Compare(strings.TrimSuffix(a.loc, "index.html"), strings.TrimSuffix(b.loc, "index.html")))
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

// keepMostImportantPages keeps n pages in their order, and removes the other pages. It removes the
// pages with the lowest priority first. Among pages of the same priority, it removes the pages with
// the deepest paths first. The section must have at least n pages and no limit from rules.
func (s *section) keepMostImportantPages(n int) {
	depth := func(p *pageEntry) int { return strings.Count(strings.TrimSuffix(p.loc, "/"), "/") }
	slices.SortStableFunc(s.pages, func(a, b *pageEntry) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(depth(a), depth(b)))
	})
	s.pages = s.pages[:n]
	s.sortAndLimit()
}

// links returns the links to the pages of the section. base is the URL of the scope. copyOf returns
// the URL of the Markdown copy of the page with the index i in Site.Entries, or "" if there is
// none. A link leads to the copy if there is one. copyOf may be nil. If several pages have the same
// title, links appends the path below base to the title of each, as in "News (2024/news)", except
// for the home page.
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

// truncateText returns s unchanged if it has at most maxText characters. Otherwise, it returns the
// first maxText characters of s and "…". If the second half of these characters contains a space,
// truncateText cuts at the last space. It removes punctuation before "…".
func truncateText(s string) string {
	if utf8.RuneCountInString(s) <= maxText {
		return s
	}
	s = string([]rune(s)[:maxText])
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

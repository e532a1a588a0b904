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

// rootSection is the heading of the pages at the root, and of pages that are alone in their
// folders.
const rootSection = "Pages"

// A section contains pages that share a folder, a group or a heading.
type section struct {
	key     string // see SectionOf; ":" and a name for a group or heading; Optional
	name    string // "" for the root
	rank    int    // 0 if no rule names the section
	limited bool   // rules limit the number of pages
	total   int    // number of pages before all limits
	pages   []*pageEntry
}

// SectionOf returns the section of a page: "/folder" for a page in a folder of the base
// URL, "//host" for a page outside of the base URL, and "" for a page at its root.
func SectionOf(base, loc string) string {
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

// sections divides the pages into sections, in the order of the file. Together they have about
// limit pages.
func (c *scope) sections(limit int) []*section {
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
	all := joinAlone(byKey)
	sortSections(all)
	counts := make([]int, len(all))
	for i, s := range all {
		s.total = len(s.pages)
		s.nameFolder(c.Base)
		s.sortAndLimit(c.Base)
		counts[i] = len(s.pages)
	}
	most := fairShare(counts, limit)
	for _, s := range all {
		if !s.limited && len(s.pages) > most {
			s.limitPages(most)
		}
	}
	nameTwins(all, c.Base)
	return all
}

// joinAlone moves pages that are alone in their folders to the section of the root.
func joinAlone(byKey map[string]*section) (all []*section) {
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

// sortSections sorts sections: those with a rank first, the others by key, Optional last.
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

// home returns the home page of the section's folder, or nil.
func (s *section) home(base string) *pageEntry {
	if s.key == "" || s.key[0] != '/' {
		return nil
	}
	i := slices.IndexFunc(s.pages, func(p *pageEntry) bool { return isHome(p.loc, base+s.key[1:]) })
	if i < 0 {
		return nil
	}
	return s.pages[i]
}

// nameFolder names the section after the home page of its folder. It cuts the name that the
// titles of its pages share.
func (s *section) nameFolder(base string) {
	home := s.home(base)
	if home == nil {
		return
	}
	if shared := cutShared(s.pages, home, ""); shared != "" {
		home.title = shared
	}
	s.name = cmp.Or(home.title, s.name)
}

// nameTwins adds the language or the folder to names that several sections have.
func nameTwins(all []*section, base string) {
	names := map[string]int{}
	for _, s := range all {
		names[s.name]++
	}
	for _, s := range all {
		if names[s.name] < 2 || !strings.HasPrefix(s.key, "/") {
			continue
		}
		lang := ""
		if home := s.home(base); home != nil {
			lang = home.lang
		}
		s.name += " (" + cmp.Or(lang, decodeSegment(strings.TrimLeft(s.key, "/"))) + ")"
	}
}

// sortAndLimit sorts the pages by priority, home page and URL, or by date if rules limit the
// section. It removes the pages beyond the limits of rules.
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
	counts := map[int]int{} // by Place.By
	s.pages = slices.DeleteFunc(s.pages, func(p *pageEntry) bool {
		if p.place.Limit == 0 {
			return false
		}
		counts[p.place.By]++
		return counts[p.place.By] > p.place.Limit
	})
}

// compareHome compares two URLs so that the home page of a folder is first.
func compareHome(a, b, folder string) int {
	switch x, y := isHome(a, folder), isHome(b, folder); {
	case x == y:
		return 0
	case x:
		return -1
	}
	return 1
}

// fairShare returns the maximum number of links of each section, so that all sections together
// have at most limit links. It is at least 1. share sorts counts, the wanted numbers of links.
func fairShare(counts []int, limit int) int {
	slices.Sort(counts)
	for i, n := range counts {
		if rest := len(counts) - i; n*rest > limit {
			return max(1, limit/rest)
		}
		limit -= n
	}
	return math.MaxInt
}

// limitPages removes pages until most pages remain. It keeps pages with a high priority first, and
// then pages near the root of the site.
func (s *section) limitPages(most int) {
	depth := func(p *pageEntry) int { return strings.Count(strings.TrimSuffix(p.loc, "/"), "/") }
	all := slices.Clone(s.pages)
	slices.SortStableFunc(all, func(a, b *pageEntry) int {
		return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(depth(a), depth(b)))
	})
	stays := map[*pageEntry]bool{}
	for _, p := range all[:most] {
		stays[p] = true
	}
	s.pages = slices.DeleteFunc(s.pages, func(p *pageEntry) bool { return !stays[p] })
}

// links returns the links of the section, to the Markdown copies of pages that have one. Titles
// that several pages have are followed by the path.
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

// shorten returns s, or its first words if it has more than maxNote characters.
func shorten(s string) string {
	if utf8.RuneCountInString(s) <= maxNote {
		return s
	}
	s = string([]rune(s)[:maxNote])
	if i := strings.LastIndexByte(s, ' '); i > len(s)/2 {
		s = s[:i]
	}
	return strings.TrimRightFunc(s, func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune(",;:.–—-", r) }) + "…"
}

// headingOf returns the key of a section as a heading.
func headingOf(key string) string {
	name := strings.NewReplacer("-", " ", "_", " ").Replace(decodeSegment(strings.TrimLeft(key, ":/")))
	if name == "" {
		return ""
	}
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[n:]
}

// decodeSegment returns a part of a URL without percent-encoding.
func decodeSegment(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

package llms

import (
	"cmp"
	"strings"
)

// titleSeparators are the strings that may separate the title of a page from the name of its site,
// as in "Page | Site".
var titleSeparators = []string{" | ", " - ", " – ", " — ", " · ", " • ", " :: ", " » ", " « ", " ∣ "}

// setNameAndTitles sets c.name, and changes the titles of the pages. If most titles contain the
// name of the site, as in "Page | Site", it removes the name. The home page gets c.name as its
// title. A page without a title gets its path. Long titles are shortened.
//
// The name of the site is the first of these that is set: s.UserTitle, s.HomeTitle, the name that
// most titles contain, and s.Title. s.HomeTitle does not count if it only repeats the title of the
// home page. For a language, the name is the name that most titles contain, the title of its home
// page, or s.Title with the language, as in "Site (fr)".
func (c *scope) setNameAndTitles(s *Site) {
	homeTitle, known := c.home.title, cmp.Or(s.UserTitle, s.Title)
	if c.Dir != "" {
		known = homeTitle
	}
	shared := removeSharedNames(c.pages, c.home, known)
	switch {
	case c.Dir != "":
		c.name = cmp.Or(shared, homeTitle, s.Title+" ("+c.Code+")")
	case s.HomeTitle == homeTitle:
		c.name = cmp.Or(s.UserTitle, shared, s.Title)
	default:
		c.name = cmp.Or(s.UserTitle, s.HomeTitle, shared, s.Title)
	}
	c.home.title = c.name
	for _, p := range c.pages {
		p.title = cmp.Or(truncateText(p.title), decodeSegment(strings.TrimPrefix(p.loc, c.base)), p.loc)
	}
}

// removeSharedNames removes from the titles of pages up to three names that most titles have at
// their beginning or end: first "Site" and then "Docs" from "Page | Docs | Site". It returns the
// first removed name, here "Site", or "" if there is none. home is the home page of the folder.
// known is the expected name, or "".
func removeSharedNames(pages []*pageEntry, home *pageEntry, known string) (shared string) {
	for range 3 {
		affix, name := commonAffix(pages, home, known)
		if name == "" {
			break
		}
		shared = cmp.Or(shared, name)
		for _, p := range pages {
			title := strings.TrimPrefix(strings.TrimSuffix(p.title, affix), affix)
			p.title = cmp.Or(strings.TrimSpace(title), p.title)
		}
	}
	return shared
}

// commonAffix returns the most frequent suffix or prefix of the titles, such as " | Site" or "Site:
// ", and the name in it, "Site". It ignores empty titles and the title of home, the home page of
// the folder. A prefix counts only if the title of home also begins with it. If at most half of the
// titles have the affix, both results are "". Both results are also "" if fewer than three titles
// have it, unless the name equals known, the expected name.
func commonAffix(pages []*pageEntry, home *pageEntry, known string) (affix, name string) {
	counts, titled := map[string]int{}, 0
	for _, p := range pages {
		if p.title == "" || p == home {
			continue
		}
		titled++
		if at := lastSeparator(p.title); at > 0 {
			counts[p.title[at:]]++
		}
		if prefix, _, ok := strings.Cut(p.title, ": "); ok && strings.HasPrefix(home.title, prefix+": ") {
			counts[prefix+": "]++
		}
	}
	affix, n := mostFrequent(counts)
	name, isPrefix := strings.CutSuffix(affix, ": ")
	if !isPrefix {
		_, name, _ = strings.Cut(strings.TrimSpace(affix), " ")
	}
	if 2*n <= titled || n < 3 && name != known {
		return "", ""
	}
	return affix, name
}

// lastSeparator returns the index in bytes of the last separator in a title, such as " | ". It
// returns -1 if there is none.
func lastSeparator(title string) int {
	last := -1
	for _, s := range titleSeparators {
		last = max(last, strings.LastIndex(title, s))
	}
	return last
}

// mostFrequent returns the key with the highest count, and the count. Of several such keys, it
// returns the first in alphabetical order. If counts is empty, it returns "" and 0.
func mostFrequent(counts map[string]int) (key string, n int) {
	for k, c := range counts {
		if c > n || c == n && k < key {
			key, n = k, c
		}
	}
	return key, n
}

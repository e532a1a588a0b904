package llms

import (
	"cmp"
	"strings"
)

// titleSeparators are the strings that may separate the title of a page from the name of its site,
// as in "Page | Site".
var titleSeparators = []string{" | ", " - ", " – ", " — ", " · ", " • ", " :: ", " » ", " « ", " ∣ "}

// prefixEnd separates the name of a site at the beginning from the page's title, as in "Site:
// Page".
const prefixEnd = ": "

// maxAffixes is the maximum number of names that are removed from a title. The title "Page | Docs |
// Site" contains two names.
const maxAffixes = 3

// setNameAndTitles sets c.name, and changes the titles of the pages. If most titles contain the
// name of the site, as in "Page | Site", it removes the name. The home page gets c.name as its
// title. A page without a title gets its path. Long titles are shortened.
func (c *scope) setNameAndTitles(s *Site) {
	known := cmp.Or(s.UserTitle, s.Title)
	if c.Dir != "" {
		known = c.home.title
	}
	var home *pageEntry
	pages := make([]*pageEntry, len(c.pages))
	for i := range c.pages {
		if pages[i] = &c.pages[i]; isHome(pages[i].loc, c.Base) {
			home = pages[i]
		}
	}
	c.name = c.siteName(s, removeSharedName(pages, home, known))
	if home != nil {
		home.title = c.name
	}
	for _, p := range pages {
		p.title = cmp.Or(truncateText(p.title), decodeSegment(strings.TrimPrefix(p.loc, c.Base)), p.loc)
	}
}

// siteName returns the name of the site, or of the language if the scope is for a language. shared
// is the name that the titles of pages have in common, or "". The name of a site is the first that
// is set of s.UserTitle, s.HomeTitle, shared and s.Title. s.HomeTitle, the og:site_name of the home
// page, does not count if it only repeats the title of that page.
func (c *scope) siteName(s *Site, shared string) string {
	if c.Dir != "" {
		return cmp.Or(shared, c.home.title, s.Title+" ("+c.Code+")")
	}
	if s.HomeTitle != "" && s.HomeTitle != c.home.title {
		shared = s.HomeTitle
	}
	return cmp.Or(s.UserTitle, shared, s.Title)
}

// removeSharedName removes from the titles the names with which most of them begin or end, as in
// "Page | Docs | Site". It returns the name that it removes first, here "Site", or "" for none.
// home is the home page of the folder, or nil. known is the expected name; any other name must be
// in at least three titles.
func removeSharedName(pages []*pageEntry, home *pageEntry, known string) (shared string) {
	for range maxAffixes {
		suffix, prefix, name := commonAffix(pages, home, known)
		if name == "" {
			break
		}
		shared = cmp.Or(shared, name)
		for _, p := range pages {
			title := strings.TrimPrefix(strings.TrimSuffix(p.title, suffix), prefix)
			p.title = cmp.Or(strings.TrimSpace(title), p.title)
		}
	}
	return shared
}

// commonAffix returns the suffix that more than half of the titles have, such as " | Site", and the
// name in it, "Site". If there is none, it returns a prefix that more than half of the titles and
// the home page have, such as "Site: ", and the name in it. If there is no such prefix, all results
// are "". known is the expected name of the site; any other name must be in at least three titles.
func commonAffix(pages []*pageEntry, home *pageEntry, known string) (suffix, prefix, name string) {
	ends, begins, titled := map[string]int{}, map[string]int{}, 0
	for _, p := range pages {
		if p.title == "" || p == home {
			continue
		}
		titled++
		if at := lastSeparator(p.title); at > 0 {
			ends[p.title[at:]]++
		}
		if at := strings.Index(p.title, prefixEnd); at > 0 {
			begins[p.title[:at+len(prefixEnd)]]++
		}
	}
	end, n := mostFrequent(ends)
	_, name, _ = strings.Cut(strings.TrimSpace(end), " ")
	if 2*n > titled && (n > 2 || name == known) {
		return end, "", name
	}
	begin, n := mostFrequent(begins)
	if 2*n > titled && n > 2 && home != nil && strings.HasPrefix(home.title, begin) {
		return "", begin, strings.TrimSuffix(begin, prefixEnd)
	}
	return "", "", ""
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

package llms

import (
	"cmp"
	"strings"
)

// separators stand between the title of a page and that of its site.
var separators = []string{" | ", " - ", " – ", " — ", " · ", " • ", " :: ", " » ", " « ", " ∣ "}

// mostAffixes is how many names behind one another are cut from titles, as in
// "Page | Docs | Site".
const mostAffixes = 3

// clean gives each page of the scope a title without what all titles share, and returns
// what the site is called. Titles are cut once: what is left of them shares nothing.
func (s *scope) clean(l *LLMS) string {
	if s.name != "" {
		return s.name
	}
	known := cmp.Or(l.Given, l.Title)
	if s.Dir != "" {
		known = s.home.Title
	}
	var home *llmsPage
	pages := make([]*llmsPage, len(s.pages))
	for i := range s.pages {
		if pages[i] = &s.pages[i]; isHome(pages[i].loc, s.Base) {
			home = pages[i]
		}
	}
	s.name = s.siteName(l, cutShared(pages, home, known))
	if home != nil {
		home.title = s.name
	}
	for _, p := range pages {
		p.title = cmp.Or(shortened(p.title), readable(strings.TrimPrefix(p.loc, s.Base)), p.loc)
	}
	return s.name
}

// cutShared cuts the names that most titles of pages end with, or begin with, and
// returns the outermost one. Home, if there is one, is the page of their folder; known is a
// name that few pages prove.
func cutShared(pages []*llmsPage, home *llmsPage, known string) (shared string) {
	for range mostAffixes {
		cut, name := affix(pages, home, known)
		if cut == nil {
			break
		}
		shared = cmp.Or(shared, name)
		for _, p := range pages {
			p.title = cmp.Or(strings.TrimSpace(cut(p.title)), p.title)
		}
	}
	return shared
}

// siteName returns what the pages of the scope are called together.
func (s *scope) siteName(l *LLMS, shared string) string {
	if s.Dir != "" {
		return cmp.Or(shared, s.home.Title, l.Title+" ("+s.Code+")")
	}
	if l.Own != "" && l.Own != s.home.Title { // as og:site_name says
		shared = l.Own
	}
	return cmp.Or(l.Given, shared, l.Title)
}

// affix returns how to cut the name that more than half of the titles end with, behind
// a separator, and that name; or the one that they and that of the home page begin with.
func affix(pages []*llmsPage, home *llmsPage, known string) (cut func(string) string, name string) {
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
		return func(t string) string { return strings.TrimSuffix(t, end) }, name
	}
	begin, n := mostFrequent(begins)
	if 2*n > titled && n > 2 && home != nil && strings.HasPrefix(home.title, begin) {
		return func(t string) string { return strings.TrimPrefix(t, begin) }, strings.TrimSuffix(begin, prefixEnd)
	}
	return nil, ""
}

// prefixEnd stands behind the name of a site before the title of a page.
const prefixEnd = ": "

// lastSeparator returns where the last separator of a title begins, -1 without one.
func lastSeparator(t string) int {
	last := -1
	for _, sep := range separators {
		last = max(last, strings.LastIndex(t, sep))
	}
	return last
}

// mostFrequent returns the key that was counted most, the first of several.
func mostFrequent(counts map[string]int) (key string, n int) {
	for k, c := range counts {
		if c > n || c == n && k < key {
			key, n = k, c
		}
	}
	return key, n
}

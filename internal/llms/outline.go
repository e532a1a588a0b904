package llms

import (
	"math"
	"net/url"
	"slices"
	"strings"
)

// A Site is what is arranged.
type Site struct {
	Entries Entries
	Base    string // the URL whose folders are sections, with a trailing slash
	Title   string // what the site is called
	Lang    string // BCP 47 tag; not known
	All     string // the file that lists all pages, slash-separated
	AllURL  string // and its URL
	Mark    string // the comment at the top of the page for people
}

// share returns how many links each of the sections with these counts may have at most
// for all of them to be within limit, but at least one. It sorts counts.
func share(counts []int, limit int) int {
	slices.Sort(counts)
	for i, n := range counts {
		if rest := len(counts) - i; n*rest > limit {
			return max(1, limit/rest)
		}
		limit -= n
	}
	return math.MaxInt
}

// titleOf returns what people call a section; "" for the root, which is called as
// the site is.
func titleOf(key string) string { return readable(strings.TrimLeft(key, "/")) }

// readable returns a part of a URL without its escapes.
func readable(s string) string {
	if u, err := url.PathUnescape(s); err == nil {
		return u
	}
	return s
}

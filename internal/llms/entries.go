package llms

import (
	"context"
	"strings"

	"github.com/sitewalk/sitewalk/sitemap"
)

// Entries are the pages of a site, sorted by URL.
type Entries interface {
	Len() int
	// Entry fills *e with the page at i.
	Entry(i int, e *sitemap.Entry)
}

// EachEntry calls do for each page, until ctx is done.
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

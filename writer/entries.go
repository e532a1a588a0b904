package writer

import "github.com/sitewalk/sitewalk/sitemap"

// Entries are the pages to list, sorted by Loc, each Loc once.
type Entries interface {
	Len() int
	// Entry fills *e with the page at i; safe for concurrent use.
	Entry(i int, e *sitemap.Entry)
}

// Slice is Entries in memory.
type Slice []sitemap.Entry

// Len returns how many entries there are.
func (s Slice) Len() int { return len(s) }

// Entry fills *e with the entry at i.
func (s Slice) Entry(i int, e *sitemap.Entry) { *e = s[i] }

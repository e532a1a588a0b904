package site

import (
	"sync"

	"github.com/sitewalk/sitewalk/mapping"
)

// An index finds the pages that files stand for. Each map is made when it is asked for
// the first time; it is safe for concurrent use.
type index struct {
	byLoc      func() map[string]*Page // by the URL that the file alone gives the page
	bySpelling func() map[string]*Page // by the spelling of the path
}

func newIndex(w *World, pages []Page) *index {
	by := func(name func(r *Page) string) func() map[string]*Page {
		return sync.OnceValue(func() map[string]*Page {
			all := make(map[string]*Page, len(pages))
			for i := range pages {
				all[name(&pages[i])] = &pages[i]
			}
			return all
		})
	}
	return &index{
		byLoc:      by(func(r *Page) (loc string) { loc, _ = w.Mapped(r); return loc }),
		bySpelling: by(func(r *Page) string { return mapping.Spelling(r.Said.Path) }),
	}
}

// find returns the page that is listed at a URL, else the one whose file alone has it, or
// nil.
func (x *index) find(listed List, loc string) *Page {
	if i, ok := listed.Find(loc); ok {
		return listed[i]
	}
	return x.byLoc()[loc]
}

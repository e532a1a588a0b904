package site

import "github.com/sitewalk/sitewalk/mapping"

// An index finds the pages that have a file. It is for one goroutine.
type index struct {
	world     *World
	pages     []Page
	locs      map[string]*Page
	spellings map[string]*Page
}

// byLoc returns the pages by the URL that the file alone gives them.
func (x *index) byLoc() map[string]*Page {
	if x.locs == nil {
		x.locs = make(map[string]*Page, len(x.pages))
		for i := range x.pages {
			loc, _ := x.world.Mapped(&x.pages[i])
			x.locs[loc] = &x.pages[i]
		}
	}
	return x.locs
}

// bySpelling returns the pages by the normalized spelling of their URL paths.
func (x *index) bySpelling() map[string]*Page {
	if x.spellings == nil {
		x.spellings = make(map[string]*Page, len(x.pages))
		for i := range x.pages {
			x.spellings[mapping.Spelling(x.pages[i].Said.Path)] = &x.pages[i]
		}
	}
	return x.spellings
}

// find returns the page that is listed at loc. If none is, it returns the page whose file
// alone has this URL, or nil.
func (x *index) find(listed List, loc string) *Page {
	if i, ok := listed.Find(loc); ok {
		return listed[i]
	}
	return x.byLoc()[loc]
}

package site

// An index finds the pages that have a file.
type index struct {
	world *World
	pages []Page
}

// find returns the page that is listed at loc. If none is, it returns the page whose file the
// host serves at loc or at another spelling of loc, or nil.
func (x *index) find(listed List, loc string) *Page {
	if i, ok := listed.Find(loc); ok {
		return listed[i]
	}
	return x.byURL(loc, true)
}

// byURL returns the page whose file the host serves at loc or at another spelling of loc, or
// nil. With ruled, it also returns a page that a rule of the host hides.
func (x *index) byURL(loc string, ruled bool) *Page {
	p, urlPath, ok := x.world.Below(loc)
	if !ok || len(x.pages) == 0 {
		return nil
	}
	file := p.FileAt(urlPath)
	if file == "" && ruled && p.Host.IsKnown() {
		file = p.likelyFile(urlPath)
	}
	if file == "" {
		return nil
	}
	if i, ok := findFact(x.world.pages, p.inSite(file)); ok {
		return &x.pages[i]
	}
	return nil
}
